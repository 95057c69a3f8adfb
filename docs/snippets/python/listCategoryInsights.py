from aviso import Aviso

client = Aviso()
user = client.user(user_id)
for insight in user.insights.list_category_insights().data.insights:
    print(insight.category.name, insight.amount, insight.currency_code)
