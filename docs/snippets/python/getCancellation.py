from aviso import Aviso

client = Aviso()
user = client.user(user_id)
cancellation = user.cancellations.get(cancellation_id)
print(cancellation.status, cancellation.channel)
