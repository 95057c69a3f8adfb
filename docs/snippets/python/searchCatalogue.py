from aviso import Aviso

client = Aviso()
found = client.search.catalogue(search_query="vidorma").data
for organization in found.organizations:
    print(organization.id, organization.name)
for product in found.products:
    print(product.product_id, product.name)
