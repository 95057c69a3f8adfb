import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const subscription = await aviso.webhooks.updateSubscriptionStatus(subscriptionId, {
  status: "Paused",
});
console.log(subscription.status);
