from aviso import Aviso, ConflictError, models

client = Aviso()
user = client.user(user_id)
try:
    reply = user.cancellations.answer_reply(
        cancellation_id,
        reply_id,
        parameters=[
            models.CancellationParameter(
                field_key="CUSTOMER_NUMBER", field_value="K-204817"
            )
        ],
        idempotency_key=f"answer-{reply_id}",
    )
    print(reply.answer_status)
except ConflictError:
    print("The reply asks for nothing, or has been answered.")
