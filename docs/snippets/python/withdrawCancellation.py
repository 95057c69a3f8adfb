from aviso import Aviso

client = Aviso()
user = client.user(user_id)
cancellation = user.cancellations.withdraw(cancellation_id)
print(cancellation.status)
