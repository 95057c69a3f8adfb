import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const subscription = await aviso.webhooks.getSubscription(subscriptionId);
console.log(subscription.serverUrl, subscription.events, subscription.status);
