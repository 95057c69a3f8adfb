from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for reply in user.cancellations.list_replies(cancellation_id):
    print(reply.reply_id, reply.kind)
