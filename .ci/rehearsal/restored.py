"""Rehearses the restore drill of ../restore.py on moto; run.py calls it.

The tables hold the golden rows, which old versions of the service have written.
"""

import base64
import contextlib
import datetime
import hashlib
import io
import json
import logging
import sys
import warnings
from unittest import mock

import services
from botocore.exceptions import ClientError
from engine import ACCOUNT, CHECKOUT, ELSEWHERE, REGION, Account, Refused, environments, go_to, packaged, step
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import RestoredPITTable, RestoredTable

import restore
import tables

STACK = "aviso-production"


def encrypted_and_billed(params, source):
    """AWS restores a table with its key and as it was told to bill it. moto forgets both."""
    key = {"Enabled": True, "KMSMasterKeyId": source.sse_specification["KMSMasterKeyId"]}
    return {**params, "sse_specification": key, "billing_mode": "PAY_PER_REQUEST"}


def as_aws(stack):
    """Returns patches for what moto does otherwise than AWS, and a vault, which it does not have."""
    point, backup = RestoredPITTable._parse_params_from_table, RestoredTable._parse_params_from_backup
    patches = contextlib.ExitStack()
    for patch in (
        mock.patch.object(
            RestoredPITTable, "_parse_params_from_table", lambda self, t: encrypted_and_billed(point(self, t), t)
        ),
        mock.patch.object(
            RestoredTable, "_parse_params_from_backup", lambda self, b: encrypted_and_billed(backup(self, b), b.table)
        ),
        mock.patch.object(restore, "AT_ONCE", 1),
        mock.patch.object(tables, "POLL", 0),
    ):
        patches.enter_context(patch)
    events = tables.client("backup").meta.events
    for operation, answer in vault(stack).items():
        # boto3 has compared the arguments with AWS's definition of the API before it comes to this.
        events.register(f"before-call.backup.{operation}", answer, unique_id=operation)
    return patches


def vault(stack):
    """AWS Backup with one copy of each table, made when the table is first asked for."""

    def answer(**parsed):
        return mock.Mock(status_code=200), parsed

    def listed(params, **_):
        name = params["query_string"]["resourceArn"].split("/")[-1]
        made = services.call("dynamodb", "create_backup", TableName=name, BackupName="vault")["BackupDetails"]
        old = {"RecoveryPointArn": "old", "Status": "COMPLETED", "CreationDate": restore_time(days=2)}
        new = {"RecoveryPointArn": made["BackupArn"], "Status": "COMPLETED", "CreationDate": restore_time(hours=7)}
        torn = {"RecoveryPointArn": "torn", "Status": "PARTIAL", "CreationDate": restore_time(hours=1)}
        return answer(RecoveryPoints=[old, new, torn])

    def started(params, **_):
        wanted = json.loads(params["body"])
        role = services.call("iam", "get_role", RoleName=stack.physical["RestoreRole"])["Role"]["Arn"]
        if wanted["IamRoleArn"] != role or wanted["Metadata"].get("encryptionType") != "Default":
            raise Refused(f"the restore job was started with {wanted}")
        name, arn = wanted["Metadata"]["targetTableName"], wanted["RecoveryPointArn"]
        services.call("dynamodb", "restore_table_from_backup", TargetTableName=name, BackupArn=arn)
        return answer(RestoreJobId="1")

    return {
        "ListRecoveryPointsByBackupVault": listed,
        "GetRecoveryPointRestoreMetadata": lambda **_: answer(RestoreMetadata={"encryptionType": "Default"}),
        "StartRestoreJob": started,
        "DescribeRestoreJob": lambda **_: answer(Status="COMPLETED"),
    }


def restore_time(**ago):
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**ago)


