from aviso import Aviso

client = Aviso()
client.webhooks.delete_secret(subscription_id, secret_id)
