import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const bank = await aviso.providers.get(providerId);
console.log(bank.name, bank.status, bank.supportedAccountTypes);
