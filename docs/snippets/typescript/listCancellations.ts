import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const cancellation of user.cancellations.list()) {
  console.log(cancellation.cancellationId, cancellation.status);
}
