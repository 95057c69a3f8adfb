"""Judges the rights of CloudFormation's role by what AWS publishes about itself.

The registry's schema of a type names the actions that its handlers call. The Service Authorization
Reference, which cfn-lint ships, says on which form of ARN IAM decides an action, and botocore which
permissions must be "scoped to *". So a new type in template.yaml needs nothing here, unless its ARN
has another name in it than its physical ID.
"""

import fnmatch
import functools
import gzip
import itertools
import json
import pathlib
import re
from collections import Counter, defaultdict

import botocore
import cfnlint
import services
from engine import ACCOUNT, BUCKET, Refused, registered

# With what a handler is called in a deployment. `list` serves other tools.
HANDLERS = ("create", "read", "update", "delete")

# What a type's ARN has in it where that is not the physical ID, or for each resource of IAM's, if
# the type has actions on several. The reference cuts forms off at the first name.
NAMES = {
    "AWS::ApiGatewayV2::Api": {"apis": "", "api": "{id}", "tags": "{id}"},
    "AWS::ApiGatewayV2::ApiMapping": {"apimappings": "{DomainName}/apimappings", "apimapping": "{DomainName}/apimappings/{id}"},
    "AWS::ApiGatewayV2::DomainName": {"domainnames": "", "domainname": "{id}", "tags": "{id}"},
    "AWS::ApiGatewayV2::Stage": {"stages": "{ApiId}/stages", "stage": "{ApiId}/stages/{id}", "tags": "{id}"},
    "AWS::Backup::BackupSelection": "{BackupPlanId}",
    "AWS::CodeDeploy::DeploymentGroup": {
        "application": "{ApplicationName}", "deploymentgroup": "{ApplicationName}/{id}", "deploymentconfig": "{DeploymentConfigName}"
    },
    "AWS::Lambda::Alias": {  # CodeDeploy moves it
        "function": "{FunctionName}", "function alias": "{FunctionName}", "application": "{ApplicationName}",
        "deploymentgroup": "{ApplicationName}/{DeploymentGroupName}", "deploymentconfig": "{DeploymentConfigName}",
    },
    "AWS::Lambda::EventInvokeConfig": "{FunctionName}",
    "AWS::Lambda::Permission": "{FunctionName}",
    "AWS::Lambda::Version": "{FunctionName}",
    "AWS::Logs::MetricFilter": "{LogGroupName}",
    "AWS::Logs::SubscriptionFilter": "{LogGroupName}",
    "AWS::Route53::RecordSet": {"hostedzone": "{HostedZoneId}", "change": "C0123456789"},
    "AWS::S3::BucketPolicy": "{Bucket}",
    "AWS::SES::ConfigurationSetEventDestination": "{ConfigurationSetName}",
    "AWS::Scheduler::Schedule": "default/{id}",
}

# Who runs as the role that a type is given.
PASSED_TO = {
    "AWS::Backup::BackupSelection": "backup",
    "AWS::CodeDeploy::DeploymentGroup": "codedeploy",
    "AWS::Lambda::Function": "lambda",
    "AWS::Scheduler::Schedule": "scheduler",
}

# Actions on a type's list that this template has no use for.
UNUSED = {
    "AWS::ApiGatewayV2::DomainName": "s3:",  # the trust store of client certificates
    "AWS::Backup::BackupPlan": "iam:",  # the selection has the role
    # A lock is never taken off, and the vault has no policy or topic.
    "AWS::Backup::BackupVault": "backup:DeleteBackupVaultLock|backup:(Put|Delete)BackupVault(Access|Notif)",
    # Origins in S3 or a VPC, and tenants.
    "AWS::CloudFront::Distribution": "cloudfront:.*(Origin|Tenant|Connection)|s3:|logs:|firehose:|lambda:",
    "AWS::CodeDeploy::DeploymentGroup": "codedeploy:RegisterOnPremises",
    "AWS::DynamoDB::Table": "dynamodb:.*Import|iam:|kinesis:|logs:|s3:",  # replicas, streams to Kinesis, imports
    "AWS::IAM::Role": "iam:(Attach|Detach)RolePolicy|iam:DeleteRolePermissionsBoundary",
    "AWS::Lambda::EventSourceMapping": "kafka|ec2:|mq:|docdb|kinesis:|glue:",
    "AWS::Lambda::Function": "ec2:|lambda:.*(Layer|Capacity)|s3:GetObjectVersion",
    "AWS::Logs::LogGroup": "logs:.*(Index|DeleteResource)Polic",  # delivery to elsewhere, indexes
    "AWS::Route53::RecordSet": "route53:ListHostedZones",  # a zone by its name
    "AWS::S3::Bucket": "iam:|s3:(PutObjectAcl|DeleteObject)|s3tables:",  # replication, and what is in the bucket
}


