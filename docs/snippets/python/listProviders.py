from aviso import Aviso

client = Aviso()
for bank in client.providers.list(country_code="DE", provider_name_filter="linden"):
    print(bank.id, bank.name)
