from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for objection in user.cancellations.list_objections(cancellation_id):
    print(objection.objection_id, objection.status)