@functools.cache
def reference():
    path = pathlib.Path(cfnlint.__file__).parent / "data/AdditionalSpecs/Policies.json"
    return json.loads(path.read_text())


@functools.cache
def scoped_to_all():
    """Actions that AWS's descriptions of its APIs want allowed on "*", if only for composite alarms."""
    [path] = pathlib.Path(botocore.__file__).parent.glob("data/cloudwatch/*/service-2.json*")
    text = gzip.decompress(path.read_bytes()).decode()
    found = set(re.findall(r"<code>(cloudwatch:\w+)</code> permission that is scoped to <code>\*", text))
    if "cloudwatch:PutCompositeAlarm" not in found:
        raise Refused("botocore no longer says which permissions must be scoped to *")
    return found


def known(action):
    service, _, name = action.lower().partition(":")
    return reference().get(service, {}).get("Actions", {}).get(name)


def forms(action, resource):
    """The patterns of a resource's ARNs, in this account and region."""
    found = reference()[action.lower().partition(":")[0]]["Resources"].get(resource.lower(), {})
    values = {"Partition": "aws", "Region": services.region(), "Account": ACCOUNT}
    for form in found.get("ARNFormats", []):
        if "/restapis" not in form:  # of the older API Gateway
            yield re.sub(r"\$\{(\w+)\}", lambda m: values.get(m[1], ".*"), form)


def texts(value):
    """All strings within a value, with the addresses of queues and code as ARNs."""
    if isinstance(value, dict) and {"S3Bucket", "S3Key"} <= set(value):
        yield f"arn:aws:s3:::{value['S3Bucket']}/{value['S3Key']}"
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)
    elif isinstance(value, str):
        queue = re.fullmatch(r"https?://[^/]*/\d+/([^/]+)", value)
        yield f"arn:aws:sqs:{services.region()}:{ACCOUNT}:{queue[1]}" if queue else value


def service_of(kind):
    return kind.split("::")[1].lower().replace("apigatewayv2", "apigateway")


@functools.cache
def own_resources(kind):
    """What IAM calls the resources of a type: what most actions of its own service are about."""
    if isinstance(NAMES.get(kind), dict):
        return set(NAMES[kind])
    count = Counter()
    for action in {a for _, a in actions(kind)}:
        if action.lower().startswith(service_of(kind) + ":"):
            count.update(r.lower() for r in known(action).get("Resources") or [])
    return {resource for resource, n in count.items() if n == max(count.values())}


@functools.cache
def actions(kind):
    """What the handlers of a type call in a deployment, as far as IAM knows the actions and the template uses them."""
    found = set()
    for handler in HANDLERS:
        for action in registered(kind).get("handlers", {}).get(handler, {}).get("permissions", []):
            if known(action) is not None and not re.match(UNUSED.get(kind, "$"), action):
                found.add((handler, action))
    return found


