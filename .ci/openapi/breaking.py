"""Compares docs/openapi.yaml with the last release's document, for what breaks clients.

First it rehearses: it changes a small document in known ways, and checks that the
comparison finds those that break clients, and no others.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).parents[2]

# docs/versioning.md promises a year between the announcement and the end.
NOTICE_DAYS = 365

# oasdiff's level of what breaks clients.
ERROR = 3

# What oasdiff judges otherwise by default.
LEVELS = """\
api-operation-id-removed err
api-schema-removed err
optional-response-header-removed err
request-parameter-removed err
request-property-removed err
response-media-type-name-changed err
response-optional-property-removed err
"""

SMALL = """
openapi: 3.1.0
info: {title: Small, version: 1.0.0}
paths:
  /accounts:
    get:
      operationId: listAccounts
      security: [{oauth2: [pfm]}]
      responses:
        "200":
          description: OK
          headers: {RateLimit: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}
    post:
      operationId: createAccount
      deprecated: true
      x-sunset: "2999-01-01"
      parameters: [{name: locale, in: query, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                note: {type: [string, "null"], maxLength: 70}
                kind: {enum: [Current, Savings], type: string}
      responses: {"201": {description: Created}}
webhooks:
  synced:
    post:
      operationId: onSynced
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}}
      responses: {"200": {description: Taken}}
components:
  schemas:
    Account:
      type: object
      required: [accountId, type]
      properties:
        accountId: {type: string}
        type: {x-extensible-enum: [Card, Loan], type: string}
        source: {enum: [Bank, Partner], type: string}
        iban: {type: [string, "null"]}
    Bank: {type: object}
  securitySchemes:
    oauth2: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {pfm: Banks, identity: Users}}}}
"""

ACCOUNT = "components schemas Account"
MEMBERS = ACCOUNT + " properties"
LIST = "paths /accounts get"
CREATE = "paths /accounts post"
REQUEST = CREATE + " requestBody content application/json schema"
NOTE, KIND = REQUEST + " properties note", REQUEST + " properties kind"
LOCALE = {"name": "locale", "in": "query", "schema": {"type": "string"}}
NEW = {"name": "new", "in": "query", "schema": {"type": "string"}}
STRING = {"type": "string"}
GONE = object()

# What changes, where, to what, and what oasdiff calls it if it breaks clients.
CHANGES = [
    ("an answer's member is removed", MEMBERS + " iban", GONE, "response-optional-property-removed"),
    ("an answer's member becomes optional", ACCOUNT + " required", ["accountId"], "response-property-became-optional"),
    ("an answer's member has another type", MEMBERS + " accountId type", "integer", "response-property-type-changed"),
    ("an answer has another value, but its values are closed", MEMBERS + " source enum", ["Bank", "Partner", "Rule"],
     "response-property-enum-value-added"),
    ("an answer's header is removed", LIST + " responses 200 headers", {}, "optional-response-header-removed"),
    ("a request needs another member", REQUEST + " required", ["note"], "request-property-became-required"),
    ("a request's member is removed", NOTE, GONE, "request-property-removed"),
    ("a request's member has another type", NOTE + " type", ["integer", "null"], "request-property-type-changed"),
    ("a request's limit is lower", NOTE + " maxLength", 9, "request-property-max-length-decreased"),
    ("a request's value is removed", KIND + " enum", ["Current"], "request-property-enum-value-removed"),
    ("a parameter is removed", CREATE + " parameters", [], "request-parameter-removed"),
    ("another parameter is required", CREATE + " parameters", [LOCALE, {**NEW, "required": True}],
     "new-required-request-parameter"),
    ("another scope is needed", LIST + " security", [{"oauth2": ["identity"]}], "api-security-scope-added"),
    ("an operation is renamed", LIST + " operationId", "getAccounts", "api-operation-id-removed"),
    ("an operation is removed", LIST, GONE, "api-removed-without-deprecation"),
    ("an operation is removed before its sunset", CREATE, GONE, "api-removed-before-sunset"),
    ("an operation is deprecated without a sunset", LIST + " deprecated", True, "api-deprecated-sunset-missing"),
    ("a schema is removed", "components schemas Bank", GONE, "api-schema-removed"),
    ("an event is removed", "webhooks synced", GONE, "api-path-removed-without-deprecation"),
    ("an answer has another member", MEMBERS + " bic", STRING, None),
    ("an answer's member is always there", ACCOUNT + " required", ["accountId", "type", "iban"], None),
    ("an answer has another value", MEMBERS + " type x-extensible-enum", ["Card", "Loan", "Depot"], None),
    ("a request may have another member", REQUEST + " properties name", STRING, None),
    ("a request may have another value", KIND + " enum", ["Current", "Savings", "Shared"], None),
    ("a request's limit is higher", NOTE + " maxLength", 140, None),
    ("another parameter is possible", CREATE + " parameters", [LOCALE, NEW], None),
    ("another operation", "paths /banks", {"get": {"responses": {"200": {"description": "OK"}}}}, None),
]


def answered(doc):
    """Makes webhooks answers: oasdiff takes their bodies for requests, but the service sends them."""
    for name, item in doc.pop("webhooks", {}).items():
        event = item["post"]
        answer = {"description": "The callback.", "content": event["requestBody"]["content"]}
        doc["paths"][f"/webhook/{name}"] = {"get": {"operationId": event["operationId"], "responses": {"200": answer}}}
    return doc


def changed(path, value):
    """Returns the small document with another value at the path."""
    doc = yaml.safe_load(SMALL)
    *steps, last = path.split()
    place = doc
    for step in steps:
        place = place[step]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return doc


def breaking(before, after, folder):
    """Returns what oasdiff finds that breaks clients."""
    files = [folder / "before.json", folder / "after.json"]
    for file, doc in zip(files, [before, after]):
        file.write_text(json.dumps(answered(doc), default=str))
    levels = folder / "levels.txt"
    levels.write_text(LEVELS)
    run = subprocess.run(
        [ROOT / ".tools/bin/oasdiff", "breaking", *files, "--format=json", f"--severity-levels={levels}",
         f"--deprecation-days-stable={NOTICE_DAYS}"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"oasdiff: {run.stderr}")
    return [found for found in json.loads(run.stdout) if found["level"] == ERROR]


def rehearse(folder):
    for what, path, value, expected in CHANGES:
        found = {f["id"] for f in breaking(yaml.safe_load(SMALL), changed(path, value), folder)}
        if found != ({expected} if expected else set()):
            sys.exit(f"rehearsal: {what}: oasdiff finds {found or 'nothing'}, not {expected}")
    print(f"Rehearsed {len(CHANGES)} changes.")


def load(file):
    return yaml.load((ROOT / file).read_text(), Loader=yaml.CSafeLoader)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rehearse(folder)
        found = breaking(load(".ci/openapi/released.yaml"), load("docs/openapi.yaml"), folder)
    for f in found:
        print(f"{f.get('operation', '')} {f.get('path', '')}: {f['text']} [{f['id']}]".strip(), file=sys.stderr)
    if found:
        sys.exit("These changes break clients of the released API: docs/versioning.md says what to do.")
    print("docs/openapi.yaml keeps what the released API has.")


main()
