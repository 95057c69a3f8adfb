"""Receives Aviso's callbacks: verifies, stores and acknowledges each one before processing it.

    python3 -m venv .venv
    .venv/bin/pip install --require-hashes -r requirements.txt
    PORT=8080 WEBHOOK_SECRET=whsec_… .venv/bin/python receiver.py

During a rotation, WEBHOOK_SECRET contains both secrets, separated by a space.
"""

import json
import os
import queue
import sys
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

MAX_BODY = 1 << 20  # far larger than any callback

keys = [Webhook(key) for key in os.environ.get("WEBHOOK_SECRET", "").split()]
if not keys:
    sys.exit("WEBHOOK_SECRET: it is empty")

# In memory only; use a table with eventId as its primary key.
stored = {}
storing = threading.Lock()
work = queue.Queue()


def verify(body, headers):
    """Return the event if one of the keys signed the body within the last five minutes."""
    reason = None
    for key in keys:
        try:
            return key.verify(body, headers)
        except (WebhookVerificationError, ValueError) as error:  # malformed headers raise a ValueError
            reason = error  # try the next key
    print("not acknowledged:", reason, file=sys.stderr, flush=True)
    return None


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds for a client to send the whole body

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return self.answer(400)
        # The signature covers exactly these bytes. JSON that was parsed and
        # serialised again would not match.
        event = verify(self.rfile.read(int(length)), dict(self.headers))
        if event is None:
            return self.answer(401)

        # Store before acknowledging: an acknowledged event is not sent again.
        with storing:
            repeated = event["eventId"] in stored
            stored[event["eventId"]] = event
        self.answer(200, {"isAcknowledged": True, "timestamp": datetime.now(timezone.utc).isoformat()})

        # A duplicate is acknowledged too, but not processed again.
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
        """Do not log each request."""


def apply():
    """Your application starts here."""
    while True:
        event = work.get()
        print(event["occurredAt"], event["eventType"], event["eventId"], flush=True)


threading.Thread(target=apply, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
