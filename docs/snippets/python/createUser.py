from aviso import Aviso

client = Aviso()
user = client.users.create(
    external_id="customer-4711", country_code="DE", language_code="de"
)
print(user.user_id)
