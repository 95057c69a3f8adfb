from aviso import Aviso

client = Aviso()
subscription = client.webhooks.get_subscription(subscription_id)
print(subscription.server_url, subscription.events, subscription.status)
