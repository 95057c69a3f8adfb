from pathlib import Path

from aviso import Aviso

client = Aviso()
user = client.user(user_id)
mail = user.cancellations.get_raw_reply(cancellation_id, reply_id)
Path("reply.eml").write_bytes(mail)
