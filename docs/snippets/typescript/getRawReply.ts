import { writeFile } from "node:fs/promises";
import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
await writeFile("reply.eml", await user.cancellations.getRawReply(cancellationId, replyId));