def filled(stack):
    """Puts the golden rows into the stack's tables, and a sealed one that its secret opens."""
    for page in sorted(CHECKOUT.glob("internal/**/testdata/golden.json")):
        for table, rows in json.loads(page.read_text()).items():
            # What tests have sealed, no secret opens.
            for row in rows if table in tables.KINDS and table in stack.physical else []:
                if restore.kind(table, row) not in tables.SEALED:
                    put(stack, table, row)
    vector = json.loads((CHECKOUT / "internal/secret/keyring/testdata/sealed.json").read_text())
    put(stack, "NotificationTable", {
        "pk": {"S": vector["pk"]}, "sk": {"S": vector["sk"]}, "key": {"B": vector["sealed"]},
    })
    sealing(stack, vector["root"])


def sealing(stack, root):
    secret = {"SecretId": stack.physical["WebhookSecret"], "SecretString": json.dumps({"current": root})}
    services.call("secretsmanager", "put_secret_value", **secret)


def put(stack, table, row):
    """Puts a row in DynamoDB's JSON, where bytes are in base64."""
    item = {
        name: {"B": base64.b64decode(value["B"])} if "B" in value else value for name, value in row.items()
    }
    services.call("dynamodb", "put_item", TableName=stack.physical[table], Item=item)


def drilled(stack, names, source="point"):
    """Runs a drill in silence, and returns what it printed and what it found wrong."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        problems = restore.drill(stack, names, source, None, keep=False)
    left = services.call("dynamodb", "list_tables")["TableNames"]
    if left := [name for name in left if restore.COPY in name]:
        raise Refused(f"the drill left {left}")
    return output.getvalue(), problems


def without(setting):
    """A drill that forgets to set something again."""
    return mock.patch.dict(tables.SETTERS, {setting: lambda *_: None})


def torn(stack, logical, target, point):
    """Restores a table and loses a fifth of it."""
    state = restore.from_point(stack, logical, target, point)
    rows = restore.sample(target, 1000)
    for row in rows[: len(rows) // 5]:
        services.call("dynamodb", "delete_item", TableName=target, Key={"pk": row["pk"], "sk": row["sk"]})
    return state


def busy_once():
    """A setter that DynamoDB refuses the first time."""
    error = {"Error": {"Code": "ContinuousBackupsUnavailableException"}}
    refused = [ClientError(error, "UpdateContinuousBackups")]

    def setter(*arguments):
        if refused:
            raise refused.pop()
        tables.recover(*arguments)

    return mock.patch.dict(tables.SETTERS, {"point-in-time recovery": setter})


# What a drill of one table must notice: the defect, the table and what the drill says.
DEFECTS = (
    *(
        (without(setting), "PfmTable", f"PfmTable: {setting} differs from template.yaml")
        for setting in ("TTL", "point-in-time recovery", "deletion protection", "tags", "warm throughput")
    ),
    (without("stream"), "OutboxTable", "OutboxTable: stream differs from template.yaml"),
    (
        mock.patch.object(tables.Stack, "sealing", lambda _: ["x" * 64]),
        "NotificationTable",
        "no root secret opens 1 of 1 sealed rows",
    ),
    (
        mock.patch.dict(tables.KINDS, {"IdentityTable": ["TERMS TERMS"]}),
        "IdentityTable",
        "19 rows that docs/data-model.md does not know",
    ),
    (mock.patch.dict(restore.SOURCES, {"point": torn}), "CancellationTable", "only 30 of 37 rows of the table in use"),
)


def noticed(stack):
    """Puts a defect into a drill, one by one."""
    for defect, table, want in DEFECTS:
        with defect:
            _, problems = drilled(stack, [table])
        if not any(want in problem for problem in problems):
            raise Refused(f"the drill did not say {want!r}, but {problems}")
    with busy_once():
        _, problems = drilled(stack, ["PfmTable"])
    if problems:
        raise Refused(f"the drill gave up on a table that was not ready: {problems}")


def gone(stack, table):
    """Deletes a table of the stack. Returns a backup of it."""
    name = stack.physical[table]
    made = services.call("dynamodb", "create_backup", TableName=name, BackupName="last")["BackupDetails"]
    services.call("dynamodb", "update_table", TableName=name, DeletionProtectionEnabled=False)
    services.call("dynamodb", "delete_table", TableName=name)
    return made


def replaced(account, stack, parameters):
    """Restores tables that are gone under their names, and updates the stack."""
    for table, want in (("CancellationTable", "is there"), ("OutboxTable", "stream")):
        if want not in restore.replace(stack, table, "vault", None)[0]:
            raise Refused(f"{table} was replaced")
    lost = ("CancellationTable", "PfmTable")
    before = {table: len(restore.sample(stack.physical[table], 1000)) for table in lost}
    backups = {table: gone(stack, table) for table in lost}
    # moto keeps no backup by itself.
    kept = {"BackupSummaries": [{k: backups["PfmTable"][k] for k in ("BackupArn", "BackupCreationDateTime")}]}
    with (
        contextlib.redirect_stdout(io.StringIO()),
        mock.patch.object(tables.client("dynamodb"), "list_backups", lambda **_: kept),
    ):
        problems = restore.replace(stack, "CancellationTable", backups["CancellationTable"]["BackupArn"], None)
        problems += restore.replace(stack, "PfmTable", "deletion", None)
    if problems:
        raise Refused("\n".join(problems))
    changed = {**parameters, "RateLimitPerMinute": "1234"}
    account.deploy("update_stack", STACK, packaged("code-2", changed), changed)
    now = tables.Stack("production")
    if {table: len(restore.sample(now.physical[table], 1000)) for table in lost} != before:
        raise Refused("the stack has other tables than before, or other rows")


def copied_back(stack):
    """Loses a user's rows, and copies them back from a copy beside newer ones."""
    name, pk = stack.physical["PfmTable"], "P#sandbox#U#1b4e28ba-2fa1-4d1e-883f-0016d3cca427"
    target = f"{name}{restore.COPY}1"
    restore.from_point(stack, "PfmTable", target, None)
    rows = [row for row in restore.sample(name, 1000) if row["pk"]["S"] == pk]
    for row in rows[1:]:
        services.call("dynamodb", "delete_item", TableName=name, Key={"pk": row["pk"], "sk": row["sk"]})
    services.call("dynamodb", "put_item", TableName=name, Item={**rows[0], "newer": {"S": "x"}})
    if restore.copy_rows(stack, "PfmTable", target, "P#sand"):
        raise Refused("copied rows of another partner back")
    count = restore.copy_rows(stack, "PfmTable", target, "P#sandbox")
    restore.delete(target)
    now = {row["sk"]["S"]: row for row in restore.sample(name, 1000) if row["pk"]["S"] == pk}
    if count != len(rows) - 1 or len(now) != len(rows) or "newer" not in now[rows[0]["sk"]["S"]]:
        raise Refused(f"copied {count} of {len(rows) - 1} rows back")


