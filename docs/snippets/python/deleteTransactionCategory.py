from aviso import Aviso

client = Aviso()
user = client.user(user_id)
user.transactions.delete_category(transaction_id)
