import { Aviso, ConflictError } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
try {
  const values = { parameters: [{ fieldKey: "CUSTOMER_NUMBER", fieldValue: "K-204817" }] };
  const options = { idempotencyKey: `answer-${replyId}` };
  const reply = await user.cancellations.answerReply(cancellationId, replyId, values, options);
  console.log(reply.answerStatus);
} catch (error) {
  if (!(error instanceof ConflictError)) throw error;
  console.log("The reply asks for nothing, or has been answered.");
}