def revives_nobody(stack):
    """Erases a user after a copy was made, and looks for the user in every restored table."""
    erased, user = "P#sandbox#U#9c4e28ba-2fa1-4d1e-883f-0016d3cca427", "9c4e28ba-2fa1-4d1e-883f-0016d3cca427"
    other = "P#sandbox#U#1b4e28ba-2fa1-4d1e-883f-0016d3cca427"
    mine = (
        ("PfmTable", {"pk": {"S": erased}, "sk": {"S": "C#1"}}),
        ("PfmTable", {"pk": {"S": "CONNECTION#1"}, "sk": {"S": "OWNER"}, "partner": {"S": "sandbox"}, "user": {"S": user}}),
        ("IdentityTable", {"pk": {"S": erased}, "sk": {"S": "USER"}}),
        ("IdentityTable", {"pk": {"S": "P#sandbox#X#abc"}, "sk": {"S": "EXTERNAL"}, "userId": {"S": user}}),
        ("IdentityTable", {"pk": {"S": "CLOCKS"}, "sk": {"S": erased}}),
    )
    for table, row in mine:
        put(stack, table, row)
    put(stack, "PfmTable", {"pk": {"S": other}, "sk": {"S": "C#2"}})
    digest = hashlib.sha256(erased.encode()).hexdigest()
    made = {table: gone_copy(stack, table) for table in ("PfmTable", "IdentityTable")}
    at = str(int(datetime.datetime.now().timestamp() * 1000))
    put(stack, "IdentityTable", {"pk": {"S": "ERASED"}, "sk": {"S": digest}, "at": {"N": at}})
    for table, arn in made.items():
        target = f"{stack.physical[table]}{restore.COPY}2"
        with contextlib.redirect_stdout(io.StringIO()):
            restore.restore(stack, table, target, arn, None)
        rows = restore.sample(target, 1000)
        if left := [row for row in rows if user in repr(row)]:
            raise Refused(f"{table}: a restore revived {left}")
        if table == "PfmTable" and not any(row["pk"]["S"] == other and row["sk"]["S"] == "C#2" for row in rows):
            raise Refused("a restore deleted another user's row")
        if table == "IdentityTable" and not any(row["sk"]["S"] == digest for row in rows):
            raise Refused("a restore forgot who was erased")
        if restore.copy_rows(stack, table, target, erased):
            raise Refused("rows of an erased user were copied back")
        restore.delete(target)
    for table, row in mine:
        services.call("dynamodb", "delete_item", TableName=stack.physical[table], Key={"pk": row["pk"], "sk": row["sk"]})


