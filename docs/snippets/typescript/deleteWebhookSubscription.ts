import { Aviso } from "@aviso/client";

const aviso = new Aviso();
await aviso.webhooks.deleteSubscription(subscriptionId);
