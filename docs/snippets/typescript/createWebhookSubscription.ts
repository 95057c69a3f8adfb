import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const { subscription, secret } = await aviso.webhooks.createSubscription({
  serverUrl: "https://partner.example/webhooks",
  events: ["*"],
});
// Store the key: no later answer has it.
console.log(subscription.subscriptionId, secret.key);
