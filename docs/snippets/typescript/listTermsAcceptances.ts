import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const acceptance of user.terms.listAcceptances()) {
  console.log(acceptance.termsType, acceptance.version, acceptance.acceptedAt);
}
