from http.server import BaseHTTPRequestHandler, HTTPServer

from aviso import Aviso, Event, acknowledgement, verify

client = Aviso()  # reads AVISO_BASE_URL, AVISO_CLIENT_ID and AVISO_CLIENT_SECRET
user = client.user(client.users.create(country_code="DE", language_code="en").user_id)
for terms in client.terms.list():  # once your customer has accepted them
    user.terms.accept(terms_type=terms.terms_type, version=terms.version)
events: list[Event] = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        events.append(verify(body, self.headers, hook.secret.key))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(acknowledgement())


server = HTTPServer(("127.0.0.1", 0), Receiver)  # at any free port
url = f"http://127.0.0.1:{server.server_port}/"
hook = client.webhooks.create_subscription(server_url=url, events=["connection.refreshed"])
bank = client.providers.list(provider_name_filter="linden").page().items[0]
link = user.connections.create(provider_id=bank.id, return_url="http://localhost:8080/")
print("Open this link, and approve:", link.redirect_url, flush=True)
while not events:
    server.handle_request()
print(events[0].event_type, *(f"{t.amount:>9} {t.note}" for t in user.transactions.list()), sep="\n")
