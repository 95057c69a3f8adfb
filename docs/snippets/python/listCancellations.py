from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for cancellation in user.cancellations.list():
    print(cancellation.cancellation_id, cancellation.status)
