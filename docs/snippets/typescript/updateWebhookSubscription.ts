import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const subscription = await aviso.webhooks.updateSubscription(subscriptionId, {
  events: ["connection.expired", "cancellation.sent"],
});
console.log(subscription.events);
