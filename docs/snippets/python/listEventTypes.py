from aviso import Aviso

client = Aviso()
for event_type in client.webhooks.list_event_types():
    print(event_type.event_type, event_type.description)
