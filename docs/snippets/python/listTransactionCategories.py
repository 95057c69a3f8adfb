from aviso import Aviso

client = Aviso()
for category in client.transactions.list_categories():
    print(category.category_name, [s.subcategory_name for s in category.subcategories])
