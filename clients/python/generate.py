"""Generates the core of the package from docs/openapi.yaml: `make clients`.

models.py comes from datamodel-code-generator, and _async/operations.py and _events.py from here: generators of
whole Python clients write about 400 lines per operation, which hide what is worth reading. _sync is _async
without its async and await.
"""

import copy
import json
import keyword
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "aviso"
MARK = "# Generated from {} by `make clients`; do not edit.\n"

# The client fetches tokens itself, and a program does not read the document.
OWN_TAGS = {"Authentication", "Document", "Events"}
OWN_PARAMETERS = {"X-Request-Id", "X-User-Id", "Idempotency-Key", "nextToken"}

# The service checks values. A client that checked them too would refuse what a later version allows.
CONSTRAINTS = {
    "examples", "example", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "pattern",
}  # fmt: skip
SCALARS = {"boolean": "bool", "integer": "int", "number": "Decimal", "string": "str"}
FORMATS = {"date": "date", "date-time": "datetime"}

MODEL_OPTIONS = [
    "--input-file-type=openapi",
    "--output-model-type=pydantic_v2.BaseModel",
    "--target-python-version=3.10",
    "--base-class=aviso._model.Model",
    "--snake-case-field",
    "--alias-generator=to_camel",
    "--enum-field-as-literal=all",
    "--use-schema-description",
    "--use-field-description",
    "--use-annotated",
    "--collapse-root-models",  # an amount is a Decimal
    "--use-standard-collections",
    "--disable-timestamp",
    "--formatters=builtin",
]

