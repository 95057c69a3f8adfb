import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const saving of user.insights.listSavings()) {
  console.log(saving.currencyCode, saving.yearlySaving.toFixed(2), saving.savedSoFar.toFixed(2));
}
