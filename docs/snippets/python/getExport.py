from aviso import Aviso

client = Aviso()
export = client.users.get_export(user_id, export_id)
print(export.expires_at, len(export.files))
