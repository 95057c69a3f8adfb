from aviso import Aviso

client = Aviso()
user = client.user(user_id)
clock = user.sandbox.advance_clock(advance_by="P1M")
print(clock.status, "until", clock.advanced_to)
