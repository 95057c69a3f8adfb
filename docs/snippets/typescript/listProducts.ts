import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const product of aviso.catalogue.listProducts(organizationId)) {
  console.log(product.productId, product.name);
}