# What is different in the sync client, where the names of Python and httpx say async.
TO_SYNC = [
    (r"\b(async|await) ", ""),
    (r"\basync_(?=\w)", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(?=(iter|enter|exit)__)", "__"),
    (r"\ba(?=(close|iter_bytes)\b)", ""),
    (r"\bAwaitable\[(\w+(\[\w+\])?)\]", r"\1"),
    (r"\bTasks of one event loop\b", "Threads"),
]

Json = dict[str, Any]


def main() -> None:
    document = yaml.safe_load((HERE / "../../docs/openapi.yaml").read_text())
    # A test mail is not JSON: httpx sends it.
    operations = [o for o in read_operations(document) if o.tag not in OWN_TAGS and not o.path.endswith("/mail")]
    events = {name: item["post"] for name, item in document["webhooks"].items()}
    write_models(document, operations, events)
    write("_async/operations.py", operations_text(operations))
    write("_events.py", events_text(events))
    for module in ("client.py", "groups.py", "operations.py", "transport.py"):
        write(f"_sync/{module}", without_async((PACKAGE / "_async" / module).read_text()), f"_async/{module}")


class Operation:
    def __init__(self, document: Json, path: str, method: str, text: Json) -> None:
        self.document, self.path, self.method, self.text = document, path, method, text
        self.tag: str = text["tags"][0]
        self.parameters = [resolve(document, p) for p in text.get("parameters", [])]
        names = {p["name"] for p in self.parameters}
        self.takes_key = "Idempotency-Key" in names
        self.paged = "nextToken" in names
        in_users_path = "{userId}" in path and self.tag != "Users"
        self.of_user = "X-User-Id" in names or in_users_path
        self.path_names = [n for n in re.findall(r"{(\w+)}", path) if not (in_users_path and n == "userId")]
        body = text.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        self.has_body = body is not None
        self.body: Json = resolve(document, body or {})
        self.class_name = ("User" if self.of_user else "") + self.tag

    @property
    def name(self) -> str:
        """The operation's name without what its group says: listProviders is providers.list."""
        verb, rest = re.fullmatch(r"([a-z]+)(\w*)", self.text["operationId"]).groups()  # type: ignore[union-attr]
        if verb == self.tag.lower():
            return snake(rest)
        if rest.startswith(self.tag):
            rest = rest.removeprefix(self.tag)
        else:
            rest = rest.removeprefix(self.tag.removesuffix("s"))
        return snake(verb + rest)

    @property
    def answer(self) -> Json | None:
        """The schema of the success, or None if there is no body."""
        successes = [r for status, r in self.text["responses"].items() if status.startswith("2")]
        contents = [c["schema"] for s in successes for c in resolve(self.document, s).get("content", {}).values()]
        return contents[0] if contents else None

    def query(self) -> list[Json]:
        return [p for p in self.parameters if p["in"] == "query" and p["name"] not in OWN_PARAMETERS]

    def headers(self) -> list[Json]:
        return [p for p in self.parameters if p["in"] == "header" and p["name"] not in OWN_PARAMETERS]


def read_operations(document: Json) -> Iterator[Operation]:
    for path, item in document["paths"].items():
        for method, text in item.items():
            if isinstance(text, dict) and "operationId" in text:
                yield Operation(document, path, method.upper(), text)


def resolve(document: Json, item: Json) -> Json:
    while "$ref" in item:
        found = document
        for part in item["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        item = found
    return item


def snake(name: str) -> str:
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("-", "_")).lower()
    return name + "_" if keyword.iskeyword(name) else name


# The models.


def write_models(document: Json, operations: list[Operation], events: Json) -> None:
    answers = [o.answer for o in operations if o.answer]
    parts = [o.body.get("properties", {}) for o in operations]
    schemas = reachable(document, [answers, parts, events, {"$ref": "#/components/schemas/Problem"}])
    with tempfile.TemporaryDirectory() as folder:
        prepared = pathlib.Path(folder, "openapi.json")
        components = {"schemas": {name: simplify(schema) for name, schema in schemas.items()}}
        info = {"title": "Aviso", "version": "1"}
        prepared.write_text(json.dumps({"openapi": "3.1.0", "info": info, "paths": {}, "components": components}))
        command = [
            tool("datamodel-codegen"),
            f"--input={prepared}",
            f"--output={PACKAGE / 'models.py'}",
            *MODEL_OPTIONS,
        ]
        subprocess.run(command, check=True)
    text = (PACKAGE / "models.py").read_text()
    write("models.py", re.sub(r"\A(#.*\n)+", "", text))


def reachable(document: Json, roots: Any) -> Json:
    """The schemas that the roots refer to, directly or through others."""
    found: Json = {}
    waiting = [roots]
    while waiting:
        for reference in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(waiting.pop(), default=str)):
            if reference not in found:
                found[reference] = document["components"]["schemas"][reference]
                waiting.append(found[reference])
    return dict(sorted(found.items()))


def simplify(schema: Json) -> Json:
    """The schema without constraints, with amounts as decimals and IDs and addresses as text."""

    def visit(item: Any) -> Any:
        if isinstance(item, list):
            return [visit(i) for i in item]
        if not isinstance(item, dict):
            return item
        item = {k: visit(v) for k, v in item.items() if not (k in CONSTRAINTS and not is_schema(v))}
        if item.get("type") == "number":
            item |= {"type": "string", "format": "decimal"}
        elif isinstance(item.get("format"), str) and item["format"] not in FORMATS:
            del item["format"]
        return item

    return visit(copy.deepcopy(schema))  # type: ignore[no-any-return]


def is_schema(value: Any) -> bool:
    """Whether this is a property that happens to have a constraint's name."""
    return isinstance(value, dict) and ("type" in value or "$ref" in value)


# The operations.


