from aviso import Aviso

client = Aviso()
user = client.user(user_id)
# The address of the user, who is present: banks limit reads without one.
connection = user.connections.refresh(connection_id, psu_ip_address="203.0.113.7")
print("Next refresh from", connection.next_refresh_possible_at)
