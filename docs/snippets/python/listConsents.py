from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for consent in user.connections.list_consents(connection_id):
    print(consent.consent_status, consent.text)
