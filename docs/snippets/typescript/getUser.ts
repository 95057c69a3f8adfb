import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = await aviso.users.get(userId);
console.log(user.externalId, user.languageCode);