def arns(kind, action, physical, properties):
    """The ARNs on which IAM decides an action of a resource's handlers: "*" if it has none, none if it is not used."""
    resources = {r.lower() for r in known(action).get("Resources") or []}
    if not resources or (kind == "AWS::CloudWatch::CompositeAlarm" and action in scoped_to_all()):
        return {"*"}
    if action == "iam:CreateServiceLinkedRole":
        return {f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/{service_of(kind)}.amazonaws.com/AWSServiceRoleForIt"}
    patterns = [form for resource in resources for form in forms(action, resource)]
    found = {text for text in texts(properties) if text.startswith("arn:") and any(re.fullmatch(p, text) for p in patterns)}
    named = isinstance(NAMES.get(kind), dict)
    if re.search("(Tag|Untag)Resource", action):
        found = set()  # only a resource's own
    ours = own_resources(kind) & resources
    if not ours if named else not action.lower().startswith(service_of(kind) + ":"):
        return found
    values = {"DeploymentConfigName": "CodeDeployDefault.LambdaAllAtOnce", **properties, "id": next(texts(physical))}
    for resource in ours or resources:
        names = NAMES.get(kind, "{id}")
        name = (names if isinstance(names, str) else names[resource]).format(**values)
        if name.startswith("arn:"):
            found |= {name} if any(re.fullmatch(p, name) for p in patterns) else set()
        else:
            found |= {form.replace("/.*", "/" + name.removeprefix("/"), 1).replace(".*", name) for form in forms(action, resource)}
    return found


def context(kind, action, properties):
    """What IAM knows of a request when it decides, as far as the bootstrap's policies ask."""
    service = service_of(kind)
    known_keys = {"kms:ViaService": f"{service}.{services.region()}.amazonaws.com"} if action.startswith("kms:") else {}
    if registered(kind).get("tagging", {}).get("taggable", True) or isinstance(NAMES.get(kind), str):
        known_keys |= {"aws:ResourceTag/service": "aviso", "aws:RequestTag/service": "aviso"}  # samconfig.toml
    if action == "iam:PassRole":
        known_keys["iam:PassedToService"] = f"{PASSED_TO.get(kind, 'nobody')}.amazonaws.com"
    if kind == "AWS::IAM::Role" and "PermissionsBoundary" in properties:
        known_keys["iam:PermissionsBoundary"] = properties["PermissionsBoundary"]
    if kind == "AWS::Lambda::EventSourceMapping":
        name = properties["FunctionName"].rpartition(":function:")[2]
        known_keys["lambda:FunctionArn"] = f"arn:aws:lambda:{services.region()}:{ACCOUNT}:function:{name}"
    return known_keys


def listed(value):
    return value if isinstance(value, list) else [value]


def covers(statement, action, arn, keys):
    """Reports whether a statement of a policy is about an action on an ARN, given the keys of the request."""
    def fits(text, patterns):
        return any(fnmatch.fnmatchcase(text, pattern) for pattern in listed(patterns))

    for limits in statement.get("Condition", {}).values():
        for key, allowed in limits.items():
            asked = listed(keys.get(key, []))
            if not asked or not all(fits(value, allowed) for value in asked):
                return False
    return fits(action.lower(), [a.lower() for a in listed(statement["Action"])]) and fits(arn, statement["Resource"])


def needs(account, stack):
    """What CloudFormation needs to create, read, change and delete each resource of a stack, as (kind, action, ARN, keys)."""
    found = {}
    resources = account.stack(stack).resource_map
    code = account.stack("aviso-bootstrap").resource_map["Artefacts"].physical_resource_id
    for (owner, logical), (kind, properties) in account.resolved.items():
        if owner != stack:
            continue
        physical = str(getattr(resources[logical], "physical_resource_id", logical))
        policy = resources._resource_json_map[logical].get("UpdatePolicy", {}).get("CodeDeployLambdaAliasUpdate", {})
        moved = account.plain(policy, resources)
        for _, action in actions(kind):
            if action.startswith("codedeploy:") and kind == "AWS::Lambda::Alias" and not moved:
                continue
            for arn in arns(kind, action, physical, {**properties, **moved}):
                arn = arn.replace(f":::{BUCKET}/", f":::{code}/")
                found.setdefault((kind, action, arn), context(kind, action, properties))
    return found


def judged(account, stack, policies):
    """Compares what a stack needs with the policies of CloudFormation's role."""
    statements = [s for policy in policies for s in policy["Statement"]]
    lacking = defaultdict(set)
    wanted = needs(account, stack)
    for (kind, action, arn), keys in wanted.items():
        if {s["Effect"] for s in statements if covers(s, action, arn, keys)} != {"Allow"}:
            lacking[f"{action} on {arn}"].add(kind)
    if lacking:
        lines = sorted(f"{right}, for {', '.join(sorted(kinds))}" for right, kinds in lacking.items())
        raise Refused("CloudFormation's role lacks:\n" + "\n".join(lines))
    return wanted


def beyond(wanted, policies):
    """The actions that the policies allow on some ARN and that no resource needs, by service."""
    used = {action.lower() for _, action, _ in wanted}
    found = defaultdict(set)
    for statement in (s for policy in policies for s in policy["Statement"] if s["Effect"] == "Allow"):
        for pattern, resource in itertools.product(listed(statement["Action"]), listed(statement["Resource"])):
            service, _, names = pattern.lower().partition(":")
            for name in fnmatch.filter(reference()[service]["Actions"], names):
                if f"{service}:{name}" not in used and decides(f"{service}:{name}", resource):
                    found[service].add(name)
    return found


def decides(action, resource):
    """Reports whether IAM decides an action on a resource of a statement."""
    if resource == "*":
        return True
    start = resource.partition("*")[0]
    starts = [form.partition(".*")[0] for r in known(action).get("Resources") or [] for form in forms(action, r)]
    return any(start.startswith(s) or s.startswith(start) for s in starts)
