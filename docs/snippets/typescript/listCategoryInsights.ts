import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const insight of user.insights.listCategories()) {
  console.log(insight.category.name, insight.amount.toFixed(2), insight.currencyCode);
}
