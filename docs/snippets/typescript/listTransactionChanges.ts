import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const { changes, since } of user.transactions.listChanges({ limit: 100 })) {
  for (const { change, transactionId } of changes) console.log(change, transactionId);
  console.log("Next time, begin with", { since });
}
