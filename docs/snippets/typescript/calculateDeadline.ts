import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const deadline = await aviso.catalogue.calculateDeadline(organizationId, productId, {
  contractStart: "2025-03-15",
  customer: "Consumer",
  agreedTerms: { noticePeriod: "P2W" },
});
for (const step of deadline.steps) console.log(step.text, step.source);
