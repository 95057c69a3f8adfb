"""The bootstrap stack, whose rights are compared with what AWS says each type needs."""

import fnmatch
import itertools
import json
import re
from collections import defaultdict

import services
from engine import ACCOUNT, BOOTSTRAP, REGION, Refused, packaged, registered, violations
from samtranslator.yaml_helper import yaml_parse

# What CloudFormation may touch, and what belongs to others in the account.
LIMITS = {"ApiId": "*", "ApiDomain": "*.api.example.com", "MailDomain": "letters.*.example.com"}
FOREIGN = {
    "apigateway:DELETE": "apigateway:{region}::/domainnames/example.org",
    "backup:DeleteBackupPlan": "backup:{region}:{account}:backup-plan:5f0f7b1c",
    "lambda:DeleteEventSourceMapping": "lambda:{region}:{account}:event-source-mapping:5f0f7b1c",
    "route53:ChangeResourceRecordSets": "route53:::hostedzone/Z0FOREIGN",
    "secretsmanager:GetSecretValue": "secretsmanager:{region}:{account}:secret:payroll-AbCdEf",
    "ses:DeleteEmailIdentity": "ses:{region}:{account}:identity/example.org",
    "kms:Decrypt": "kms:{region}:{account}:key/5f0f7b1c",
    "iam:DeleteRole": "iam::{account}:role/aviso-bootstrap-CloudFormationRole-1",
}

# Rights on AWS's list for a type that the template has no use for.
UNUSED = {
    "AWS::ApiGatewayV2::DomainName": "s3:",  # the trust store of client certificates
    "AWS::ApiGatewayV2::Stage": "apigateway:(Tag|Untag)Resource",  # IAM knows it as PUT and DELETE
    # A lock is never taken off, the vault has no policy or topic, and IAM knows no right to mount but the capsule.
    "AWS::Backup::BackupVault": "backup:DeleteBackupVaultLock|backup:(Put|Delete)BackupVault(Access|Notif)|"
    "backup-storage:Mount$",
    # Logs and functions at the edge, origins in S3, and rights that are asked for beside IAM's own.
    "AWS::CloudFront::Distribution": "cloudfront:.*(Origin|Tenant|Web ?ACL|Connection)|s3:|logs:|firehose:|lambda:|delivery|wafv2:",
    "AWS::DynamoDB::Table": "kinesis:|s3:",  # streams to Kinesis, imports
    "AWS::IAM::Role": "iam:(Attach|Detach)RolePolicy|iam:DeleteRolePermissionsBoundary|iam:ListRoles",
    "AWS::Lambda::EventSourceMapping": "kafka|ec2:|secretsmanager:|mq:|docdb|kinesis:|glue:",
    "AWS::Lambda::Function": "ec2:|elasticfilesystem:|s3files:|s3:GetObjectVersion"
    "|lambda:.*(Layer|Capacity)",
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


def bootstrapped(account, name="aviso-bootstrap"):
    """Creates the bootstrap stack in the current region, and returns what sam and CloudFormation get of it."""
    template = json.loads(json.dumps(yaml_parse(BOOTSTRAP.read_text())))
    parameters = {"Repository": "example/aviso", "AlertEmail": "costs@example.com", **LIMITS, "HostedZoneId": account.zone}
    if owned := account.output(name, "GitHubProviderArn"):
        parameters["GitHubProviderArn"] = owned
    account.deploy("create_stack", name, template, parameters)
    if problems := list(violations(account)):
        raise Refused("\n".join(problems))
    return account.output(name, "FunctionBoundaryArn")


def enough(account):
    """Compares the rights of CloudFormation's role with what AWS says each type needs."""
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


def harmless(account):
    """Checks that neither CloudFormation's role nor the boundary reaches what belongs to others."""
    for logical in ("StackRights", "StackRoles", "FunctionBoundary"):
        _, policy = account.resolved["aviso-bootstrap", logical]
        allowed, denied = [
            [s for s in policy["PolicyDocument"]["Statement"] if s["Effect"] == effect] for effect in ("Allow", "Deny")
        ]
        for action, resource in FOREIGN.items():
            arn = "arn:aws:" + resource.format(region=REGION, account=ACCOUNT)
            if any(covers(s, action, arn, {}, "") for s in allowed) and not any(covers(s, action, arn, {}, "") for s in denied):
                raise Refused(f"{logical} allows {action} on {arn}")


def listed(value):
    return value if isinstance(value, list) else [value]


def within(account, boundary):
    """Compares every right of every role with its boundary: by action, by resource and by condition."""
    document = json.loads(json.dumps(
        services.call("iam", "get_policy_version", PolicyArn=boundary, VersionId="v1")["PolicyVersion"]["Document"]
    ))
    count, missing = 0, set()
    for (stack, logical), (kind, role) in account.resolved.items():
        if kind != "AWS::IAM::Role" or role.get("PermissionsBoundary") != boundary:
            continue
        principal = f"arn:aws:iam::{ACCOUNT}:role/{stack}-{logical}-1"
        for policy in role.get("Policies", []):
            for grant in policy["PolicyDocument"]["Statement"]:
                for action, resource in itertools.product(listed(grant["Action"]), listed(grant["Resource"])):
                    count += 1
                    if not any(covers(s, action, resource, grant.get("Condition", {}), principal) for s in document["Statement"]):
                        missing.add(f"{stack} {logical}: {action} on {resource}")
    if missing:
        raise Refused("the boundary takes:\n" + "\n".join(sorted(missing)))
    return count


def covers(statement, action, resource, conditions, principal):
    """Reports whether a statement of the boundary allows all that a role's statement does."""
    def fits(text, patterns):
        return any(fnmatch.fnmatchcase(text, pattern) for pattern in listed(patterns))

    for operator, limits in statement.get("Condition", {}).items():
        for key, allowed in limits.items():
            asked = [principal] if key == "aws:PrincipalArn" else listed(conditions.get(operator, {}).get(key, []))
            if not asked or not all(fits(value, allowed) for value in asked):
                return False
    return fits(action.lower(), [a.lower() for a in listed(statement["Action"])]) and fits(resource, statement["Resource"])
