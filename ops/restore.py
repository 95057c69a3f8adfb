"""Restores tables: make restore.

A drill restores every table that has point-in-time recovery, or every table in the vault,
under a new name, checks what came, and deletes it again. A rebuild fills a new stack with the
copies of a lost one. docs/runbook.md#restore-a-table says when to use which.
"""

import argparse
import collections
import concurrent.futures
import datetime
import fnmatch
import hashlib
import re
import sys
import time
from typing import Any

from botocore.exceptions import ClientError
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from tables import KINDS, ROOTS, SEALED, Stack, active, client, durable_stacks, exists, patiently, pause, settle, update

COPY = "-restored-"
# DynamoDB restores four tables at once.
AT_ONCE = 4
# How many rows of each table are read: of the copy, and of the table in use.
SAMPLE = 10_000
# Rows of a user begin so. An erasure may take this long.
OWNED = re.compile(r"P#[^#]+#U#[^# ]+")
ERASING = datetime.timedelta(days=7)
# A table in use changes while it is compared with a copy that is minutes old.
ALIKE = 0.9

# --- Restore ---------------------------------------------------------------------


def from_point(stack: Stack, logical: str, target: str, point: datetime.datetime | None) -> datetime.datetime:
    """Restores a table as it was, by default as late as possible. Returns when that was."""
    when = {"RestoreDateTime": point} if point else {"UseLatestRestorableTime": True}
    restored = client("dynamodb").restore_table_to_point_in_time(
        SourceTableName=stack.physical[logical], TargetTableName=target, BillingModeOverride="PAY_PER_REQUEST", **when
    )["TableDescription"]
    active(target)
    return restored["RestoreSummary"]["RestoreDateTime"]


def from_vault(stack: Stack, logical: str, target: str, point: datetime.datetime | None) -> datetime.datetime:
    """Restores the vault's latest copy of a table, or the latest before a time. Returns when it was made."""
    backup = client("backup")
    whose = {"ByResourceType": "DynamoDB"} if stack.lost else {"ByResourceArn": stack.arn(logical)}
    listed = backup.get_paginator("list_recovery_points_by_backup_vault").paginate(BackupVaultName=stack.vault, **whose)
    copies = [c for page in listed for c in page["RecoveryPoints"] if c["Status"] == "COMPLETED"]
    copies = [c for c in copies if not point or c["CreationDate"] <= point]
    if stack.lost:  # a copy keeps the ARN of the table in the lost region
        copies = [c for c in copies if f":table/{stack.lost}-{logical}-" in c["ResourceArn"]]
    if not copies:
        raise LookupError(f"the vault has no copy of {logical}")
    chosen = max(copies, key=lambda c: c["CreationDate"])
    which = {"BackupVaultName": stack.vault, "RecoveryPointArn": chosen["RecoveryPointArn"]}
    metadata = backup.get_recovery_point_restore_metadata(**which)["RestoreMetadata"]
    if stack.lost:  # its key is in the lost region; `settle` sets the new stack's
        metadata = {k: v for k, v in metadata.items() if k != "kmsMasterKeyArn"} | {"encryptionType": "Default"}
    role = client("iam").get_role(RoleName=stack.physical["RestoreRole"])["Role"]["Arn"]
    job = backup.start_restore_job(
        RecoveryPointArn=chosen["RecoveryPointArn"], IamRoleArn=role, ResourceType="DynamoDB",
        Metadata={**metadata, "targetTableName": target},
    )["RestoreJobId"]
    while (state := backup.describe_restore_job(RestoreJobId=job))["Status"] in ("PENDING", "RUNNING"):
        pause()
    if state["Status"] != "COMPLETED":
        raise LookupError(f"restore job {job}: {state['Status']}, {state.get('StatusMessage', '')}")
    active(target)
    return chosen["CreationDate"]


def from_deletion(stack: Stack, logical: str, target: str, _: datetime.datetime | None) -> datetime.datetime:
    """Restores what DynamoDB has kept of a table that was deleted with point-in-time recovery on."""
    kept = client("dynamodb").list_backups(TableName=stack.physical[logical], BackupType="SYSTEM")["BackupSummaries"]
    if not kept:
        raise LookupError(f"DynamoDB has kept nothing of {logical}: take the vault's copy, FROM=vault")
    chosen = max(kept, key=lambda b: b["BackupCreationDateTime"])
    return from_backup(chosen["BackupArn"], target)


def from_backup(arn: str, target: str) -> datetime.datetime:
    """Restores a backup of DynamoDB's own. Returns when it was made."""
    dynamodb = client("dynamodb")
    dynamodb.restore_table_from_backup(TargetTableName=target, BackupArn=arn, BillingModeOverride="PAY_PER_REQUEST")
    active(target)
    return dynamodb.describe_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"]["BackupCreationDateTime"]


