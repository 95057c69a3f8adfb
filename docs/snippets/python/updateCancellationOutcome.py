from datetime import date

from aviso import Aviso, ConflictError

client = Aviso()
user = client.user(user_id)
try:
    cancellation = user.cancellations.update_outcome(
        cancellation_id, status="Confirmed", end_date=date(2027, 1, 31)
    )
    print(cancellation.status)
except ConflictError:
    print("The cancellation is not waiting for an answer.")
