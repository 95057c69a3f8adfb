from aviso import Aviso

client = Aviso()
user = client.users.get(user_id)
print(user.external_id, user.language_code)
