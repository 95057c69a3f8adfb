import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const banks = aviso.providers.list({ countryCode: "DE", providerNameFilter: "linden" });
for await (const bank of banks) console.log(bank.id, bank.name);
