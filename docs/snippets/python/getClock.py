import time

from aviso import Aviso

client = Aviso()
user = client.user(user_id)
clock = user.sandbox.get_clock()
while clock.status == "Advancing":
    time.sleep(1)
    clock = user.sandbox.get_clock()
print("The user's time is", clock.now)
