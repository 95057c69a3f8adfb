from aviso import Aviso, ConflictError, models

client = Aviso()
user = client.user(user_id)
values = {
    "NAME": "Anna Sommer",
    "ADDRESS": "Lindenallee 12",
    "ZIP": "50667",
    "CITY": "Köln",
    "EMAIL": "anna.sommer@example.org",
    "CUSTOMER_NUMBER": "K-204817",
    "DATA_DELETE_REQUEST": "false",
}
try:
    sent = user.cancellations.send_objection(
        cancellation_id,
        parameters=[
            models.CancellationParameter(field_key=key, field_value=value)
            for key, value in values.items()
        ],
        signature=models.Signature(type="TEXT", data="Anna Sommer"),
        idempotency_key=f"objection-{cancellation_id}",
    )
    if sent.objection:  # a dry run has none
        print(sent.objection.objection_id, sent.objection.status)
except ConflictError:
    print("There is no debit to object to.")
