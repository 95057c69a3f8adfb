from aviso import Aviso

client = Aviso()
bank = client.providers.get(provider_id)
print(bank.name, bank.status, bank.supported_account_types)
