import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const event = await aviso.webhooks.simulateEvent({
  eventType: "webhook.ping",
  subscriptionId,
});
console.log(event.eventId, event.eventType);
