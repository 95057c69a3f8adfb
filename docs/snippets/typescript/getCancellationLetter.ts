import { writeFile } from "node:fs/promises";
import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
await writeFile("letter.pdf", await user.cancellations.getLetter(cancellationId));