SOURCES = {"point": from_point, "vault": from_vault, "deletion": from_deletion}


def delete(name: str) -> None:
    """Deletes a copy, and never anything else."""
    if COPY not in name:
        raise ValueError(f"{name} is not a copy")
    if exists(name):
        active(name)
        update(name, DeletionProtectionEnabled=False)
        client("dynamodb").delete_table(TableName=name)


# --- Erasures --------------------------------------------------------------------


def tombstones(table: str) -> dict[str, dict[str, Any]]:
    """Returns the rows that say who has been erased, by digest. A table that is gone has none."""
    if not exists(table):
        return {}
    pages = client("dynamodb").get_paginator("query").paginate(
        TableName=table, KeyConditionExpression="pk = :pk", ExpressionAttributeValues={":pk": {"S": "ERASED"}}
    )
    return {row["sk"]["S"]: row for page in pages for row in page["Items"]}


def whose(row: dict[str, Any]) -> str:
    """Returns the digest of the user to whom a row belongs, as internal/owner computes it, or nothing."""
    key = OWNED.match(text_key(row).removeprefix("CLOCKS "))
    owner = key[0] if key else ""
    user = row.get("user", row.get("userId", {})).get("S", "")
    if not owner and user and (partner := row.get("partner", {}).get("S") or row["pk"]["S"].split("#")[1:2]):
        owner = f"P#{partner if isinstance(partner, str) else partner[0]}#U#{user}"
    return hashlib.sha256(owner.encode()).hexdigest() if owner and row["pk"]["S"] != "ERASURES" else ""


def erase_again(copy: str, erased: dict[str, dict[str, Any]], state: datetime.datetime) -> int:
    """Deletes what a copy has of users who have been erased since, or shortly before. Returns how many rows."""
    since = (state - ERASING).timestamp() * 1000
    late = {digest for digest, row in erased.items() if int(row["at"]["N"]) >= since}
    if not late:
        return 0
    count = 0
    for page in client("dynamodb").get_paginator("scan").paginate(TableName=copy):
        for row in page["Items"]:
            if whose(row) in late:
                client("dynamodb").delete_item(TableName=copy, Key={k: row[k] for k in ("pk", "sk") if k in row})
                count += 1
    return count


# --- Check -----------------------------------------------------------------------


def sample(name: str, limit: int) -> list[dict[str, Any]]:
    """Returns rows in the order of their keys' hashes, so from all over the table."""
    rows: list[dict[str, Any]] = []
    for page in client("dynamodb").get_paginator("scan").paginate(TableName=name, PaginationConfig={"MaxItems": limit}):
        rows += page["Items"]
    return rows


def text_key(row: dict[str, Any]) -> str:
    return f"{row['pk']['S']} {row.get('sk', {'S': ''})['S']}"


def kind(logical: str, row: dict[str, Any]) -> str | None:
    return next((k for k in KINDS[logical] if fnmatch.fnmatchcase(text_key(row), k)), None)


def opens(sealed: bytes, roots: list[str], purpose: str, binding: str) -> bool:
    """Reports whether a root opens a sealed value, as internal/secret/keyring does."""
    for root in roots:
        derived = HKDF(hashes.SHA256(), 32, None, f"aviso/seal/{purpose}".encode()).derive(root.encode())
        try:
            AESGCM(derived).decrypt(sealed[:12], sealed[12:], binding.encode())
            return True
        except InvalidTag:
            continue
    return False


