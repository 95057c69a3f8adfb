import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const account of user.accounts.list()) {
  console.log(account.accountId, account.accountName, account.balance.toFixed(2));
}
