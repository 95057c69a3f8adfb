from aviso import Aviso, models

client = Aviso()
user = client.user(user_id)
values = {
    "NAME": "Anna Sommer",
    "ADDRESS": "Lindenallee 12",
    "ZIP": "50667",
    "CITY": "Köln",
    "EMAIL": "anna.sommer@example.org",
    "CUSTOMER_NUMBER": "K-204817",
    "DATA_DELETE_REQUEST": "true",
}
created = user.cancellations.create(
    organization_id=organization_id,
    product_id=product_id,
    locale="de-DE",
    parameters=[
        models.CancellationParameter(field_key=key, field_value=value)
        for key, value in values.items()
    ],
    signature=models.Signature(type="TEXT", data="Anna Sommer"),
    idempotency_key=f"order-4711-{user_id}",
)
if created.cancellation:  # a dry run has none
    print(created.cancellation.cancellation_id, created.cancellation.status)
