from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for connection in user.connections.list():
    print(connection.provider_name, connection.connection_status)
