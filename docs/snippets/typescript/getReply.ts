import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const reply = await user.cancellations.getReply(cancellationId, replyId);
console.log(reply.from, reply.text);
