from aviso import Aviso

client = Aviso()
product = client.catalogue.get_product(organization_id, product_id, locale="de-DE")
for field in product.template:
    print(field.field_key, field.label)