def operations_text(operations: list[Operation]) -> str:
    classes: dict[str, list[Operation]] = {}
    for operation in operations:
        classes.setdefault(operation.class_name, []).append(operation)
    text = [
        "from __future__ import annotations\n\nimport builtins\nfrom collections.abc import Sequence\n"
        "from datetime import date, datetime\nfrom decimal import Decimal\nfrom typing import Any, Literal\n\n"
        "from .. import models\nfrom .._shared import Page, at, new_key\n"
        "from .groups import AsyncPages, Group\nfrom .transport import Caller\n\n"
    ]
    for name, members in sorted(classes.items()):
        text.append(f"\nclass {name}(Group):\n")
        text.extend(textwrap.indent(method_text(o), "    ") for o in members)
    for view, user in (("ClientGroups", False), ("UserGroups", True)):
        tags = sorted({o.tag for o in operations if o.of_user == user})
        text.append(f"\nclass {view}:\n    def __init__(self, caller: Caller) -> None:\n")
        text.extend(f"        self.{tag.lower()} = {'User' if user else ''}{tag}(caller)\n" for tag in tags)
    return "".join(text)


def method_text(o: Operation) -> str:
    required = set(o.body.get("required", []))
    body = o.body.get("properties", {})
    arguments = ["self", *(f"{snake(n)}: str" for n in o.path_names)]
    keywords = [f"{snake(n)}: {python_type(s)}" for n, s in body.items() if n in required]
    for p in [*o.query(), *o.headers()]:
        default = "" if p.get("required") else " | None = None"
        keywords.append(f"{argument_name(p)}: {python_type(p['schema'])}{default}")
    keywords += [f"{snake(n)}: {python_type(s)} | None = None" for n, s in body.items() if n not in required]
    keywords += ["next_token: str | None = None"] if o.paged else []
    keywords += ["idempotency_key: str | None = None"] if o.takes_key else []
    keywords.sort(key=lambda k: "= None" in k)
    arguments += ["*", *keywords] if keywords else []

    call = [f'"{o.method}"', path_text(o)]
    query = mapping((p["name"], argument_name(p)) for p in o.query())
    call += [f"query={query}"] if o.query() else []
    call += [f"headers={mapping((p['name'], argument_name(p)) for p in o.headers())}"] if o.headers() else []
    call += [f"body={mapping((n, snake(n)) for n in body)}"] if o.has_body else []
    call += ["key=idempotency_key or new_key()"] if o.takes_key else []
    returns, code = returned(o, call)
    # A list with pages is fetched while it is iterated over.
    start = "def" if returns.startswith("AsyncPages[") else "async def"
    return (
        f"\n{start} {o.name}({', '.join(arguments)}) -> {returns}:\n"
        f"{textwrap.indent(docstring(o, body), '    ')}\n    {code}\n"
    )


def returned(o: Operation, call: list[str]) -> tuple[str, str]:
    """The type that a method returns, and the statements that do it."""
    schema = o.answer
    if schema is None:
        return "None", f"await self._caller.send({', '.join(call)})"
    if "$ref" not in schema:
        return "bytes", f"return await self._caller.send({', '.join(call)})"
    answer = f"models.{reference_name(schema)}"
    data_schema = resolve(o.document, schema)["properties"]["data"]
    members = resolve(o.document, data_schema).get("properties", {})
    lists = [n for n, s in members.items() if s.get("type") == "array"]
    call.insert(2, answer)
    ask = f"await self._ask({', '.join(call)})"
    only = next(iter(members)) if len(members) == 1 else ""
    if o.paged and only in lists:
        item = reference_name(members[only]["items"])
        call = [c for c in call if not c.startswith("query=")]
        pairs = [("nextToken", "token"), *((p["name"], argument_name(p)) for p in o.query())]
        ask = f"await self._ask({', '.join(call)}, query={mapping(pairs)})"
        return f"AsyncPages[models.{item}]", (
            f"async def page(token: str | None) -> Page[models.{item}]:\n        answer = {ask}\n"
            f"        return Page(answer.data.{snake(only)}, answer.meta.pagination.next_token)\n\n"
            "    return AsyncPages(page, next_token)"
        )
    if o.paged:
        ask = ask.replace("query={", 'query={"nextToken": next_token, ', 1)
        return answer, f"return {ask}"
    data = f"answer = {ask}\n    return answer.data"
    if only in lists:
        return f"builtins.list[{python_type(members[only]['items'])}]", f"{data}.{snake(only)}"
    if only:
        return python_type(members[only]), f"{data}.{snake(only)}"
    return f"models.{reference_name(data_schema)}", data


