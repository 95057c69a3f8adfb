import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const made = await aviso.users.createExport(userId);
console.log(made.exportId);
for (const { name, url } of made.files) console.log(name, url);
