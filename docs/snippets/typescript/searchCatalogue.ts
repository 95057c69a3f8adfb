import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const found = await aviso.search.catalogue({ searchQuery: "vidorma" });
for (const organization of found.organizations) {
  console.log(organization.id, organization.name);
}
for (const product of found.products) console.log(product.productId, product.name);
