"""An account in moto that stacks are deployed to, and what AWS's schemas have against them."""

import copy
import functools
import io
import json
import os
import pathlib
import sys
import time
import tomllib
import zipfile
from collections import Counter, defaultdict

REGION = "eu-central-1"
# What a new account has. Lambda wants a hundred of them unreserved.
os.environ["MOTO_LAMBDA_CONCURRENCY_QUOTA"] = "1000"
os.environ.update(AWS_DEFAULT_REGION=REGION, AWS_ACCESS_KEY_ID="rehearsal", AWS_SECRET_ACCESS_KEY="rehearsal")

import jsonschema
import regex
import services
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER
from moto import mock_aws
from moto.cloudformation import parsing
from moto.cloudformation.models import Stack, cloudformation_backends
from moto.kms.models import kms_backends

# Another region in which the same stack is deployed.
ELSEWHERE = "eu-west-1"
EDGE_REGION = "us-east-1"  # which alone CloudFront and Route 53 use
CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(CHECKOUT / ".ci"), str(CHECKOUT / "ops")]
from transform import transform

TEMPLATE = CHECKOUT / "template.yaml"
BOOTSTRAP = CHECKOUT / "ops" / "bootstrap.yaml"
ACCOUNT = "123456789012"
BUCKET = "artefacts"

# moto reads JSON as YAML, which takes seconds.
Stack.parse_template = staticmethod(json.loads)


class Refused(Exception):
    """A deployment that AWS would refuse, with the reason."""


def environments():
    """The parameters of each environment in samconfig.toml."""
    config = tomllib.loads((CHECKOUT / "samconfig.toml").read_text())
    found = {}
    for name in ("test", "acceptance", "production"):
        overrides = config[name]["deploy"]["parameters"]["parameter_overrides"]
        found[name] = dict(override.split("=", 1) for override in overrides)
    return found


@functools.cache
def transformed(code, gradual):
    return json.dumps(transform(str(TEMPLATE), {"GradualDeployment": gradual}, f"s3://{BUCKET}/{code}"))


def packaged(code, parameters):
    """template.yaml after SAM's transform, which reads one of the parameters, with the address of the uploaded code."""
    return json.loads(transformed(code, parameters.get("GradualDeployment", "false")))


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


def go_to(region):
    """Calls go there from now on."""
    os.environ["AWS_DEFAULT_REGION"] = region


def label(stack):
    """A stack's name, with its region if that is not the usual one."""
    return stack if services.region() == REGION else f"{stack}@{services.region()}"


# --- Deployments ---------------------------------------------------------------


