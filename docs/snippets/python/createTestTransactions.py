from decimal import Decimal

from aviso import Aviso, models

client = Aviso()
user = client.user(user_id)
row = models.TestTransaction(
    amount=Decimal("-17.99"), counterparty="Vidorma", note="VIDORMA 4711"
)
result = user.sandbox.create_test_transactions(
    account_id=account_id, transactions=[row]
)
print(result.added)
