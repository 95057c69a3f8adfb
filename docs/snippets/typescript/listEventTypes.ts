import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const type of aviso.webhooks.listEventTypes()) {
  console.log(type.eventType, type.description);
}
