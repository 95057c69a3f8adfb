from aviso import Aviso

client = Aviso()
user = client.user(user_id)
portion = user.transactions.list_changes(limit=100)
while portion.changes:
    for change in portion.changes:
        print(change.change, change.transaction_id)
    portion = user.transactions.list_changes(since=portion.since, limit=100)
print("Next time, begin with", portion.since)
