"""Takes Aviso's callbacks: verifies, stores, acknowledges, and only then works.

    python3 -m venv .venv
    .venv/bin/pip install --require-hashes -r requirements.txt
    PORT=8080 WEBHOOK_SECRET=whsec_… .venv/bin/python receiver.py

While secrets are rotated, WEBHOOK_SECRET holds both, with a space between.
"""

import json
import os
import queue
import sys
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

MAX_BODY = 1 << 20  # far more than a callback has

keys = [Webhook(key) for key in os.environ.get("WEBHOOK_SECRET", "").split()]
if not keys:
    sys.exit("WEBHOOK_SECRET: there is none")

# Stands for a table whose primary key is eventId.
stored = {}
storing = threading.Lock()
work = queue.Queue()


def verify(body, headers):
    """The event, if one of the keys has signed the body within the last five minutes."""
    for key in keys:
        try:
            return key.verify(body, headers)
        except (WebhookVerificationError, ValueError):  # ill-formed headers are a ValueError
            pass
    return None


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds for a client to send what it announced

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return self.answer(400)
        # The signature is of these bytes: JSON that was parsed and written anew
        # would not match.
        event = verify(self.rfile.read(int(length)), dict(self.headers))
        if event is None:
            return self.answer(401)

        # Store before acknowledging: an acknowledged event does not come again.
        with storing:
            repeated = event["eventId"] in stored
            stored[event["eventId"]] = event
        self.answer(200, {"isAcknowledged": True, "timestamp": datetime.now(timezone.utc).isoformat()})

        # A repetition is acknowledged as well, and does nothing else.
        if not repeated:
            work.put(event)

    def answer(self, status, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Keeps quiet about each request."""


def apply():
    """Where your application begins."""
    while True:
        event = work.get()
        print(event["occurredAt"], event["eventType"], event["eventId"], flush=True)


threading.Thread(target=apply, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
