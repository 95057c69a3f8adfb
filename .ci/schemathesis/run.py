"""Tests a local stack with schemathesis: .ci/check schemathesis.

Starts a stack of its own with fresh data and makes users with accounts, letters and a
subscription, so that requests find something. Then it runs schemathesis with the
settings of schemathesis.toml. SEED repeats a run, ARGS are passed on.
"""

import base64
import http.cookiejar
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import yaml

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
DOCUMENTS = [CHECKOUT / "docs" / name for name in ("openapi.yaml", "openapi-internal.yaml")]
FOLDER = CHECKOUT / ".build" / "schemathesis"
MAX_SECONDS = 400
RECEIVER = "http://127.0.0.1:8080/"
LETTER = {
    "locale": "de-DE",
    "parameters": [
        {"fieldKey": "NAME", "fieldValue": "Anna Sommer"},
        {"fieldKey": "ADDRESS", "fieldValue": "Lindenallee 12"},
        {"fieldKey": "ZIP", "fieldValue": "50667"},
        {"fieldKey": "CITY", "fieldValue": "Köln"},
        {"fieldKey": "EMAIL", "fieldValue": "anna.sommer@example.org"},
        {"fieldKey": "CUSTOMER_NUMBER", "fieldValue": "K-204817"},
        {"fieldKey": "DATA_DELETE_REQUEST", "fieldValue": "true"},
    ],
    "signature": {"type": "TEXT", "data": "Anna Sommer"},
}


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Partner:
    """Calls the stack as the first partner of the sandbox and its users do."""

    def __init__(self, base_url):
        self.base_url = base_url
        self.token = None
        policy = http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https"))
        self.opener = urllib.request.build_opener(
            NoRedirect, urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(policy)))

    def open(self, url, form=None, body=None, headers=None, method=None):
        request = urllib.request.Request(
            urllib.parse.urljoin(self.base_url, url), headers=headers or {}, method=method)
        if form is not None:
            request.data = urllib.parse.urlencode(form).encode()
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            return self.opener.open(request, timeout=20)
        except urllib.error.HTTPError as answer:
            if answer.code < 400:
                return answer
            raise RuntimeError(f"{url}: {answer.code} {answer.read().decode()}") from None

    def authenticate(self):
        pair = base64.b64encode(b"sandbox:sandbox-secret").decode()
        with self.open("/oauth2/token", {"grant_type": "client_credentials"},
                       headers={"Authorization": f"Basic {pair}"}) as answer:
            self.token = json.load(answer)["access_token"]

    def call(self, url, body=None, user=None, method=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        if user:
            headers["X-User-Id"] = user
        with self.open(url, body=body, headers=headers, method=method) as answer:
            return json.load(answer)["data"]

    def user(self):
        user = self.call("/identity/v1/users", {"countryCode": "DE", "languageCode": "en"})["user"]["userId"]
        for terms in self.call("/identity/v1/terms")["terms"]:
            self.call(f"/identity/v1/users/{user}/terms-acceptances",
                      {"termsType": terms["termsType"], "version": terms["version"]})
        return user

    def link(self, user, provider):
        body = {"providerId": provider, "returnUrl": "http://localhost:8080/"}
        return self.call("/openbanking/v1/connections", body, user)

    def connect(self, user, provider):
        made = self.link(user, provider)
        page = self.open(made["redirectUrl"]).headers["Location"]
        back = self.open(page, [("persona", "anna"), ("account[]", "current"), ("account[]", "savings"),
                                ("decision", "approve")]).headers["Location"]
        self.open(back)
        for _ in range(300):
            url = f"/openbanking/v1/connections/{made['connectionId']}"
            if not self.call(url, user=user)["connection"]["lastSuccessAt"].startswith("0001"):
                return made["connectionId"]
            time.sleep(0.1)
        raise RuntimeError("the accounts were not read within 30 seconds")


def world(partner):
    """Makes what requests can find. Returns values by the name of their parameter.

    What an operation deletes is under its operationId, apart from the others.
    """
    user = partner.user()
    organization = partner.call("/cancellations/v1/search?searchQuery=vidorma")["organizations"][0]["id"]
    products = partner.call(f"/cancellations/v1/organizations/{organization}/products")["products"]
    letter = LETTER | {"organizationId": organization, "productId": products[0]["productId"], "repeat": True}
    banks = partner.call("/openbanking/v1/providers?countryCode=DE&providerNameFilter=linden")["providers"]
    bank = banks[0]["id"]
    connection = partner.connect(user, bank)
    transactions = partner.call("/openbanking/v1/transactions?limit=50", user=user)["transactions"]
    subscription, spare_subscription = (
        partner.call("/webhooks/v1/subscriptions", {"serverUrl": RECEIVER, "events": ["*"]}) for _ in range(2))
    letters = [partner.call("/cancellations/v1/cancellations", letter, user) for _ in range(2)]
    return letter, {
        "X-User-Id": [user],
        "userId": [partner.user() for _ in range(2)],
        "providerId": [bank],
        "connectionId": [connection],
        "accountId": [a["accountId"] for a in partner.call("/openbanking/v1/accounts", user=user)["accounts"]],
        "transactionId": [t["id"] for t in transactions[:5]],
        "categoryId": sorted({t["category"]["categoryId"] for t in transactions}),
        "merchantId": sorted({t["merchant"]["id"] for t in transactions} - {""})[:3],
        "organizationId": [organization],
        "productId": [letter["productId"]],
        "cancellationId": [c["cancellation"]["cancellationId"] for c in letters],
        "subscriptionId": [subscription["subscription"]["subscriptionId"]],
        "secretId": [subscription["secret"]["secretId"]],
        "erasureId": [partner.call(f"/identity/v1/users/{partner.user()}", method="DELETE")["erasure"]["erasureId"]],
        "serverUrl": [RECEIVER],
        "returnUrl": ["http://localhost:8080/"],
        "deleteUser": [partner.user() for _ in range(4)],
        "deleteConnection": [partner.link(user, bank)["connectionId"] for _ in range(4)],
        "deleteWebhookSubscription": [spare_subscription["subscription"]["subscriptionId"]],
    }


def document_for(values, letter):
    """Returns both documents in one, with examples that exist on this stack, for schemathesis."""
    document, internal = (yaml.safe_load(d.read_text()) for d in DOCUMENTS)
    document["paths"] |= internal["paths"]
    document["components"]["schemas"] |= internal["components"]["schemas"]
    for path in document["paths"].values():
        for operation in path.values():
            own = values.get(operation["operationId"])
            for parameter in operation.get("parameters", []):
                known = own if own and parameter["in"] == "path" else values.get(parameter["name"])
                if known:
                    parameter["example"] = known[0]
                    parameter["schema"].pop("examples", None)
            for media in operation.get("requestBody", {}).get("content", {}).values():
                body = media.get("example", {})
                body.update({name: values[name][0] for name in body if name in values})
    for name, schema in document["components"]["schemas"].items():
        if not name.endswith("Request"):
            close(schema)
    cancel = document["paths"]["/cancellations/v1/cancellations"]["post"]
    cancel["requestBody"]["content"]["application/json"]["example"] = letter
    return document


def close(schema):
    """Closes the schema of an answer: this version must document what it sends."""
    if "x-extensible-enum" in schema:
        schema["enum"] = schema["x-extensible-enum"]
    if "properties" in schema:
        schema.setdefault("additionalProperties", False)
    for member in schema.get("properties", {}).values():
        close(member)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(port):
    with open(FOLDER / "stack.log", "wb") as log:
        stack = subprocess.Popen(
            [CHECKOUT / ".build" / "localstack"], stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            env=os.environ | {"PORT": str(port), "DATA_DIR": str(FOLDER / "data"),
                              "RATE_LIMIT_PER_MINUTE": "100000000"})
    for _ in range(600):
        if stack.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return stack
        time.sleep(0.1)
    stack.terminate()
    sys.exit((FOLDER / "stack.log").read_text())


def run(port):
    base_url = f"http://127.0.0.1:{port}"
    partner = Partner(base_url)
    partner.authenticate()
    letter, values = world(partner)
    for name, known in values.items():
        (FOLDER / f"{name}.dict").write_text("".join(f'"{value}"\n' for value in known))
    document = FOLDER / "openapi.json"
    document.write_text(json.dumps(document_for(values, letter)))
    seed = os.environ.get("SEED") or str(random.randrange(1 << 32))
    print(f"SEED={seed} repeats this run.", flush=True)
    command = ["schemathesis", "--config-file", str(HERE / "schemathesis.toml"), "run", str(document),
               "--url", base_url, "--seed", seed, *shlex.split(os.environ.get("ARGS", ""))]
    return subprocess.run(
        [pathlib.Path(sys.executable).parent / command[0], *command[1:]], cwd=FOLDER, timeout=MAX_SECONDS,
        env=os.environ | {"TOKEN": partner.token, "PYTHONPATH": str(HERE)}).returncode


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    port = free_port()
    stack = start(port)
    try:
        return run(port)
    finally:
        stack.send_signal(signal.SIGINT)
        stack.wait()


if __name__ == "__main__":
    sys.exit(main())
