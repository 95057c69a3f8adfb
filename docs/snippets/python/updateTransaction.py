from aviso import Aviso

client = Aviso()
user = client.user(user_id)
transaction = user.transactions.update(transaction_id, category_id=521)
print(transaction.category.category_name, transaction.category.subcategory_name)
