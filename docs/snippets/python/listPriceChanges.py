from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for change in user.insights.list_price_changes(locale="de-DE"):
    print(change.since, change.percent, change.special_right.text)
