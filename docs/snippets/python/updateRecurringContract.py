from datetime import date

from aviso import Aviso

client = Aviso()
user = client.user(user_id)
contract = user.insights.update_recurring_contract(
    subscription_id, contract_start=date(2024, 11, 15)
)
print(contract.contract_start.date, contract.deadline)
