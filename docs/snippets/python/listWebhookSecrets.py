from aviso import Aviso

client = Aviso()
for secret in client.webhooks.list_secrets(subscription_id):
    print(secret.secret_id, secret.status, secret.created_at)
