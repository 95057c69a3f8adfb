from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for transaction in user.transactions.list(limit=100):
    # The amount is an exact Decimal.
    print(transaction.id, transaction.amount, transaction.note)
