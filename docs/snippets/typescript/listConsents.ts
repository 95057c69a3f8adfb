import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const consent of user.connections.listConsents(connectionId)) {
  console.log(consent.consentStatus, consent.answeredAt, consent.text);
}
