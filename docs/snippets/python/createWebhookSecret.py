from aviso import Aviso

client = Aviso()
secret = client.webhooks.create_secret(subscription_id)
# Store the key: no later answer has it.
print(secret.secret_id, secret.key)
