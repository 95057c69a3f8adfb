from aviso import Aviso

client = Aviso()
user = client.user(user_id)
reply = user.cancellations.get_reply(cancellation_id, reply_id)
print(reply.from_, reply.text)