def check_rows(stack: Stack, logical: str, rows: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """Returns what is in the rows of a copy, and what is wrong with them."""
    kinds = collections.Counter(kind(logical, row) for row in rows)
    problems = [f"{n} rows that docs/data-model.md does not know" for k, n in kinds.items() if k is None]
    notes = [f"{len(rows)} rows: " + ", ".join(f"{n} × {k}" for k, n in sorted(kinds.items(), key=str))]
    sealed = [row for row in rows if kind(logical, row) in SEALED]
    if sealed:
        roots, closed = stack.sealing(), 0
        for row in sealed:
            attribute, purpose = SEALED[str(kind(logical, row))]
            binding = row["pk"]["S"] + row["sk"]["S"]
            closed += not opens(row[attribute]["B"], roots, purpose, binding)
        notes.append(f"{len(sealed) - closed} of {len(sealed)} sealed rows open with WebhookSecret")
        if closed:
            problems.append(f"no root secret opens {closed} of {len(sealed)} sealed rows")
    return notes, problems


def share(source: str, copy: str) -> tuple[int, int]:
    """Returns how many rows of the table in use were looked for in the copy, and how many were there."""
    rows = sample(source, SAMPLE)
    here = 0
    for start in range(0, len(rows), 100):
        wanted = [{k: row[k] for k in ("pk", "sk") if k in row} for row in rows[start : start + 100]]
        while wanted:
            request = {copy: {"Keys": wanted, "ProjectionExpression": "pk"}}
            answer = client("dynamodb").batch_get_item(RequestItems=request)
            here += len(answer["Responses"][copy])
            wanted = answer.get("UnprocessedKeys", {}).get(copy, {}).get("Keys", [])
    return len(rows), here


def check(stack: Stack, logical: str, name: str, is_late: bool) -> tuple[list[str], list[str]]:
    """Returns what a copy holds, and what is wrong with it."""
    rows = sample(name, SAMPLE)
    notes, problems = check_rows(stack, logical, rows)
    source = stack.physical[logical]
    # Rows of the outbox live for a moment, so no two samples are alike.
    if logical == "OutboxTable" or name == source or not exists(source):
        return notes, problems
    count, here = share(source, name)
    notes.append(f"{here} of {count} rows of the table in use are in the copy")
    if is_late and here < ALIKE * count:
        problems.append(f"only {here} of {count} rows of the table in use are in the copy")
    return notes, problems


# --- Commands --------------------------------------------------------------------


def restore(stack: Stack, logical: str, target: str, source: str, point: datetime.datetime | None) -> list[str]:
    """Restores a table under a name, sets what is missing, and checks it. Returns what is wrong."""
    began = time.monotonic()
    now = datetime.datetime.now(datetime.timezone.utc)
    try:
        if source.startswith("arn:"):
            state = patiently(from_backup, source, target)
        else:
            state = patiently(SOURCES[source], stack, logical, target, point)
        arrived = time.monotonic()
        lacked, lacks = settle(target, stack.wanted(logical))
        ready = time.monotonic()
        erased = tombstones(stack.physical["IdentityTable"])
        again = erase_again(target, erased, state)
        if logical == "IdentityTable":
            for row in erased.values():
                client("dynamodb").put_item(TableName=target, Item=row)
        notes, problems = check(stack, logical, target, is_late=source == "point" and not point)
    except (ClientError, LookupError) as error:
        print(f"{logical}: {error}", flush=True)
        return [f"{logical}: {error}"]
    age = minutes(max((now - state).total_seconds(), 0))
    lines = [
        f"{logical} as of {state:%Y-%m-%d %H:%M:%S}, {age} before the restore began (RPO)",
        f"  {size(stack.physical[logical])} restored in {minutes(arrived - began)}, "
        f"ready after {minutes(ready - began)} (RTO): {target}",
        f"  set what the restore did not bring: {', '.join(lacked) or 'nothing'}",
        f"  {again} rows of users erased since are deleted again",
        *(f"  {note}" for note in notes),
    ]
    problems += [f"{what} differs from template.yaml" for what in lacks]
    print("\n".join(lines + [f"  PROBLEM: {problem}" for problem in problems]), flush=True)
    return [f"{logical}: {problem}" for problem in problems]


def size(table: str) -> str:
    """Returns how large a table is, as DynamoDB has counted within six hours."""
    return f"{client('dynamodb').describe_table(TableName=table)['Table']['TableSizeBytes'] / 1e9:.2f} GB"


def minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def drill(stack: Stack, tables: list[str], source: str, point: datetime.datetime | None, keep: bool) -> list[str]:
    """Restores tables under new names, and returns what is wrong."""
    began = time.monotonic()
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H%M%S")
    targets = {logical: f"{stack.name}-{logical}{COPY}{stamp}" for logical in tables}
    try:
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            jobs = [pool.submit(restore, stack, i, target, source, point) for i, target in targets.items()]
            problems = [problem for job in jobs for problem in job.result()]
    finally:
        if not keep:
            for target in targets.values():
                delete(target)
    print(f"{len(targets)} tables: {minutes(time.monotonic() - began)}, with the checks.")
    return problems


def replace(stack: Stack, logical: str, source: str, point: datetime.datetime | None) -> list[str]:
    """Restores a table that is gone, under its own name, so that the stack has it again."""
    if "StreamViewType" in stack.resources[logical]["Properties"].get("StreamSpecification", {}):
        return [f"{logical}: its new stream would not be the one that outbox-relay reads (docs/runbook.md)"]
    if exists(stack.physical[logical]):
        return [f"{logical} is there. A drill with KEEP=1 restores it beside, and restore-rows copies rows back."]
    return restore(stack, logical, stack.physical[logical], source, point)


def take_roots(stack: Stack) -> list[str]:
    """Gives a new stack the root secrets of the lost one, from their replicas in this region. Returns what is missing."""
    secrets, missing = client("secretsmanager"), []
    pages = secrets.get_paginator("list_secrets").paginate(Filters=[{"Key": "tag-value", "Values": [stack.lost]}])
    replicas = [s for page in pages for s in page["SecretList"] if s.get("PrimaryRegion") not in (None, secrets.meta.region_name)]
    for logical in ROOTS:
        found = [s["ARN"] for s in replicas if s["Name"].startswith(logical + "-")]
        if len(found) != 1:
            missing.append(f"{len(found)} replicas of {logical} of {stack.lost} are here, and one is needed")
            continue
        value = secrets.get_secret_value(SecretId=found[0])["SecretString"]
        secrets.put_secret_value(SecretId=stack.physical[logical], SecretString=value)
    return missing


def rebuild(stack: Stack, point: datetime.datetime | None) -> list[str]:
    """Puts the copies of a lost stack, and its root secrets, into a new one, whose tables are empty."""
    tables = stack.in_vault()
    if used := [logical for logical in tables if exists(stack.physical[logical]) and sample(stack.physical[logical], 1)]:
        return [f"{', '.join(used)} of {stack.name} holds rows: this is not a new stack"]
    if missing := take_roots(stack):
        return missing
    problems = []
    for logical in tables:
        name = stack.physical[logical]
        if exists(name):
            update(name, DeletionProtectionEnabled=False)
            client("dynamodb").delete_table(TableName=name)
            client("dynamodb").get_waiter("table_not_exists").wait(TableName=name)
        problems += restore(stack, logical, name, "vault", point)
    erased = tombstones(stack.physical["IdentityTable"])
    for logical in tables:  # a copy may be older than IdentityTable's
        erase_again(stack.physical[logical], erased, datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + ERASING)
    return problems


def copy_rows(stack: Stack, logical: str, copy: str, owner: str) -> int:
    """Copies the rows of a partner or user back, unless the table has them. Returns how many."""
    dynamodb, count, erased = client("dynamodb"), 0, tombstones(stack.physical["IdentityTable"])
    pages = dynamodb.get_paginator("scan").paginate(
        TableName=copy,
        FilterExpression="pk = :owner OR begins_with(pk, :below)",
        ExpressionAttributeValues={":owner": {"S": owner}, ":below": {"S": owner + "#"}},
    )
    for page in pages:
        for row in page["Items"]:
            if whose(row) in erased:
                continue
            try:
                dynamodb.put_item(
                    TableName=stack.physical[logical], Item=row, ConditionExpression="attribute_not_exists(pk)"
                )
                count += 1
            except dynamodb.exceptions.ConditionalCheckFailedException:
                continue
    return count


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("command", choices=["drill", "table", "rows", "rebuild"])
    arguments.add_argument("environment", choices=sorted(durable_stacks()), help="a section of samconfig.toml")
    arguments.add_argument("table", nargs="?", choices=sorted(KINDS))
    arguments.add_argument("--source", help=f"{', '.join(SOURCES)}, or the ARN of a backup of DynamoDB's own")
    arguments.add_argument("--point", type=datetime.datetime.fromisoformat, help="such as 2026-03-02T09:00:00Z")
    arguments.add_argument("--keep", action="store_true", help="leave the copies of a drill")
    arguments.add_argument("--copy", help="the table to copy rows from")
    arguments.add_argument("--of", help="the lost stack that is rebuilt, such as aviso-production")
    arguments.add_argument("--vault", help="the vault in this region with the lost stack's copies")
    arguments.add_argument("--owner", help="whose rows: what their pk is or begins with, such as P#partner#U#user")
    o = arguments.parse_args()
    if o.source and o.source not in SOURCES and not o.source.startswith("arn:"):
        sys.exit(f"FROM={o.source}: want {', '.join(SOURCES)} or an ARN")
    if o.point and not o.point.tzinfo:
        sys.exit("POINT needs a time zone, such as Z")
    if o.command in ("table", "rows") and not o.table or o.command == "rows" and not (o.copy and o.owner):
        sys.exit("missing: TABLE, and for rows COPY and OWNER")
    if o.command == "rebuild" and not (o.of and o.vault):
        sys.exit("missing: --of and --vault")
    stack = Stack(o.environment)
    if o.command == "rows":
        print(f"Copied {copy_rows(stack, o.table, o.copy, o.owner)} rows to {stack.physical[o.table]}.")
        return
    if o.command == "drill":
        usual = stack.in_vault() if o.source == "vault" else stack.durable()
        problems = drill(stack, [o.table] if o.table else usual, o.source or "point", o.point, o.keep)
    elif o.command == "rebuild":
        stack.lost, stack.vault = o.of, o.vault
        problems = rebuild(stack, o.point)
    else:
        problems = replace(stack, o.table, o.source or "deletion", o.point)
    if problems:
        sys.exit("\n".join(["", "Problems:", *problems]))


if __name__ == "__main__":
    main()