class Account:
    """An empty account in moto, with the bucket that `sam package` writes to."""

    def __init__(self):
        self.resolved = {}  # by stack and logical ID: type and properties
        self.published = {}  # by stack and logical ID of an alias: its version, and what that was published from
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
        self.before = {}
        for region in (EDGE_REGION, ELSEWHERE, REGION):
            go_to(region)
            self.before[region] = inventory()
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
        properties = self.plain(resource.get("Properties", {}), resources)
        self.resolved[label(resources["AWS::StackName"]), logical] = resource["Type"], properties
        return properties

    def plain(self, value, resources):
        """Returns a copy of a value of the template with all references resolved."""
        resolved = parsing.clean_json(copy.deepcopy(value), resources)
        # moto leaves its own object where Ref names a resource.
        resolved = json.loads(json.dumps(resolved, default=lambda o: getattr(o, "physical_resource_id", str(o))))
        return services.present(resolved)

    def updated(self, logical, resource, resources, **rest):
        # moto would also update what a condition leaves out.
        condition = resource.get("Condition")
        if condition and not resources.lazy_condition_map[condition]:
            return resources._parsed_resources.get(logical)
        if logical not in resources._parsed_resources:
            return resources[logical]  # a condition has become true
        properties = self.resolve(logical, resource, resources)
        if resource["Type"] == "AWS::DynamoDB::Table":  # moto would forget the table
            protected = properties["DeletionProtectionEnabled"]
            table = resources[logical]
            services.call("dynamodb", "update_table", TableName=table.name, DeletionProtectionEnabled=protected)
            if bool(wanted := properties.get("StreamSpecification")) != bool(table.stream_specification):
                stream = {"StreamEnabled": bool(wanted), **(wanted or {})}
                services.call("dynamodb", "update_table", TableName=table.name, StreamSpecification=stream)
            return table
        # Of a type that moto cannot update it returns nothing, and would forget the resource.
        return self.update_resource(logical, resource, resources, **rest) or resources[logical]

    def parameters(self, environment, given, options):
        for name, value in options.items():
            elsewhere = ELSEWHERE if services.region() == REGION else REGION
            given = {**given, name: value.format(environment=environment, zone=self.zone, elsewhere=elsewhere)}
        return given

    def deploy(self, operation, name, template, parameters):
        known = set(parsing.get_model_map()) - OURS | set(MODELS)
        for kind in {r["Type"] for r in template["Resources"].values()} - known:
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
            if operation == "update_stack":
                self.follow_conditions(name)
                self.follow_parameters(name)
            self.follow_aliases(name)
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {error}") from error

    def follow_conditions(self, name):
        """Creates what an update's conditions bring, and then deletes what they take, which moto does not do."""
        resources = self.stack(name).resource_map
        for logical, resource in list(resources._resource_json_map.items()):
            if resources.lazy_condition_map.get(resource.get("Condition"), True):
                resources[logical]  # reading it creates it
        for logical, resource in list(resources._resource_json_map.items()):
            if resources.lazy_condition_map.get(resource.get("Condition"), True):
                continue
            if made := resources._parsed_resources.pop(logical, None):
                if resource["Type"] in KEPT:
                    raise Refused(f"{name} {logical}: the stack policy lets no update delete it")
                resources._delete_resource(made, resource)
                self.resolved.pop((label(name), logical), None)

    def follow_parameters(self, name):
        """Updates what a parameter changes by a condition or within a text, which moto overlooks."""
        resources = self.stack(name).resource_map
        for logical, resource in list(resources._resource_json_map.items()):
            if not resources.lazy_condition_map.get(resource.get("Condition"), True):
                continue
            had = self.resolved.get((label(name), logical))
            if had and had[1] != self.plain(resource.get("Properties", {}), resources):
                changed = parsing.parse_and_update_resource(
                    logical, resource, resources, account_id=ACCOUNT, region_name=services.region()
                )
                resources._parsed_resources[logical] = changed

    def follow_aliases(self, name):
        """Checks that each alias has the function's code and configuration, as Lambda would publish them.

        CloudFormation publishes when the version has another logical ID or description. Lambda
        refuses a version like the last.
        """
        resources = self.stack(name).resource_map
        declared = resources._resource_json_map
        for logical, resource in declared.items():
            exists = resources.lazy_condition_map.get(resource.get("Condition"), True)
            if resource["Type"] != "AWS::Lambda::Alias" or not exists:
                continue
            owner = resource["Properties"]["FunctionName"]["Ref"]
            version = resource["Properties"]["FunctionVersion"]["Fn::GetAtt"][0]
            function = {**self.resolve(owner, declared[owner], resources)}
            for unversioned in ("ReservedConcurrentExecutions", "CodeSigningConfigArn"):
                function.pop(unversioned, None)
            # moto does not see that a parameter inside Fn::Sub changes a version.
            now = (version, self.resolve(version, declared[version], resources)), function
            before = self.published.get((label(name), logical), (None, None))
            if now[0] == before[0] and now[1] != before[1]:
                raise Refused(f"{name} {logical} is left with the function's old code or configuration")
            if now[0] != before[0] and now[1] == before[1]:
                raise Refused(f"{name} {logical}: Lambda refuses a version that is like the last")
            self.published[label(name), logical] = now

    def output(self, name, key):
        """Returns an output of a stack, in this region or another, or nothing."""
        here = services.region()
        for region in sorted((REGION, ELSEWHERE), key=lambda r: r != here):
            for stack in services.client_in("cloudformation", region).describe_stacks()["Stacks"]:
                for output in stack["Outputs"] if stack["StackName"] == name else []:
                    if output["OutputKey"] == key:
                        return output["OutputValue"]
        return None

    def stack(self, name):
        return next(s for s in cloudformation_backends[ACCOUNT][services.region()].stacks.values() if s.name == name)

    def remove(self, name, rollback=False):
        """Deletes a stack, or rolls back its creation. moto does not know RetainExceptOnCreate."""
        stack = self.stack(name)
        resources = stack.resource_map._resource_json_map
        kept = Counter()
        for logical, resource in resources.items():
            if resource.get("DeletionPolicy") == "RetainExceptOnCreate":
                resource["DeletionPolicy"] = "Delete" if rollback else "Retain"
            if resource.get("DeletionPolicy") == "Retain" and (label(name), logical) in self.resolved:
                kept[resource["Type"]] += 1
        try:
            stack.resource_map.delete()
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {error}") from error
        del cloudformation_backends[ACCOUNT][services.region()].stacks[stack.stack_id]
        self.published = {key: value for key, value in self.published.items() if key[0] != label(name)}
        self.resolved = {key: value for key, value in self.resolved.items() if key[0] != label(name)}
        return kept

    def left(self):
        return inventory() - self.before[services.region()]


