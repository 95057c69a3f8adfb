from aviso import Aviso

client = Aviso()
user = client.user(user_id)
transaction = user.transactions.get(transaction_id)
print(transaction.amount, transaction.currency_code, transaction.category.category_name)
