from pathlib import Path

from aviso import Aviso

client = Aviso()
user = client.user(user_id)
Path("letter.pdf").write_bytes(user.cancellations.get_letter(cancellation_id))
