from aviso import Aviso

client = Aviso()
for attempt in client.webhooks.list_delivery_attempts(subscription_id):
    print(attempt.started_at, attempt.event_type, attempt.outcome)
