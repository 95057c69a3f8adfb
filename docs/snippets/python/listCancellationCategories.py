from aviso import Aviso

client = Aviso()
for category in client.catalogue.list_cancellation_categories():
    print(category.id, category.name)
