#!/usr/bin/env python3
"""Reads docs/openapi.yaml and prints it as the templates beside this file want it.

A template has no logic of its own, so everything that needs some is decided here and
handed over as an x-… extension: the group and the name of a method, what it returns,
and which schemas are requests or events.
"""

import json
import re
import sys

import yaml

# The client gets tokens itself, and nobody calls the document through it.
SKIPPED_TAGS = {"Authentication", "Document"}
VERBS = "list|get|find|create|update|delete|accept|reconnect|refresh|withdraw"


def reference(schema):
    return schema.get("$ref", "").rpartition("/")[2]


def text(description):
    """One line that is safe in a Javadoc comment."""
    words = " ".join((description or "").split())
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("*/", "*&#47;")
    return re.sub(r"`([^`]*)`", r"{@code \1}", words).replace("@param", "&#64;param")


def constant(*words):
    joined = "_".join(re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", word) for word in words)
    return joined.strip("_").upper()


def known_values(schema):
    for at in (schema, schema.get("items") or {}, *schema.get("oneOf", [])):
        values = at.pop("x-extensible-enum", None) or at.pop("enum", None)
        if values:
            return [value for value in values if value is not None]
    return []


def prepare_schemas(document):
    schemas = document["components"]["schemas"]
    base = {name: schema for name, schema in schemas["WebhookPingEvent"]["properties"].items() if name != "data"}
    schemas["UnknownEvent"] = {
        "type": "object",
        "description": "An event of a type that this version of the client does not know.",
        "required": list(base) + ["data"],
        "properties": json.loads(json.dumps(base)) | {"data": {"type": "object", "additionalProperties": True}},
    }
    events = {}
    for event_type, item in document.pop("webhooks").items():
        name = reference(item["post"]["requestBody"]["content"]["application/json"]["schema"])
        events[name] = event_type
    for name, schema in schemas.items():
        if name == "UnknownEvent" or name in events:
            schema["x-event"] = True
            schema["x-event-type"] = events.get(name)
        schema["x-request"] = schema.pop("additionalProperties", None) is False
        schema["x-text"] = text(schema.get("description"))
        for member, described in schema.get("properties", {}).items():
            described["x-text"] = text(described.get("description"))
            described["x-constants"] = [
                {"name": constant(member, value), "value": value} for value in known_values(described)
            ]
    return schemas


def result(operation, schemas, paged):
    """What a method returns: its Java type, and how it gets there from the answer."""
    answers = [operation["responses"][status] for status in ("200", "201", "202") if status in operation["responses"]]
    if not answers:
        return {"none": True, "type": "void"}
    content = answers[0]["content"]
    if "application/json" not in content:
        return {"bytes": True, "type": "byte[]"}
    envelope = reference(content["application/json"]["schema"])
    data = reference(schemas[envelope]["properties"]["data"])
    members = schemas[data]["properties"]
    found = {"one": True, "envelope": envelope, "type": data, "path": "data()"}
    if len(members) == 1:
        (member, schema), = members.items()
        found["path"] = f"data().{member}()"
        if schema.get("type") == "array":
            item = reference(schema["items"])
            found["type"] = f"Pages<{item}>" if paged else f"List<{item}>"
            found["item"] = item
        else:
            found["type"] = reference(schema)
    elif paged:
        found = {"one": True, "envelope": envelope, "type": envelope, "path": None}
    if found["type"].startswith("Pages<"):
        found = {key: value for key, value in found.items() if key != "one"} | {"pages": True}
    return found


def prepare_operation(path, method, operation, document):
    shared = document["components"]["parameters"]
    parameters = [shared[reference(p)] if "$ref" in p else p for p in operation.get("parameters", [])]
    names = {p["name"] for p in parameters}
    in_path = [p["name"] for p in parameters if p["in"] == "path"]
    group = operation["tags"][0]
    for_user = "X-User-Id" in names or (in_path[:1] == ["userId"] and group != "Users")
    singular = group.removesuffix("s")
    operation_id = operation["operationId"]
    name = re.sub(rf"^({VERBS}){singular}s?(?=[A-Z]|$)", r"\1", operation_id)
    options = []
    for parameter in parameters:
        kind = parameter["in"]
        if kind == "path" or parameter["name"] in ("X-User-Id", "X-Request-Id"):
            continue
        schema = parameter["schema"]
        words = parameter["name"].removeprefix("X-").split("-")
        member = words[0][:1].lower() + words[0][1:] + "".join(words[1:])
        java = {"integer": "int", "boolean": "boolean"}.get(schema.get("type"), "String")
        if schema.get("format") == "date":
            java = "LocalDate"
        values = known_values(schema)
        options.append({
            "name": parameter["name"], "member": member, "java": java, "in": kind,
            "text": text(parameter.get("description")),
            "constants": [{"name": constant(member, value), "value": value} for value in values],
        })
    body = operation.get("requestBody")
    arguments = [{"java": "String", "name": p} for p in in_path if not (for_user and p == "userId")]
    body_type = reference(body["content"]["application/json"]["schema"]) if body else ""
    empty_body = bool(body) and not document["components"]["schemas"][body_type].get("properties")
    if body and not empty_body:
        arguments.append({"java": body_type, "name": "body"})
    describes = {p["name"]: text(p.get("description")) for p in parameters}
    for argument in arguments:
        argument["text"] = describes.get(argument["name"], "what to send")
    returned = result(operation, document["components"]["schemas"], "nextToken" in names)
    keyed = "Idempotency-Key" in names
    options_type = "KeyedOptions" if keyed else "PlainOptions"
    own = [option for option in options if option["name"] != "Idempotency-Key"]
    if own:
        options_type = operation_id[0].upper() + operation_id[1:] + "Options"
    return ("User" + group if for_user else group), {
        "name": name, "method": method.upper(), "path": path, "group": group,
        "accessor": group[0].lower() + group[1:], "forUser": for_user,
        "summary": text(operation.get("summary")), "text": text(operation.get("description")),
        "deprecated": operation.get("deprecated", False),
        "arguments": arguments, "plainArguments": ", ".join(a["name"] for a in arguments),
        "signature": ", ".join(f"{a['java']} {a['name']}" for a in arguments),
        "pathArguments": in_path, "sender": "userId" if "X-User-Id" in names else "null",
        "hasArguments": bool(arguments), "body": bool(body), "emptyBody": empty_body, "keyed": keyed, "options": own,
        "optionsType": options_type, "hasOptions": bool(own), "result": returned,
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = yaml.load(file, yaml.CSafeLoader)
    prepare_schemas(document)
    groups = {tag["name"]: text(tag["description"]) for tag in document["tags"]}
    for path, methods in list(document["paths"].items()):
        for method, operation in list(methods.items()):
            if SKIPPED_TAGS & set(operation["tags"]) or operation["operationId"] == "sendTestMail":  # a mail, not JSON
                del methods[method]
                continue
            group, prepared = prepare_operation(path, method, operation, document)
            operation["tags"] = [group]
            operation["x-method"] = prepared | {"groupText": groups[prepared["group"]]}
        if not methods:
            del document["paths"][path]
    yaml.dump(document, sys.stdout, yaml.CSafeDumper, sort_keys=False, allow_unicode=True)


main()
