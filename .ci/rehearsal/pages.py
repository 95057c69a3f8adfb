"""The AWS commands on the operators' pages, looked up in AWS's definition of the API."""

import re

import services
from botocore import xform_name
from engine import CHECKOUT, Refused, step

# Commands of the CLI that are not operations of the API, and options of every command.
OF_THE_CLI = {"cloudformation deploy": {"stack-name", "template-file", "capabilities", "tags", "parameter-overrides"}}
GLOBAL = {"query", "output", "region", "cli-read-timeout", "cli-binary-format"}


def commands():
    """The AWS commands in blocks of code and in the text of the pages for operators."""
    for page in ("deploy.md", "runbook.md", "rotation.md", "operator.md"):
        text = (CHECKOUT / "docs" / page).read_text().replace("\\\n", " ")
        for found in re.finditer(r"\baws ([a-z0-9]+) ([a-z0-9-]+)([^\n`]*)", text):
            service, operation, rest = found.groups()
            # Another command may follow, or begin inside $(…).
            rest = re.split(r"[|;#]|&&|\baws \w", rest)[0]
            yield page, service, operation, set(re.findall(r"(?<!\S)--([a-z][a-z0-9-]*)", rest)), rest


def known_commands():
    """Looks every command up in AWS's definition of the API, which boto3 has."""
    count = 0
    for page, service, operation, options, rest in commands():
        where = f"docs/{page}: aws {service} {operation}"
        count += 1
        if f"{service} {operation}" in OF_THE_CLI:
            known = OF_THE_CLI[f"{service} {operation}"]
        else:
            client = services.client({"deploy": "codedeploy"}.get(service, service))
            if operation == "wait":
                waiter = rest.split()[0].replace("-", "_")
                if waiter not in client.waiter_names:
                    raise Refused(f"{where}: there is no waiter {waiter}")
                operation = xform_name(client.get_waiter(waiter).config.operation, "-")
            names = {xform_name(name, "-"): name for name in client.meta.service_model.operation_names}
            if operation not in names:
                raise Refused(f"{where}: there is no such operation")
            shape = client.meta.service_model.operation_model(names[operation]).input_shape
            known = {xform_name(member, "-") for member in (shape.members if shape else ())}
            known |= {f"no-{name}" for name in known}
        if wrong := options - known - GLOBAL:
            raise Refused(f"{where}: there is no option {', '.join(sorted(wrong))}")
    step(f"found the {count} AWS commands of the operators' pages, with their options, in AWS's definition of the API")
