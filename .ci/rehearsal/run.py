"""Rehearses deployments on an engine that is not ours: make deploy-rehearsal.

SAM's translator transforms template.yaml as AWS does. moto's CloudFormation then creates
every environment of samconfig.toml beside the others in one account, updates and deletes
them, and rolls back a first creation that fails. Every property, with all references
resolved, is compared with the schema of its type in AWS's CloudFormation registry, which
cfn-lint ships. Each known defect is put back in turn and has to be noticed.
"""

import copy
import fnmatch
import functools
import importlib.metadata
import io
import json
import logging
import os
import pathlib
import re
import sys
import time
import tomllib
import warnings
import zipfile
from collections import Counter, defaultdict

REGION = "eu-central-1"
# What a new account has. Lambda wants a hundred of them unreserved.
os.environ["MOTO_LAMBDA_CONCURRENCY_QUOTA"] = os.environ.get("CONCURRENCY", "1000")
os.environ.update(AWS_DEFAULT_REGION=REGION, AWS_ACCESS_KEY_ID="rehearsal", AWS_SECRET_ACCESS_KEY="rehearsal")

import jsonschema
import regex
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER
from moto import mock_aws
from moto.cloudformation import parsing
from moto.cloudformation.models import Stack, cloudformation_backends
from moto.kms.models import kms_backends
from samtranslator.yaml_helper import yaml_parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import services
from transform import transform

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATE = CHECKOUT / "template.yaml"
BOOTSTRAP = CHECKOUT / ".ci" / "bootstrap.yaml"
ACCOUNT = "123456789012"
BUCKET = "artefacts"

# Every option that docs/deploy.md names. Without them, the stacks are those of samconfig.toml.
OPTIONS = {
    "BaseUrl": "https://{environment}.api.example.com",
    "CertificateArn": f"arn:aws:acm:{REGION}:{ACCOUNT}:certificate/5f0f7b1c-8d0c-4c2e-9d2f-6f1e8f0b2a11",
    "HostedZoneId": "{zone}",
    "AlertEmail": "alerts@example.com",
    "RoleBoundaryArn": f"arn:aws:iam::{ACCOUNT}:policy/aviso-boundary",
    "MailDomain": "letters.{environment}.example.com",
    "SecretsKeyArn": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/5f0f7b1c-8d0c-4c2e-9d2f-6f1e8f0b2a11",
    "PostCredentials": f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:aviso/{{environment}}/post-AbCdEf",
    "FaxCredentials": f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:aviso/{{environment}}/fax-AbCdEf",
}


# moto reads JSON as YAML, which takes seconds.
Stack.parse_template = staticmethod(json.loads)


class Refused(Exception):
    """A deployment that AWS would refuse, with the reason."""


def environments():
    """The parameters of each environment in samconfig.toml."""
    config = tomllib.loads((CHECKOUT / "samconfig.toml").read_text())
    found = {}
    for name, section in config.items():
        overrides = section.get("deploy", {}).get("parameters", {}).get("parameter_overrides") if name != "version" else None
        if overrides:
            found[name] = dict(override.split("=", 1) for override in overrides)
    return found


@functools.cache
def transformed():
    return json.dumps(transform(str(TEMPLATE)))


def packaged(code):
    """template.yaml after SAM's transform, with the address of the uploaded code."""
    template = json.loads(transformed())
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Lambda::Function":
            resource["Properties"]["Code"] = {"S3Bucket": BUCKET, "S3Key": code}
    return template


# --- Schemas -------------------------------------------------------------------


def is_text(_, value):
    return isinstance(value, (str, int, float, bool))


def is_whole(_, value):
    return isinstance(value, int) or isinstance(value, str) and value.lstrip("-").isdigit()


def is_number(_, value):
    return is_whole(_, value) or isinstance(value, float)


def is_switch(_, value):
    return isinstance(value, bool) or value in ("true", "false")


