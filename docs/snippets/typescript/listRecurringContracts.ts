import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const contract of user.insights.listRecurringContracts()) {
  console.log(contract.subscriptionId, contract.merchant.name, contract.amount.toFixed(2), contract.lastDate);
}