def gone_copy(stack, table):
    """Returns the ARN of a backup of a table."""
    made = services.call("dynamodb", "create_backup", TableName=stack.physical[table], BackupName="before")
    return made["BackupDetails"]["BackupArn"]


# --- A lost region ---------------------------------------------------------------


def copies_of(stack):
    """What AWS Backup copies to the other region: each table's rows, and how to create the table."""
    found = {}
    for logical in stack.in_vault():
        table = services.call("dynamodb", "describe_table", TableName=stack.physical[logical])["Table"]
        made = {key: table[key] for key in ("KeySchema", "AttributeDefinitions")}
        for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
            if table.get(kind):
                made[kind] = [{key: index[key] for key in ("IndexName", "KeySchema", "Projection")} for index in table[kind]]
        found[table["TableArn"]] = made, restore.sample(stack.physical[logical], 1000)
    return found


def copy_vault(copies):
    """Answers for the vault in the other region, whose copies keep the ARNs of the lost tables and their key."""
    def answer(**parsed):
        return mock.Mock(status_code=200), parsed

    def listed(params, **_):
        if "/aviso-copies/" not in params["url_path"]:
            raise Refused(f"the rebuild asked for {params['url_path']}")
        made = [
            {"RecoveryPointArn": arn, "ResourceArn": arn, "Status": "COMPLETED", "CreationDate": restore_time(hours=7)} for arn in copies
        ]
        other = {**made[0], "RecoveryPointArn": "other", "ResourceArn": made[0]["ResourceArn"].replace("production", "acceptance")}
        return answer(RecoveryPoints=[{**other, "CreationDate": restore_time(hours=1)}, *made])

    def started(params, **_):
        wanted = json.loads(params["body"])
        if "kmsMasterKeyArn" in wanted["Metadata"]:
            raise Refused("the rebuild uses the lost region's key")
        made, rows = copies[wanted["RecoveryPointArn"]]
        name = wanted["Metadata"]["targetTableName"]
        services.call("dynamodb", "create_table", TableName=name, BillingMode="PAY_PER_REQUEST", **made)
        for row in rows:
            services.call("dynamodb", "put_item", TableName=name, Item=row)
        return answer(RestoreJobId="1")

    metadata = {"encryptionType": "KMS", "kmsMasterKeyArn": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/lost"}
    return {
        "ListRecoveryPointsByBackupVault": listed,
        "GetRecoveryPointRestoreMetadata": lambda **_: answer(RestoreMetadata=metadata),
        "StartRestoreJob": started,
        "DescribeRestoreJob": lambda **_: answer(Status="COMPLETED"),
    }


def keyed(name, key):
    """Changes a table's key, which moto takes and forgets."""
    specification = {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": key}
    services.call("dynamodb", "update_table", TableName=name, SSESpecification=specification)
    dynamodb_backends[ACCOUNT][services.region()].get_table(name).sse_specification = specification


def rebuilt():
    """Loses a region, and rebuilds its stack in another from the copies and the replicas of its secrets."""
    far = {**tables.durable_stacks(), "production-far": {**tables.durable_stacks()["production"], "region": ELSEWHERE}}
    options = {"SecretsReplicaRegion": ELSEWHERE, "BackupCopyVaultArn": f"arn:aws:backup:{ELSEWHERE}:{ACCOUNT}:backup-vault:aviso-copies"}
    silence = contextlib.redirect_stdout(io.StringIO())
    with (
        Account() as account,
        mock.patch.object(tables, "POLL", 0),
        mock.patch.object(tables, "durable_stacks", lambda: far),
        mock.patch.dict(tables.SETTERS, {"key": keyed}),
    ):
        parameters = {**environments()["production"], **options}
        account.deploy("create_stack", STACK, packaged("code-1", parameters), parameters)
        old = tables.Stack("production")
        with silence:
            filled(old)
        copies = copies_of(old)
        roots = [services.call("secretsmanager", "get_secret_value", SecretId=old.physical[r])["SecretString"] for r in tables.ROOTS]
        go_to(ELSEWHERE)
        tables.client.cache_clear()
        try:
            parameters = environments()["production"]
            account.deploy("create_stack", STACK, packaged("code-1", parameters), parameters)
            new = tables.Stack("production-far")
            new.lost, new.vault = STACK, "aviso-copies"
            events = tables.client("backup").meta.events
            for operation, reply in copy_vault(copies).items():
                events.register(f"before-call.backup.{operation}", reply, unique_id=operation)
            with mock.patch.object(restore, "take_roots", lambda _: []), silence:
                unsealed = restore.restore(new, "NotificationTable", f"{STACK}-NotificationTable{restore.COPY}1", "vault", None)
            if not any("no root secret opens" in problem for problem in unsealed):
                raise Refused(f"the rebuild did not miss the lost region's secrets: {unsealed}")
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                problems = restore.rebuild(new, None)
            if problems:
                raise Refused("\n".join(problems))
            now = [services.call("secretsmanager", "get_secret_value", SecretId=new.physical[r])["SecretString"] for r in tables.ROOTS]
            if now != roots:
                raise Refused("the rebuilt stack has other root secrets")
            account.deploy("update_stack", STACK, packaged("code-2", parameters), parameters)
            if not any("this is not a new stack" in problem for problem in restore.rebuild(new, None)):
                raise Refused("a stack in use was rebuilt")
            return sum(len(rows) for _, rows in copies.values())
        finally:
            go_to(REGION)
            tables.client.cache_clear()


def rehearse():
    with Account() as account:
        parameters = {**environments()["production"], "WarmTables": "true"}
        account.deploy("create_stack", STACK, packaged("code-1", parameters), parameters)
        stack = tables.Stack("production")
        with as_aws(stack):
            with contextlib.redirect_stdout(io.StringIO()):  # moto wants Docker for the stream's function
                filled(stack)
            for source, names in (("point", stack.durable()), ("vault", stack.in_vault())):
                output, problems = drilled(stack, names, source)
                if problems:
                    raise Refused("\n".join(problems))
            print(output, end="")
            step("restored every table, from a point in time and from the vault, checked and deleted the copies")
            noticed(stack)
            step("noticed what a restore forgets: settings, rows, and a secret that does not fit")
            copied_back(stack)
            revives_nobody(stack)
            step("restored tables that revive nobody who has been erased since")
            replaced(account, stack, parameters)
            step("copied lost rows back; restored deleted tables under their names, and updated the stack")
    tables.client.cache_clear()
    step(f"rebuilt a lost stack in {ELSEWHERE} from the copies there: {rebuilt()} rows, and the root secrets that open them")


def main():
    warnings.filterwarnings("ignore")
    logging.disable()
    rehearse()


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"\nThe rehearsal failed: {refused}")
