"""The tables of a stack on AWS: what rows they have, and what template.yaml says they should be."""

import functools
import json
import os
import pathlib
import time
import tomllib
from collections.abc import Callable
from typing import Any

import boto3
from botocore.exceptions import ClientError
from samtranslator.yaml_helper import yaml_parse

ROOT = pathlib.Path(__file__).parent.parent
POLL = 15.0
# What DynamoDB says of a table that is not ready yet, or of one restore too many at a time.
BUSY = {"ContinuousBackupsUnavailableException", "LimitExceededException", "ResourceInUseException"}
PATIENCE = 40

# The rows of docs/data-model.md: pk and sk. The first that fits counts.
KINDS = {
    "IdentityTable": [
        "P#* PARTNER", "P#*#U#* USER", "P#*#X#* EXTERNAL", "P#*#E#* ERASURE", "TERMS TERMS", "TERMS ENTITY",
        "SIGNING-KEYS KEY#*", "EVIDENCE-KEYS KEY#*", "ERASURES *", "ERASED *", "CLOCKS *",
    ],
    "PfmTable": [
        "PROVIDER#* PROVIDER", "PROVIDER#* OUTAGE", "PROVIDERS#* *", "COUNTRIES *", "CONNECTION#* OWNER",
        "P#*#U#* C#*#A#*", "P#*#U#* C#*", "P#*#U#* C", "P#*#U#* C!*", "P#*#U#* C\"*",
        "P#*#U#* CONTRACTS", "P#*#U#* T#*", "P#*#U#* X#*", "P#*#U#* SEQUENCE",
        "P#*#U#* GA#*", "P#*#U#* GM#*", "P#*#U#* GD#*", "P#*#U#* R#*", "P#*#U#* LEASE#*",
        "P#*#U#* K#*", "P#*#CONSENTS#* *",
    ],
    "CancellationTable": [
        "CATEGORIES CATEGORIES", "ORGANIZATION#* ORGANIZATION", "ORGANIZATION#* PRODUCT#*", "ORGANIZATIONS#* *",
        "CATALOGUE *", "SEARCH *", "SEARCH#* *", "P#*#U#* N#*", "P#*#U#* L#*", "P#*#U#* X#*",
        "P#*#U#* D#*", "P#*#U#* V#*", "P#*#U#* A#*", "P#*#U#* J#*", "CANCELLATION#* OWNER", "REFERENCE#* REFERENCE",
    ],
    "NotificationTable": [
        "P#*#SUBSCRIPTIONS *", "P#*#SUBSCRIPTION#* SECRET#*", "P#*#SUBSCRIPTION#* SLOTS", "P#*#SUBSCRIPTION#* D#*",
        "P#*#SUBSCRIPTION#* A#*",
    ],
    "ConsoleTable": [
        "P#*#AUDIT *", "SIGNIN#* *", "SIGNOUT#* SIGNOUT", "P#*#REQUESTS#* R#*", "P#*#FAILED#* R#*", "P#*#U#* E#*",
        "P#*#LINES#* *", "P#*#COUNTS *",
    ],
    "OutboxTable": ["* "],
}
# The rows with something sealed: the attribute, and the purpose of the key (internal/secret/keyring).
SEALED = {"P#*#SUBSCRIPTION#* SECRET#*": ("key", "webhook")}


@functools.cache
def client(service: str) -> Any:
    return boto3.client(service)


# What every sealed row depends on.
ROOTS = ("SigningSecret", "SealingSecret", "WebhookSecret")


def durable_stacks() -> dict[str, Any]:
    """Returns how samconfig.toml deploys each stack with backups: environments, and further cells of them."""
    with (ROOT / "samconfig.toml").open("rb") as file:
        sections = {name: config for name, config in tomllib.load(file).items() if isinstance(config, dict)}
    found = {name: config.get("deploy", {}).get("parameters", {}) for name, config in sections.items()}
    kept = {"Environment=acceptance", "Environment=production"}
    return {name: p for name, p in found.items() if "stack_name" in p and kept & set(p["parameter_overrides"])}


