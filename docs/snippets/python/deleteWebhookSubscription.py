from aviso import Aviso

client = Aviso()
client.webhooks.delete_subscription(subscription_id)
