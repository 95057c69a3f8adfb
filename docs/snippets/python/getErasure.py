from aviso import Aviso

client = Aviso()
erasure = client.users.get_erasure(erasure_id)
print(erasure.status, erasure.counts)