def path_text(o: Operation) -> str:
    names = re.findall(r"{(\w+)}", o.path)
    if not names:
        return f'"{o.path}"'
    values = [snake(n) if n in o.path_names else "self._caller.user_id" for n in names]
    template = re.sub(r"{\w+}", "{}", o.path)
    return f'at("{template}", {", ".join(values)})'


def argument_name(parameter: Json) -> str:
    return snake(parameter["name"].removeprefix("X-"))


def mapping(pairs: Iterable[tuple[str, str]]) -> str:
    return "{" + ", ".join(f'"{name}": {argument}' for name, argument in pairs) + "}"


def reference_name(schema: Json) -> str:
    return str(schema["$ref"].rsplit("/", 1)[1])


def python_type(schema: Json) -> str:
    if "$ref" in schema:
        return f"models.{reference_name(schema)}"
    if "oneOf" in schema:
        return python_type(next(s for s in schema["oneOf"] if s.get("type") != "null"))
    if "enum" in schema:
        # An editor offers the known values. Others may be sent: answers have them as str, and may have more.
        return "Literal[" + ", ".join(json.dumps(v) for v in schema["enum"] if v is not None) + "] | str"
    kind = schema.get("type")
    kind = next(k for k in kind if k != "null") if isinstance(kind, list) else kind
    if kind == "array":
        return f"Sequence[{python_type(schema['items'])}]"
    if kind == "object":
        return "dict[str, Any]"
    return FORMATS.get(schema.get("format", ""), SCALARS[str(kind)])


def docstring(o: Operation, body: Json) -> str:
    lines = [o.text["summary"].rstrip(".") + ".", ""]
    deprecated = "Deprecated. " if o.text.get("deprecated") else ""
    lines += [*textwrap.wrap(deprecated + o.text.get("description", ""), 100), ""]
    notes = [(argument_name(p), p.get("description", "")) for p in o.query() + o.headers()]
    notes += [(snake(n), s.get("description", "")) for n, s in body.items()]
    if notes:
        lines.append("Args:")
        for name, note in notes:
            lines += textwrap.wrap(f"{name}: {note}", 98, initial_indent="    ", subsequent_indent="        ")
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''").rstrip()
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


# The events.


def events_text(events: Json) -> str:
    names = {
        event: reference_name(e["requestBody"]["content"]["application/json"]["schema"]) for event, e in events.items()
    }
    members = "".join(f'    "{event}": models.{name},\n' for event, name in names.items())
    union = "".join(f"    models.{name},\n" for name in names.values())
    return (
        "from __future__ import annotations\n\nfrom typing import Union\n\nfrom . import models\n"
        "from ._model import Model, UnknownEvent\n\n"
        f"TYPES: dict[str, type[Model]] = {{\n{members}}}\n\nEvent = Union[\n{union}    UnknownEvent,\n]\n"
    )


# The sync client.


def without_async(text: str) -> str:
    text = re.sub(r"\A(#.*\n)+", "", text)
    for pattern, replacement in TO_SYNC:
        text = re.sub(pattern, replacement, text)
    return text


def write(name: str, text: str, source: str = "docs/openapi.yaml") -> None:
    path = PACKAGE / name
    path.write_text(f"{MARK.format(source)}{text}")
    subprocess.run([tool("ruff"), "check", "--quiet", "--select=F401,I", "--fix", path], check=True)
    subprocess.run([tool("ruff"), "format", "--quiet", path], check=True)


def tool(name: str) -> str:
    return str(pathlib.Path(sys.executable).parent / name)


main()
