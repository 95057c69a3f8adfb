from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for account in user.accounts.list():
    print(account.account_id, account.account_name, account.balance)
