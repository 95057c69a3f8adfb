import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const attempt of aviso.webhooks.listDeliveryAttempts(subscriptionId)) {
  console.log(attempt.startedAt, attempt.eventType, attempt.outcome);
}
