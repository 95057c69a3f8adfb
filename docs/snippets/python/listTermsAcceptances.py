from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for acceptance in user.terms.list_acceptances():
    print(acceptance.terms_type, acceptance.version, acceptance.accepted_at)
