import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const objection of user.cancellations.listObjections(cancellationId)) {
  console.log(objection.objectionId, objection.status, objection.debits.length);
}
