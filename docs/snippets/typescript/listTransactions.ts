import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const transaction of user.transactions.list({ limit: 100 })) {
  // The amount is an exact Decimal.
  console.log(transaction.id, transaction.amount.toFixed(2), transaction.note);
}
