from aviso import Aviso

client = Aviso()
user = client.user(user_id)
link = user.connections.create(
    provider_id=provider_id,
    return_url="https://partner.example/back",
    idempotency_key=f"connect-{user_id}",
)
print("Connection", link.connection_id, "needs the user at", link.redirect_url)
