import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const secret of aviso.webhooks.listSecrets(subscriptionId)) {
  console.log(secret.secretId, secret.status, secret.createdAt);
}
