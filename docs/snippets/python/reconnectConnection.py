from aviso import Aviso

client = Aviso()
user = client.user(user_id)
link = user.connections.reconnect(
    connection_id, return_url="https://partner.example/back"
)
print("Send the user to", link.redirect_url)
