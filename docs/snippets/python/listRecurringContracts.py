from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for contract in user.insights.list_recurring_contracts():
    print(contract.subscription_id, contract.merchant.name, contract.amount)
