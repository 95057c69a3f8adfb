import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const insight of user.insights.listMerchants()) {
  console.log(insight.merchant.name, insight.amount.toFixed(2), insight.currencyCode);
}
