from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for saving in user.insights.list_savings():
    print(saving.currency_code, saving.yearly_saving, saving.saved_so_far)