MODELS = {}
# Types whose names are those of the account, in all regions.
GLOBAL = ("AWS::CloudWatch::Dashboard", "AWS::IAM::Role", "AWS::IAM::ManagedPolicy", "AWS::Budgets::Budget", "AWS::S3::Bucket")
# Types that no update of a guarded stack may delete.
KEPT = json.loads((CHECKOUT / "ops" / "stack-policy.json").read_text())["Statement"][1]["Condition"]["StringEquals"]["ResourceType"]
# moto knows a version's number, but not to whom it belongs, and creates records that exist.
OURS = {"AWS::Lambda::Version", "AWS::Route53::RecordSet"}


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
        "AWS::Backup::BackupVault": ("backup", "list_backup_vaults", "BackupVaultList"),
        "AWS::Backup::BackupPlan": ("backup", "list_backup_plans", "BackupPlansList"),
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
        # A replica counts where its secret is.
        found[kind] = sum("PrimaryRegion" not in thing for page in pages for thing in page.get(member, []))
    # Not by describe_key: moto cannot read the policy of a key that its CloudFormation made.
    keys = kms_backends[ACCOUNT][services.region()].keys.values()
    found["AWS::KMS::Key"] = sum(k.key_state == "Enabled" and k.key_manager == "CUSTOMER" for k in keys)
    return found


def twice(account):
    """Physical names that two stacks give to the same type of thing. Most names count in one region only."""
    owners = defaultdict(set)
    for (stack, logical), (kind, properties) in account.resolved.items():
        paths = registered(kind)["primaryIdentifier"]
        names = [properties.get(path.removeprefix("/properties/")) for path in paths]
        region = stack.partition("@")[2]
        if all(isinstance(name, str) for name in names):
            owners[kind, "" if kind in GLOBAL else region, *names].add((stack, logical))
    for name, who in owners.items():
        if len({stack for stack, _ in who}) > 1:
            yield f"{' '.join(name)} is the name of {' and of '.join(' '.join(w) for w in sorted(who))}"


def violations(account):
    yield from twice(account)
    for (stack, logical), (kind, properties) in account.resolved.items():
        for violation in against_schema(kind, properties):
            yield f"{stack} {logical} ({kind}) {violation}"


def same(what, have, want):
    if +have != +want:
        raise Refused(f"{what}: too many {dict(have - want)}, missing {dict(want - have)}")


STARTED = time.monotonic()


def step(text):
    print(f"  {time.monotonic() - STARTED:5.1f} s  {text}", flush=True)
