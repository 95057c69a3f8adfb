import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const country of aviso.providers.listCountries()) {
  console.log(country.countryCode, country.providerCount);
}
