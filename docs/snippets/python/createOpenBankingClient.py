from aviso import Aviso

client = Aviso()
user = client.user(user_id)
made = user.clients.create_open_banking_client(country_code="DE", language_code="de")
print(made.id)
