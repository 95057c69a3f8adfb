import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const { expiresAt, files } = await aviso.users.getExport(userId, exportId);
console.log(expiresAt, files.length);
