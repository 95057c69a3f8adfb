from aviso import Aviso

client = Aviso()
user = client.user(user_id)
acceptance = user.terms.accept(terms_type="Operator", version="2026-01")
print(acceptance.terms_type, acceptance.accepted_at)
