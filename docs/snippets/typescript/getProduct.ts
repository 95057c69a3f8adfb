import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const query = { locale: "de-DE" };
const product = await aviso.catalogue.getProduct(organizationId, productId, query);
for (const field of product.template) console.log(field.fieldKey, field.label);
