import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const accepted = { termsType: "Operator", version: "2026-01" };
const acceptance = await user.terms.accept(accepted);
console.log(acceptance.termsType, acceptance.acceptedAt);
