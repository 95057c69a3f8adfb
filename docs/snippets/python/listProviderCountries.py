from aviso import Aviso

client = Aviso()
for country in client.providers.list_countries():
    print(country.country_code, country.provider_count)
