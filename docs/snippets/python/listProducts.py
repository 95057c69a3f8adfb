from aviso import Aviso

client = Aviso()
for product in client.catalogue.list_products(organization_id):
    print(product.product_id, product.name)
