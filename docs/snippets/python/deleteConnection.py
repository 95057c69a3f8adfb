from aviso import Aviso

client = Aviso()
user = client.user(user_id)
user.connections.delete(connection_id)
