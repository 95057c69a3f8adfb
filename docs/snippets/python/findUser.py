from aviso import Aviso

client = Aviso()
user = client.users.find(external_id="customer-4711")
print(user.user_id)
