from pathlib import Path

from aviso import Aviso

client = Aviso()
user = client.user(user_id)
Path("evidence.zip").write_bytes(user.cancellations.get_evidence(cancellation_id))
