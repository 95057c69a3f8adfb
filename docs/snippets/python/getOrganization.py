from aviso import Aviso

client = Aviso()
organization = client.catalogue.get_organization(organization_id)
print(organization.name, organization.locales)
