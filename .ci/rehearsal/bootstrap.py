"""The bootstrap stack, whose rights are compared with what AWS says each type needs."""

import fnmatch
import json
import re
from collections import defaultdict

from engine import BOOTSTRAP, Refused, packaged, registered, same, step, violations
from samtranslator.yaml_helper import yaml_parse

# Rights on AWS's list for a type that the template has no use for.
UNUSED = {
    "AWS::ApiGatewayV2::DomainName": "s3:",  # the trust store of client certificates
    "AWS::ApiGatewayV2::Stage": "apigateway:(Tag|Untag)Resource",  # IAM knows it as PUT and DELETE
    # A lock is never taken off, the vault has no policy or topic, and IAM knows no right to mount but the capsule.
    "AWS::Backup::BackupVault": "backup:DeleteBackupVaultLock|backup:(Put|Delete)BackupVault(Access|Notif)|"
    "backup-storage:Mount$",
    "AWS::DynamoDB::Table": "kinesis:|s3:",  # streams to Kinesis, imports
    "AWS::IAM::Role": "iam:(Attach|Detach)RolePolicy|iam:DeleteRolePermissionsBoundary|iam:ListRoles",
    "AWS::Lambda::EventSourceMapping": "kafka|ec2:|secretsmanager:|mq:|docdb|kinesis:|glue:",
    "AWS::Lambda::Function": "ec2:|elasticfilesystem:|s3files:|s3:GetObjectVersion"
    "|lambda:.*(CodeSigning|Layer|Capacity)",
    "AWS::Logs::LogGroup": "firehose:|s3:",  # where logs are delivered to
    "AWS::Route53::RecordSet": "route53:ListHostedZones",  # a zone by its name
}


def rights(account, role):
    """The actions that a role of the bootstrap stack is allowed."""
    resolved = {logical: properties for (_, logical), (_, properties) in account.resolved.items()}
    allowed = []
    for name in role:
        for statement in resolved[name]["PolicyDocument"]["Statement"]:
            if statement["Effect"] == "Allow":
                actions = statement["Action"]
                allowed += [actions] if isinstance(actions, str) else actions
    return allowed


def lacks(allowed, actions):
    return sorted(a for a in actions if not any(fnmatch.fnmatchcase(a.lower(), p.lower()) for p in allowed))


def bootstrapped(account):
    """Creates the bootstrap stack, and compares its rights with what AWS says each type needs."""
    template = json.loads(json.dumps(yaml_parse(BOOTSTRAP.read_text())))
    parameters = {"Repository": "example/aviso", "AlertEmail": "costs@example.com"}
    account.deploy("create_stack", "aviso-bootstrap", template, parameters)
    if problems := list(violations(account)):
        raise Refused("\n".join(problems))
    deploys = rights(account, ["StackRights", "StackRoles"])
    resources = packaged("code-1", {"GradualDeployment": "true"})["Resources"]
    missing = defaultdict(set)
    for kind in sorted({r["Type"] for r in resources.values()}):
        for handler in registered(kind).get("handlers", {}).values():
            needed = [a for a in handler["permissions"] if not re.match(UNUSED.get(kind, "$"), a)]
            for action in lacks(deploys, needed):
                missing[kind].add(action)
    if missing:
        lines = [f"{kind}: {', '.join(sorted(names))}" for kind, names in missing.items()]
        raise Refused("CloudFormation's role lacks:\n" + "\n".join(lines))
    boundary = rights(account, ["FunctionBoundary"])
    for logical, role in resources.items():
        if role["Type"] == "AWS::IAM::Role":
            if "PermissionsBoundary" not in role["Properties"]:
                raise Refused(f"{logical} has no boundary, so CloudFormation's role may not create it")
            if missing := lacks(boundary, actions(role["Properties"].get("Policies", []))):
                raise Refused(f"the boundary takes {', '.join(missing)} from {logical}")
    kept = account.remove("aviso-bootstrap")
    same("left after deleting the bootstrap stack", account.left(), kept)
    step("created and deleted the bootstrap stack; its rights cover every type and every function")


def actions(value):
    """Every action in a value, at any depth."""
    if isinstance(value, list):
        return [a for inner in value for a in actions(inner)]
    if not isinstance(value, dict):
        return []
    found = actions(list(value.values()))
    if "Effect" in value:
        found += [value["Action"]] if isinstance(value["Action"], str) else value["Action"]
    return found