class Stack:
    """A durable environment's stack: what template.yaml says, and what CloudFormation made of it."""

    def __init__(self, environment: str) -> None:
        config = durable_stacks()[environment]
        os.environ["AWS_REGION"] = os.environ["AWS_DEFAULT_REGION"] = config["region"]
        # Threads can share clients, but not make them.
        for service in ("backup", "cloudformation", "dynamodb", "iam", "secretsmanager", "sts"):
            client(service)
        self.name = config["stack_name"]
        self.tags = dict(tag.split("=", 1) for tag in config["tags"])
        self.resources = yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8"))["Resources"]
        pages = client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=self.name)
        made = [resource for page in pages for resource in page["StackResourceSummaries"]]
        self.physical = {r["LogicalResourceId"]: r.get("PhysicalResourceId", "") for r in made}
        self.vault = self.physical.get("BackupVault", "")
        [made] = client("cloudformation").describe_stacks(StackName=self.name)["Stacks"]
        self.warm = {"ParameterKey": "WarmTables", "ParameterValue": "true"} in made.get("Parameters", [])
        self.lost = ""  # the stack whose copies are in the vault, if it is another

    def arn(self, logical: str) -> str:
        """Returns the ARN of a table, which may be gone."""
        identity = client("sts").get_caller_identity()
        partition, region = identity["Arn"].split(":")[1], client("dynamodb").meta.region_name
        return f"arn:{partition}:dynamodb:{region}:{identity['Account']}:table/{self.physical[logical]}"

    def durable(self) -> list[str]:
        """Returns the tables with point-in-time recovery. Some exist only in a sandbox."""
        tables = {i: r for i, r in self.resources.items() if r["Type"] == "AWS::DynamoDB::Table" and i in self.physical}
        return sorted(i for i, r in tables.items() if "PointInTimeRecoverySpecification" in r["Properties"])

    def in_vault(self) -> list[str]:
        """Returns the tables that AWS Backup copies."""
        found = []
        for resource in self.resources.values():
            if resource["Type"] == "AWS::Backup::BackupSelection":
                selected = resource["Properties"]["BackupSelection"]["Resources"]
                found += [choice["Fn::GetAtt"][0] for choice in selected]
        return sorted(found)

    def sealing(self) -> list[str]:
        """Returns the roots that may have sealed a webhook key."""
        secret = client("secretsmanager").get_secret_value(SecretId=self.physical["WebhookSecret"])
        return [root for root in json.loads(secret["SecretString"]).values() if root]

    def wanted(self, logical: str) -> dict[str, Any]:
        """Returns what the template says about a table of a durable environment."""
        p = self.resources[logical]["Properties"]
        return {
            "keys": keys(p["KeySchema"]),
            "indexes": indexes(p),
            "billing": p["BillingMode"],
            "key": self.physical["DataKey"].split("/")[-1],
            "TTL": p.get("TimeToLiveSpecification", {}).get("AttributeName"),
            "stream": p.get("StreamSpecification", {}).get("StreamViewType"),
            "point-in-time recovery": True,
            "deletion protection": True,
            "tags": self.tags,
            "warm throughput": warmth(p) if self.warm else {},
        }


def keys(schema: list[dict[str, str]]) -> str:
    return " ".join(part["AttributeName"] for part in schema)


def indexes(table: dict[str, Any]) -> dict[str, str]:
    found = table.get("LocalSecondaryIndexes", []) + table.get("GlobalSecondaryIndexes", [])
    return {i["IndexName"]: f"{keys(i['KeySchema'])}, {i['Projection']['ProjectionType']}" for i in found}


