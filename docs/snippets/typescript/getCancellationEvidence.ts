import { writeFile } from "node:fs/promises";
import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
await writeFile("evidence.zip", await user.cancellations.getEvidence(cancellationId));
