import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const { files } = await aviso.users.createExport(userId);
for (const { name, url } of files) console.log(name, url);
