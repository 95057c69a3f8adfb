import { Aviso, ConflictError } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
try {
  const answer = { status: "Confirmed", endDate: "2027-01-31" } as const;
  const cancellation = await user.cancellations.updateOutcome(cancellationId, answer);
  console.log(cancellation.status);
} catch (error) {
  if (!(error instanceof ConflictError)) throw error;
  console.log("The cancellation is not waiting for an answer.");
}
