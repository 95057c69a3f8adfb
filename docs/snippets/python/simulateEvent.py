from aviso import Aviso

client = Aviso()
event = client.webhooks.simulate_event(
    event_type="webhook.ping", subscription_id=subscription_id
)
print(event.event_id, event.event_type)
