from http.server import BaseHTTPRequestHandler, HTTPServer

from aviso import Aviso, Event, acknowledgement, verify

client = Aviso()  # reads AVISO_BASE_URL, AVISO_CLIENT_ID and AVISO_CLIENT_SECRET
user = client.user(client.users.create(country_code="DE", language_code="en").user_id)
for terms in client.terms.list():  # once your customer has accepted them
    user.terms.accept(terms_type=terms.terms_type, version=terms.version)


class Receiver(BaseHTTPRequestHandler):
    def do_GET(self, answer: bytes = b"Thank you.") -> None:  # the user, back from the bank
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def do_POST(self) -> None:
        events.append(verify(self.rfile.read(int(self.headers["Content-Length"])), self.headers, hook.secret.key))
        self.do_GET(acknowledgement())


here, server, events = "http://localhost:8090/", HTTPServer(("localhost", 8090), Receiver), list[Event]()
hook = client.webhooks.create_subscription(server_url=here, events=["connection.refreshed"])
bank = client.providers.list(provider_name_filter="linden").page().items[0]
print("Open this link:", user.connections.create(provider_id=bank.id, return_url=here).redirect_url, flush=True)
while user.id not in [event.user_id for event in events]:  # a simulated event has no user
    server.handle_request()
print(events[-1].event_type, *(f"{t.amount:>9} {t.note}" for t in user.transactions.list()), sep="\n")
client.webhooks.delete_subscription(hook.subscription.subscription_id)
