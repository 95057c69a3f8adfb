from aviso import Aviso

client = Aviso()
export = client.users.create_export(user_id)
print(export.export_id)
for file in export.files:
    print(file.name, file.url)
