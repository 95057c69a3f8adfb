import { Aviso, ConflictError } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
try {
  const { objection } = await user.cancellations.sendObjection(
    cancellationId,
    {
      parameters: [
        { fieldKey: "NAME", fieldValue: "Anna Sommer" },
        { fieldKey: "ADDRESS", fieldValue: "Lindenallee 12" },
        { fieldKey: "ZIP", fieldValue: "50667" },
        { fieldKey: "CITY", fieldValue: "Köln" },
        { fieldKey: "EMAIL", fieldValue: "anna.sommer@example.org" },
        { fieldKey: "CUSTOMER_NUMBER", fieldValue: "K-204817" },
        { fieldKey: "DATA_DELETE_REQUEST", fieldValue: "false" },
      ],
      signature: { type: "TEXT", data: "Anna Sommer" },
    },
    { idempotencyKey: `objection-${cancellationId}` },
  );
  console.log(objection?.objectionId, objection?.status); // a dry run has none
} catch (error) {
  if (!(error instanceof ConflictError)) throw error;
  console.log("There is no debit to object to.");
}
