from aviso import Aviso

client = Aviso()
subscription = client.webhooks.update_subscription_status(
    subscription_id, status="Paused"
)
print(subscription.status)
