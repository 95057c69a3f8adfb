from aviso import Aviso

client = Aviso()
erasure = client.users.delete(user_id)
print(erasure.erasure_id, erasure.status)
