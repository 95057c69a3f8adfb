from aviso import Aviso

client = Aviso()
user = client.user(user_id)
connection = user.connections.get(connection_id)
print(connection.connection_status, connection.last_success_at)
