"""The bootstrap stack: its size, what its policies may not reach, and the boundary of the functions."""

import itertools
import json
import re

import boto3
import services
from engine import ACCOUNT, BOOTSTRAP, REGION, Account, Refused, go_to, violations
from rights import covers, listed
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

# The policies of CloudFormation's role.
ROLE = ("StackRights", "StackData", "StackRoles")

# The longest values that the parameters take: names in DNS, and IDs of Route 53.
LONGEST = {"ApiDomain": "a" * 253, "MailDomain": "m" * 253, "HostedZoneId": "Z" * 32, "Repository": "o" * 39 + "/" + "r" * 100}
# https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html, in characters without white space.
MANAGED, INLINE, TRUST = 6144, 10240, 2048


def bootstrapped(account, name="aviso-bootstrap", defect=lambda template: None, **longest):
    """Creates the bootstrap stack in the current region, and returns what sam and CloudFormation get of it."""
    template = json.loads(json.dumps(yaml_parse(BOOTSTRAP.read_text())))
    defect(template)
    parameters = {"Repository": "example/aviso", "AlertEmail": "costs@example.com", **LIMITS, "HostedZoneId": account.zone, **longest}
    if owned := account.output(name, "GitHubProviderArn"):
        parameters["GitHubProviderArn"] = owned
    account.deploy("create_stack", name, template, parameters)
    if problems := list(violations(account)):
        raise Refused("\n".join(problems))
    return account.output(name, "FunctionBoundaryArn")


def policies(account):
    return [account.resolved["aviso-bootstrap", name][1]["PolicyDocument"] for name in ROLE]


def size(document):
    return len(re.sub(r"\s", "", json.dumps(document)))


def small_enough(account):
    """Compares the policies of every role and managed policy with what IAM takes. Returns the largest managed one."""
    largest = 0
    for (stack, logical), (kind, properties) in account.resolved.items():
        if kind == "AWS::IAM::ManagedPolicy":
            largest = max(largest, size(properties["PolicyDocument"]))
            limits = {MANAGED: size(properties["PolicyDocument"])}
        elif kind == "AWS::IAM::Role":
            inline = sum(size(policy["PolicyDocument"]) for policy in properties.get("Policies", []))
            limits = {INLINE: inline, TRUST: size(properties["AssumeRolePolicyDocument"])}
        else:
            continue
        for limit, characters in limits.items():
            if characters > limit:
                raise Refused(f"{stack} {logical} has {characters:,} characters of policy, and IAM takes {limit:,}")
    return largest


def longest_names(defect=lambda template: None):
    """Creates the bootstrap stack with the longest names there are, in the region with the longest name."""
    with Account() as account:
        go_to(max(boto3.session.Session().get_available_regions("lambda"), key=len))
        try:
            bootstrapped(account, defect=defect, **LONGEST)
            return small_enough(account)
        finally:
            go_to(REGION)


def harmless(account):
    """Checks that neither CloudFormation's role nor the boundary reaches what belongs to others."""
    for logical in (*ROLE, "FunctionBoundary"):
        _, policy = account.resolved["aviso-bootstrap", logical]
        allowed, denied = [
            [s for s in policy["PolicyDocument"]["Statement"] if s["Effect"] == effect] for effect in ("Allow", "Deny")
        ]
        for action, resource in FOREIGN.items():
            arn = "arn:aws:" + resource.format(region=REGION, account=ACCOUNT)
            if any(covers(s, action, arn, {}) for s in allowed) and not any(covers(s, action, arn, {}) for s in denied):
                raise Refused(f"{logical} allows {action} on {arn}")


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
                    keys = {"aws:PrincipalArn": principal, **{k: v for c in grant.get("Condition", {}).values() for k, v in c.items()}}
                    if not any(covers(s, action, resource, keys) for s in document["Statement"]):
                        missing.add(f"{stack} {logical}: {action} on {resource}")
    if missing:
        raise Refused("the boundary takes:\n" + "\n".join(sorted(missing)))
    return count
