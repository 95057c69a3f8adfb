import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const secret = await aviso.webhooks.createSecret(subscriptionId);
// Store the key: no later answer has it.
console.log(secret.secretId, secret.key);
