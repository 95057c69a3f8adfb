from aviso import Aviso

client = Aviso()
created = client.webhooks.create_subscription(
    server_url="https://partner.example/webhooks", events=["*"]
)
# Store the key: no later answer has it.
print(created.subscription.subscription_id, created.secret.key)