def warmth(table: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Returns the reads and writes a second that a table ("") and its indexes are ready for at once."""
    parts = {"": table, **{i["IndexName"]: i for i in table.get("GlobalSecondaryIndexes", [])}}
    given = {name: part.get("WarmThroughput", {}) for name, part in parts.items()}
    chosen = {name: warm["Fn::If"][1] if "Fn::If" in warm else warm for name, warm in given.items()}
    return {name: {unit: n for unit, n in warm.items() if unit != "Status"} for name, warm in chosen.items() if warm}


def found(name: str) -> dict[str, Any]:
    """Returns what a table has."""
    dynamodb = client("dynamodb")
    table = dynamodb.describe_table(TableName=name)["Table"]
    ttl = dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    recovery = dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    tags = dynamodb.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
    return {
        "keys": keys(table["KeySchema"]),
        "indexes": indexes(table),
        "billing": table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED"),
        "key": table.get("SSEDescription", {}).get("KMSMasterKeyArn", "").split("/")[-1],
        "TTL": ttl.get("AttributeName") if ttl["TimeToLiveStatus"] in ("ENABLED", "ENABLING") else None,
        "stream": table.get("StreamSpecification", {}).get("StreamViewType"),
        "point-in-time recovery": recovery["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED",
        "deletion protection": table.get("DeletionProtectionEnabled", False),
        "tags": {tag["Key"]: tag["Value"] for tag in tags if not tag["Key"].startswith("aws:")},
        "warm throughput": warmth(table),
    }


def differences(want: dict[str, Any], have: dict[str, Any]) -> list[str]:
    """Returns in what a table differs from what it should be. It may have more tags, and be ready for more."""
    named = {**have, "tags": {name: have["tags"].get(name) for name in want["tags"]}}
    named["warm throughput"] = {
        part: {unit: min(n, have["warm throughput"].get(part, {}).get(unit, 0)) for unit, n in units.items()}
        for part, units in want["warm throughput"].items()
    }
    return [what for what in want if named[what] != want[what]]


def pause() -> None:
    time.sleep(POLL)


def update(name: str, **change: Any) -> None:
    client("dynamodb").update_table(TableName=name, **change)
    active(name)


def recover(name: str, _: bool) -> None:
    specification = {"PointInTimeRecoveryEnabled": True}
    client("dynamodb").update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=specification)


def expire(name: str, attribute: str) -> None:
    specification = {"Enabled": True, "AttributeName": attribute}
    client("dynamodb").update_time_to_live(TableName=name, TimeToLiveSpecification=specification)


def tag(name: str, tags: dict[str, str]) -> None:
    arn = client("dynamodb").describe_table(TableName=name)["Table"]["TableArn"]
    client("dynamodb").tag_resource(ResourceArn=arn, Tags=[{"Key": k, "Value": v} for k, v in tags.items()])


def warm(name: str, wanted: dict[str, dict[str, int]]) -> None:
    """Makes a table ready for more. DynamoDB refuses less than it is ready for."""
    have = warmth(client("dynamodb").describe_table(TableName=name)["Table"])
    more = {
        part: {unit: max(n, have.get(part, {}).get(unit, 0)) for unit, n in units.items()} for part, units in wanted.items()
    }
    table = {"WarmThroughput": more.pop("")} if "" in more else {}
    if more:
        table["GlobalSecondaryIndexUpdates"] = [{"Update": {"IndexName": i, "WarmThroughput": w}} for i, w in more.items()]
    update(name, **table)


# How to set what a restore does not bring. Keys and indexes it does bring.
SETTERS = {
    "billing": lambda name, mode: update(name, BillingMode=mode),
    "key": lambda name, key: update(
        name, SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": key}
    ),
    "TTL": expire,
    "stream": lambda name, view: update(name, StreamSpecification={"StreamEnabled": True, "StreamViewType": view}),
    "point-in-time recovery": recover,
    "deletion protection": lambda name, on: update(name, DeletionProtectionEnabled=on),
    "tags": tag,
    "warm throughput": warm,
}


def settle(name: str, want: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Sets what the table lacks. Returns what that was, and what it still lacks."""
    lacked = differences(want, found(name))
    for what in lacked:
        if what in SETTERS:
            patiently(SETTERS[what], name, want[what])
    return lacked, differences(want, found(name))


def patiently(call: Callable[..., Any], *arguments: Any) -> Any:
    """Calls again while DynamoDB is busy, for ten minutes at most."""
    for _ in range(PATIENCE):
        try:
            return call(*arguments)
        except ClientError as error:
            if error.response["Error"]["Code"] not in BUSY:
                raise
            pause()
    return call(*arguments)


def active(name: str) -> None:
    while client("dynamodb").describe_table(TableName=name)["Table"]["TableStatus"] != "ACTIVE":
        pause()


def exists(name: str) -> bool:
    try:
        client("dynamodb").describe_table(TableName=name)
    except client("dynamodb").exceptions.ResourceNotFoundException:
        return False
    return True
