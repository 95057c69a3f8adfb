from aviso import Aviso

client = Aviso()
for organization in client.catalogue.list_organizations():
    print(organization.id, organization.name)
