import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const cancellation = await user.cancellations.get(cancellationId);
console.log(cancellation.status, cancellation.channel);
