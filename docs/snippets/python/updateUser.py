from aviso import Aviso

client = Aviso()
user = client.users.update(user_id, language_code="fr")
print(user.language_code)
