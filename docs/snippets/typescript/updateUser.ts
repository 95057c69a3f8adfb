import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = await aviso.users.update(userId, { languageCode: "fr" });
console.log(user.languageCode);
