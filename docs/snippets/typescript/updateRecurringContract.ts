import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const contract = await user.insights.updateRecurringContract(subscriptionId, {
  contractStart: "2024-11-15",
});
console.log(contract.contractStart.date, contract.deadline?.sendBy);
