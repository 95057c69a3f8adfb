import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const client = await user.clients.create({ countryCode: "DE", languageCode: "de" });
console.log(client.id);
