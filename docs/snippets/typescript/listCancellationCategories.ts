import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const category of aviso.catalogue.listCategories()) {
  console.log(category.id, category.name);
}
