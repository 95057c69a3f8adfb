from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for insight in user.insights.list_merchant_insights().data.insights:
    print(insight.merchant.name, insight.amount, insight.currency_code)
