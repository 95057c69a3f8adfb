import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const reply of user.cancellations.listReplies(cancellationId)) {
  console.log(reply.replyId, reply.kind, reply.excerpt);
}
