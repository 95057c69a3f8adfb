import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const subscription of aviso.webhooks.listSubscriptions()) {
  console.log(subscription.subscriptionId, subscription.serverUrl, subscription.status);
}
