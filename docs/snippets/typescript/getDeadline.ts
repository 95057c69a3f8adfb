import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const query = { contractStart: "2025-03-15", locale: "de-DE" };
const deadline = await aviso.catalogue.getDeadline(organizationId, productId, query);
for (const last of deadline.sendBy) console.log(last.channel, "by", last.date, "to end on", deadline.earliestEnd);
