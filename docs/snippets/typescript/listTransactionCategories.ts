import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const category of aviso.transactions.listCategories()) {
  const names = category.subcategories.map((one) => one.subcategoryName);
  console.log(category.categoryName, names);
}
