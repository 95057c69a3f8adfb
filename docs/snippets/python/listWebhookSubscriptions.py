from aviso import Aviso

client = Aviso()
for subscription in client.webhooks.list_subscriptions():
    print(subscription.subscription_id, subscription.server_url, subscription.status)
