from aviso import Aviso

client = Aviso()
subscription = client.webhooks.update_subscription(
    subscription_id, events=["connection.expired", "cancellation.sent"]
)
print(subscription.events)
