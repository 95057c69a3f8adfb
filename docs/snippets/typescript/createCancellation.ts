import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const { cancellation } = await user.cancellations.create(
  {
    organizationId,
    productId,
    locale: "de-DE",
    parameters: [
      { fieldKey: "NAME", fieldValue: "Anna Sommer" },
      { fieldKey: "ADDRESS", fieldValue: "Lindenallee 12" },
      { fieldKey: "ZIP", fieldValue: "50667" },
      { fieldKey: "CITY", fieldValue: "Köln" },
      { fieldKey: "EMAIL", fieldValue: "anna.sommer@example.org" },
      { fieldKey: "CUSTOMER_NUMBER", fieldValue: "K-204817" },
      { fieldKey: "DATA_DELETE_REQUEST", fieldValue: "true" },
    ],
    signature: { type: "TEXT", data: "Anna Sommer" },
  },
  { idempotencyKey: `order-4711-${userId}` },
);
console.log(cancellation?.cancellationId, cancellation?.status); // a dry run has none
