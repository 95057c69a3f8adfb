import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const terms of aviso.terms.list()) {
  console.log(terms.termsType, terms.version, terms.url);
}
