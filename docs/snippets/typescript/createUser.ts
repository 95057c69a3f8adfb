import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = await aviso.users.create({
  externalId: "customer-4711",
  countryCode: "DE",
  languageCode: "de",
});
console.log(user.userId);
