from aviso import Aviso

# The client gets its token with the first call, and renews it.
client = Aviso(client_id, client_secret, base_url)
print(client.terms.list())