def is_object(_, value):
    return isinstance(value, dict)


def pattern(_, expression, value, __):
    try:
        if isinstance(value, str) and not regex.search(expression, value):
            yield jsonschema.ValidationError(f"{value!r} does not match {expression!r}")
    except regex.error:
        pass  # Java's dialect


# CloudFormation takes "5" for 5 and "true" for true, and the other way round.
Schema = jsonschema.validators.extend(
    jsonschema.Draft7Validator,
    {"pattern": pattern},
    type_checker=jsonschema.Draft7Validator.TYPE_CHECKER.redefine_many(
        {"string": is_text, "integer": is_whole, "number": is_number, "boolean": is_switch, "object": is_object}
    ),
)


@functools.cache
def checker(kind):
    return Schema(registered(kind))


def registered(kind):
    return PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema


def against_schema(kind, properties):
    """What the registry's schema of a type has against resolved properties."""
    for error in checker(kind).iter_errors(properties):
        yield f"{'/'.join(map(str, error.absolute_path))} breaks {error.validator}: {error.message[:200]}"


# --- Deployments ---------------------------------------------------------------


class Account:
    """An empty account in moto, with the bucket that `sam package` writes to."""

    def __init__(self):
        self.resolved = {}  # by stack and logical ID: type and properties
        self.mock = mock_aws(config={"lambda": {"use_docker": False}})

    def __enter__(self):
        self.mock.start()
        services.call("s3", "create_bucket", Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as writer:
            writer.writestr("bootstrap", "")
        for code in ("code-1", "code-2"):
            services.call("s3", "put_object", Bucket=BUCKET, Key=code, Body=archive.getvalue())
        zone = services.call("route53", "create_hosted_zone", Name="example.com", CallerReference="1")["HostedZone"]
        self.zone = zone["Id"].removeprefix("/hostedzone/")
        self.before = inventory()
        self.create_resource = parsing.parse_and_create_resource
        parsing.parse_and_create_resource = self.created
        self.update_resource = parsing.parse_and_update_resource
        parsing.parse_and_update_resource = self.updated
        return self

    def __exit__(self, *_):
        parsing.parse_and_create_resource = self.create_resource
        parsing.parse_and_update_resource = self.update_resource
        self.mock.stop()

    def created(self, logical, resource, resources, **rest):
        made = self.create_resource(logical, resource, resources, **rest)
        if made is not None:
            resources._parsed_resources[logical] = made  # so that a rollback finds it
            ask_again(resource["Type"], made, self.resolve(logical, resource, resources))
        return made

    def resolve(self, logical, resource, resources):
        """Returns the properties with all references resolved, and remembers them."""
        resolved = parsing.clean_json(copy.deepcopy(resource.get("Properties", {})), resources)
        # moto leaves its own object where Ref names a resource.
        resolved = json.loads(json.dumps(resolved, default=lambda o: getattr(o, "physical_resource_id", str(o))))
        properties = services.present(resolved)
        self.resolved[resources["AWS::StackName"], logical] = resource["Type"], properties
        return properties

    def updated(self, logical, resource, resources, **rest):
        # moto would also update what a condition leaves out.
        condition = resource.get("Condition")
        if condition and not resources.lazy_condition_map[condition]:
            return None
        properties = self.resolve(logical, resource, resources)
        if resource["Type"] == "AWS::DynamoDB::Table":  # moto would forget the table
            protected = properties["DeletionProtectionEnabled"]
            table = resources[logical]
            services.call("dynamodb", "update_table", TableName=table.name, DeletionProtectionEnabled=protected)
            return table
        return self.update_resource(logical, resource, resources, **rest)

    def parameters(self, environment, given, options):
        for name, value in options.items():
            given = {**given, name: value.format(environment=environment, zone=self.zone)}
        return given

    def deploy(self, operation, name, template, parameters):
        for kind in {r["Type"] for r in template["Resources"].values()} - set(parsing.get_model_map()):
            MODELS[kind] = services.register(kind)
            parsing.get_model_list.cache_clear()
            parsing.get_model_map.cache_clear()
            parsing.get_name_type_map.cache_clear()
        if unknown := set(parameters) - set(template["Parameters"]):
            raise Refused(f"the template has no parameter {', '.join(sorted(unknown))}")
        services.call("s3", "put_object", Bucket=BUCKET, Key=name, Body=json.dumps(template))
        try:
            getattr(services.client("cloudformation"), operation)(
                StackName=name,
                TemplateURL=f"https://{BUCKET}.s3.{REGION}.amazonaws.com/{name}",
                Parameters=[{"ParameterKey": k, "ParameterValue": v} for k, v in parameters.items()],
                Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
            )
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {error}") from error

    def remove(self, name, rollback=False):
        """Deletes a stack, or rolls back its creation. moto does not know RetainExceptOnCreate."""
        backend = cloudformation_backends[ACCOUNT][REGION]
        stack = next(s for s in backend.stacks.values() if s.name == name)
        resources = stack.resource_map._resource_json_map
        kept = Counter()
        for logical, resource in resources.items():
            if resource.get("DeletionPolicy") == "RetainExceptOnCreate":
                resource["DeletionPolicy"] = "Delete" if rollback else "Retain"
            if resource.get("DeletionPolicy") == "Retain" and (name, logical) in self.resolved:
                kept[resource["Type"]] += 1
        try:
            stack.resource_map.delete()
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {error}") from error
        del backend.stacks[stack.stack_id]
        return kept

    def left(self):
        return inventory() - self.before


MODELS = {}


def ask_again(kind, made, properties):
    """Calls for what moto's CloudFormation sets without the checks of the service itself."""
    if kind == "AWS::IAM::Role":
        for policy in properties.get("Policies", []):
            # SAM's own policies have no version. IAM takes that, moto does not.
            document = {"Version": "2012-10-17", **policy["PolicyDocument"]}
            services.call(
                "iam", "put_role_policy", RoleName=made.physical_resource_id,
                PolicyName=policy["PolicyName"], PolicyDocument=json.dumps(document),
            )
    if kind == "AWS::Lambda::Function" and "ReservedConcurrentExecutions" in properties:
        services.call(
            "lambda", "put_function_concurrency", FunctionName=made.physical_resource_id,
            ReservedConcurrentExecutions=properties["ReservedConcurrentExecutions"],
        )


def inventory():
    """How many things of each kind the account has, by asking its services."""
    lists = {
        "AWS::DynamoDB::Table": ("dynamodb", "list_tables", "TableNames"),
        "AWS::Lambda::Function": ("lambda", "list_functions", "Functions"),
        "AWS::Lambda::EventSourceMapping": ("lambda", "list_event_source_mappings", "EventSourceMappings"),
        "AWS::SQS::Queue": ("sqs", "list_queues", "QueueUrls"),
        "AWS::SNS::Topic": ("sns", "list_topics", "Topics"),
        "AWS::SNS::Subscription": ("sns", "list_subscriptions", "Subscriptions"),
        "AWS::CloudWatch::Alarm": ("cloudwatch", "describe_alarms", "MetricAlarms"),
        "AWS::CloudWatch::Dashboard": ("cloudwatch", "list_dashboards", "DashboardEntries"),
        "AWS::Logs::LogGroup": ("logs", "describe_log_groups", "logGroups"),
        "AWS::IAM::Role": ("iam", "list_roles", "Roles"),
        "AWS::IAM::OIDCProvider": ("iam", "list_open_id_connect_providers", "OpenIDConnectProviderList"),
        "AWS::Events::Rule": ("events", "list_rules", "Rules"),
        "AWS::Scheduler::Schedule": ("scheduler", "list_schedules", "Schedules"),
        "AWS::SES::EmailIdentity": ("sesv2", "list_email_identities", "EmailIdentities"),
        "AWS::SES::ConfigurationSet": ("sesv2", "list_configuration_sets", "ConfigurationSets"),
        "AWS::SecretsManager::Secret": ("secretsmanager", "list_secrets", "SecretList"),
        "AWS::ApiGatewayV2::Api": ("apigatewayv2", "get_apis", "Items"),
        "AWS::ApiGatewayV2::DomainName": ("apigatewayv2", "get_domain_names", "Items"),
        "AWS::S3::Bucket": ("s3", "list_buckets", "Buckets"),
    }
    found = Counter()
    for kind, (service, operation, member) in lists.items():
        client = services.client(service)
        whole = not client.can_paginate(operation)
        pages = [services.call(service, operation)] if whole else client.get_paginator(operation).paginate()
        found[kind] = sum(len(page.get(member, [])) for page in pages)
    # Not by describe_key: moto cannot read the policy of a key that its CloudFormation made.
    keys = kms_backends[ACCOUNT][REGION].keys.values()
    found["AWS::KMS::Key"] = sum(k.key_state == "Enabled" and k.key_manager == "CUSTOMER" for k in keys)
    return found


# --- The story -----------------------------------------------------------------


def first(parameters):
    """The parameters with which make deploy creates a stack: without protection, so that it can be rolled back."""
    return {**parameters, "DeletionProtection": "false"}


def unchanged(template):
    """Puts no defect into the template."""


def twice(account):
    """Physical names that two stacks give to the same type of thing."""
    owners = defaultdict(set)
    for (stack, logical), (kind, properties) in account.resolved.items():
        paths = registered(kind)["primaryIdentifier"]
        names = [properties.get(path.removeprefix("/properties/")) for path in paths]
        if all(isinstance(name, str) for name in names):
            owners[kind, *names].add((stack, logical))
    for name, who in owners.items():
        if len({stack for stack, _ in who}) > 1:
            yield f"{' '.join(name)} is the name of {' and of '.join(' '.join(w) for w in sorted(who))}"


def violations(account):
    yield from twice(account)
    for (stack, logical), (kind, properties) in account.resolved.items():
        for violation in against_schema(kind, properties):
            yield f"{stack} {logical} ({kind}) {violation}"


def created(account, options, defect):
    """Creates every environment in one account, and returns their parameters by stack."""
    stacks = {}
    for name, given in environments().items():
        stacks[f"aviso-{name}"] = account.parameters(name, given, options)
    for name, parameters in stacks.items():
        template = packaged("code-1")
        defect(template)
        account.deploy("create_stack", name, template, first(parameters))
    if problems := list(violations(account)):
        raise Refused("\n".join(problems))
    return stacks


def side_by_side(account, options):
    """Creates every environment, updates and deletes them."""
    stacks = created(account, options, unchanged)
    step(f"created {', '.join(stacks)} in one account: {sum(account.left().values())} things")
    before = account.left()
    for change in ({}, {"RateLimitPerMinute": "1234"}):  # the first turns on the protection
        for name, parameters in stacks.items():
            account.deploy("update_stack", name, packaged("code-2" if change else "code-1"), {**parameters, **change})
    same("there after the update", account.left(), before)
    updated(account)
    step("turned on the tables' protection, then changed a parameter and the code")
    kept = sum((account.remove(name) for name in stacks), Counter())
    same("left after deleting the stacks", account.left(), kept)
    step(f"deleted them; kept {', '.join(f'{n} {kind}' for kind, n in sorted(kept.items()))}")


def updated(account):
    functions = services.call("lambda", "list_functions", MaxItems=1000)["Functions"]
    limits = {str(f["Environment"]["Variables"].get("RATE_LIMIT_PER_MINUTE", "1234")) for f in functions}
    if limits != {"1234"}:
        raise Refused(f"the update left RATE_LIMIT_PER_MINUTE at {limits}")
    codes = {p["Code"]["S3Key"] for kind, p in account.resolved.values() if kind == "AWS::Lambda::Function"}
    if codes != {"code-2"}:
        raise Refused(f"the update left the code at {codes}")


def same(what, have, want):
    if +have != +want:
        raise Refused(f"{what}: too many {dict(have - want)}, missing {dict(want - have)}")


def rolled_back(account, defect=unchanged):
    """Fails the first creation of every environment, rolls back, and creates it again."""
    for environment, parameters in environments().items():
        name = f"aviso-{environment}"
        template = packaged("code-1")
        defect(template)
        failing = copy.deepcopy(template)
        fail_at_the_end(failing)
        try:
            account.deploy("create_stack", name, failing, first(parameters))
        except Refused:
            account.remove(name, rollback=True)
        else:
            raise Refused("the creation was meant to fail")
        same(f"{name} after the rollback", account.left(), Counter())
        account.deploy("create_stack", name, template, first(parameters))
        account.remove(name, rollback=True)


def of_type(template, kind):
    return [r for r in template["Resources"].values() if r["Type"] == kind]


def fail_at_the_end(template):
    """Adds a role that IAM refuses, once everything else has been created."""
    others = [name for name, resource in template["Resources"].items() if "Condition" not in resource]
    role = copy.deepcopy(of_type(template, "AWS::IAM::Role")[0])
    role["DependsOn"] = others
    role["Properties"]["Policies"][0]["PolicyDocument"]["Statement"] = [
        {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": []}
    ]
    template["Resources"]["Refused"] = role


# --- Defects that the template once had ----------------------------------------


def schedule_without_stack(template):
    for schedule in of_type(template, "AWS::Scheduler::Schedule"):
        schedule["Properties"]["Name"] = "HousekeepingFunctionEveryMinute"


def no_resource(template):
    carriers = [{"Fn::If": ["HasSandbox", {"Ref": "CarrierSecret"}, {"Ref": "AWS::NoValue"}]}]
    role = of_type(template, "AWS::IAM::Role")[0]
    role["Properties"]["Policies"][0]["PolicyDocument"]["Statement"].append(
        {"Effect": "Allow", "Action": "secretsmanager:GetSecretValue", "Resource": carriers}
    )


def protected_at_once(template):
    for table in of_type(template, "AWS::DynamoDB::Table"):
        table["Properties"]["DeletionProtectionEnabled"] = True


def one_sender(template):
    identity = {"Type": "AWS::SES::EmailIdentity", "Properties": {"EmailIdentity": "letters@example.com"}}
    template["Resources"]["MailIdentity"] = identity


def too_much_reserved(template):
    for function in of_type(template, "AWS::Lambda::Function")[:2]:
        function["Properties"]["ReservedConcurrentExecutions"] = 325


def described_at_length(template):
    of_type(template, "AWS::Lambda::Function")[0]["Properties"]["Description"] = "x" * 257


DEFECTS = (
    (schedule_without_stack, "HousekeepingFunctionEveryMinute", "a schedule whose name lacks the stack's"),
    (no_resource, "MalformedPolicyDocument", "a statement without resources in production"),
    (protected_at_once, "DeletionProtectionEnabled", "tables that are protected while the stack is created"),
    (one_sender, "letters@example.com", "one mail identity in two stacks"),
    (too_much_reserved, "UnreservedConcurrentExecution", "more concurrency reserved than the account has"),
    (described_at_length, "maxLength", "a property that breaks its type's schema"),
)


def notice(defect, want):
    with Account() as account:
        try:
            if defect is protected_at_once:
                rolled_back(account, defect)
            else:
                created(account, {}, defect)
        except Refused as refused:
            if want in str(refused):
                return
            raise Refused(f"{defect.__name__} was noticed for another reason: {refused}") from refused
        raise Refused(f"nobody noticed {defect.__name__}")


# --- The account's own stack ---------------------------------------------------

# Rights on AWS's list for a type that the template has no use for.
UNUSED = {
    "AWS::ApiGatewayV2::DomainName": "s3:",  # the trust store of client certificates
    "AWS::ApiGatewayV2::Stage": "apigateway:(Tag|Untag)Resource",  # IAM knows it as PUT and DELETE
    "AWS::DynamoDB::Table": "kinesis:|s3:",  # streams to Kinesis, imports
    "AWS::IAM::Role": "iam:(Attach|Detach)RolePolicy|iam:DeleteRolePermissionsBoundary|iam:ListRoles",
    "AWS::Lambda::EventSourceMapping": "kafka|ec2:|secretsmanager:|mq:|docdb|kinesis:|glue:",
    "AWS::Lambda::Function": "ec2:|elasticfilesystem:|s3files:|s3:GetObjectVersion|lambda:.*(CodeSigning|Layer|Capacity)",
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
    missing = defaultdict(set)
    for kind in sorted({r["Type"] for r in packaged("code-1")["Resources"].values()}):
        for handler in registered(kind).get("handlers", {}).values():
            needed = [a for a in handler["permissions"] if not re.match(UNUSED.get(kind, "$"), a)]
            for action in lacks(deploys, needed):
                missing[kind].add(action)
    if missing:
        raise Refused("CloudFormation's role lacks:\n" + "\n".join(f"{k}: {', '.join(sorted(v))}" for k, v in missing.items()))
    boundary = rights(account, ["FunctionBoundary"])
    for logical, role in packaged("code-1")["Resources"].items():
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


# --- The report ----------------------------------------------------------------


def step(text):
    print(f"  {time.monotonic() - STARTED:5.1f} s  {text}", flush=True)


def report():
    """Prints which engine has accepted which types."""
    types = Counter(r["Type"] for r in packaged("code-1")["Resources"].values())
    types.update(r["Type"] for r in yaml_parse(BOOTSTRAP.read_text())["Resources"].values())
    known = set(parsing.get_model_map()) - set(MODELS)
    groups = {
        "Deployed by moto's CloudFormation": [t for t in types if t in known],
        "Deployed by moto's service, called as CloudFormation would": [t for t in types if t in services.SERVICES],
        "Not deployed by any engine": [t for t in types if t not in known and t not in services.SERVICES],
    }
    for title, members in groups.items():
        print(f"\n{title}:")
        for kind in sorted(members):
            print(f"  {types[kind]:4} {kind}")
    print(
        """
All of them, with references resolved: AWS's registry schemas (cfn-lint): members, types, lengths, patterns, unique names.

What no engine here does, and what checks it instead:
  Rules and constraints of parameters    localstack/template: samconfig_test.go
  AWS's limits across resources          localstack/template: limits_test.go
  Conditions that change in an update    nothing; docs/deploy.md deploys without options first
  Replacement in an update               sam's change set, before it is applied
  The rights of the deploying roles      by action, against AWS's list for each type; not by resource
  Whether the functions work             localstack: the whole service runs against emulators"""
    )


def main():
    warnings.filterwarnings("ignore")
    logging.disable()
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("moto", "aws-sam-translator", "cfn-lint")]
    print(f"Rehearsing with {', '.join(versions)}.")
    with Account() as account:
        bootstrapped(account)
    for what, options in (("as samconfig.toml says", {}), ("with every option", OPTIONS)):
        print(f"Environments {what}:")
        with Account() as account:
            side_by_side(account, options)
    print("A first creation that fails:")
    with Account() as account:
        rolled_back(account)
    step("rolled back in every environment: nothing was left, and the next creation succeeded")
    print("Defects that were put back:")
    for defect, want, what in DEFECTS:
        notice(defect, want)
        step(f"noticed {what}")
    report()


STARTED = time.monotonic()

if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"\nThe rehearsal failed: {refused}")
