"""Rehearses deployments on an outside engine: make deploy-rehearsal.

SAM's translator transforms template.yaml as AWS does. moto's CloudFormation then creates
every environment of samconfig.toml beside the others in one account, updates and deletes
them, and rolls back a first creation that fails. Every property, with all references
resolved, is compared with the schema of its type in AWS's CloudFormation registry, which
cfn-lint ships. Each known defect is put back in turn and has to be noticed.
"""

import copy
import importlib.metadata
import itertools
import json
import logging
import sys
import warnings
from collections import Counter
from typing import NamedTuple

import services
from bootstrap import MANAGED, bootstrapped, harmless, longest_names, policies, small_enough, within
from engine import (
    ACCOUNT,
    BOOTSTRAP,
    CHECKOUT,
    EDGE_REGION,
    ELSEWHERE,
    MODELS,
    REGION,
    Account,
    Refused,
    environments,
    go_to,
    label,
    packaged,
    same,
    step,
    violations,
)
from moto.cloudformation import parsing
from pages import known_commands
from restored import rehearse
from rights import beyond, judged, listed
from samtranslator.yaml_helper import yaml_parse

# Every option that docs/deploy.md names. Without them, the stacks are those of samconfig.toml.
OPTIONS = {
    "BaseUrl": "https://{environment}.api.example.com",
    "CertificateArn": f"arn:aws:acm:{REGION}:{ACCOUNT}:certificate/5f0f7b1c-8d0c-4c2e-9d2f-6f1e8f0b2a11",
    "HostedZoneId": "{zone}",
    "AlertEmail": "alerts@example.com",
    "MailDomain": "letters.{environment}.example.com",
    "ReplyAddress": "answers@example.com",
    "SecretsKeyArn": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/5f0f7b1c-8d0c-4c2e-9d2f-6f1e8f0b2a11",
    "PostCredentials": f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:aviso/{{environment}}/post-AbCdEf",
    "EvidenceKey": f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:aviso/{{environment}}/evidence-AbCdEf",
    "BackupLock": "compliance",
    "BackupCopyVaultArn": "arn:aws:backup:eu-west-1:210987654321:backup-vault:aviso-copies",
    "SecretsReplicaRegion": "{elsewhere}",
    "SharedAccount": "true",
    "CodeSigningConfigArn": f"arn:aws:lambda:{REGION}:{ACCOUNT}:code-signing-config:csc-0123456789abcdef0",
    "FaxCredentials": f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:aviso/{{environment}}/fax-AbCdEf",
}


# Instead of a domain of the gateway's own: CloudFront with a firewall in front of it.
EDGE = {
    "CertificateArn": "",
    "EdgeSecret": "aviso/{environment}/edge",
    "EdgeCertificateArn": f"arn:aws:acm:us-east-1:{ACCOUNT}:certificate/5f0f7b1c-8d0c-4c2e-9d2f-6f1e8f0b2a11",
    "WebAclArn": f"arn:aws:wafv2:us-east-1:{ACCOUNT}:global/webacl/aviso/5f0f7b1c-8d0c-4c2e-9d2f-6f1e8f0b2a11",
}


def first(parameters):
    """The parameters with which make deploy creates a stack: without protection, so that it can be rolled back."""
    return {**parameters, "DeletionProtection": "false"}


def unchanged(template):
    """Puts no defect into the template."""


def stacks_of(account, options):
    """The parameters of each environment's stack, by the stack's label."""
    return {f"aviso-{name}": account.parameters(name, given, options) for name, given in environments().items()}


def in_their_regions(account, given, do):
    """Does something with each stack, in its region."""
    for stack, parameters in given.items():
        name, _, region = stack.partition("@")
        go_to(region or REGION)
        do(name, parameters)
    go_to(REGION)
    if problems := list(violations(account)):
        raise Refused("\n".join(problems))


def created(account, given, defect):
    """Creates stacks in one account."""
    def create(name, parameters):
        template = packaged("code-1", parameters)
        defect(template)
        account.deploy("create_stack", name, template, first(parameters))

    in_their_regions(account, given, create)


def update(account, given, code, **changed):
    """Updates stacks, and keeps the changed parameters."""
    for parameters in given.values():
        parameters.update(changed)
    in_their_regions(account, given, lambda name, parameters: account.deploy(
        "update_stack", name, packaged(code, parameters), parameters
    ))


def removed(account, given, before):
    """Deletes stacks, and checks that nothing else is left than what they keep."""
    for stack in given:
        name, _, region = stack.partition("@")
        go_to(region or REGION)
        before[services.region()] += account.remove(name)
    for region, want in before.items():
        go_to(region)
        same(f"left in {region} after deleting the stacks", account.left(), want)
    go_to(REGION)
    kept = sum(before.values(), Counter())
    step(f"deleted them; kept {', '.join(f'{n} {kind}' for kind, n in sorted(kept.items()))}")


def side_by_side(account, options):
    """Creates every environment, updates and deletes them. Without options, an update brings them all."""
    boundary = bootstrapped(account)
    harmless(account)
    before = {REGION: account.left()}
    options = options and {**options, "RoleBoundaryArn": boundary}
    given = stacks_of(account, options)
    created(account, given, unchanged)
    step(f"created {', '.join(given)} in one account: {sum(account.left().values())} things")
    update(account, given, "code-1")  # now with the tables' protection
    if not options:
        for environment in environments():
            given[f"aviso-{environment}"] |= account.parameters(environment, {}, {**OPTIONS, "RoleBoundaryArn": boundary})
        update(account, given, "code-1")
        step("turned on the tables' protection, then every option")
    step(f"compared {within(account, boundary)} rights of the roles with their boundary, by resource")
    small_enough(account)
    enough(account, given)
    if options:
        missed(account, "aviso-production")
    had = account.left()
    update(account, given, "code-2", RateLimitPerMinute="1234")
    same("there after the update", account.left(), had)
    updated(account)
    workers_run(account, given, "code-2")
    step("changed a parameter and the code")
    # When an alarm stops a canary, CloudFormation deploys the template of before.
    update(account, given, "code-1")
    workers_run(account, given, "code-1")
    step("rolled back a bad version of the workers")
    update(account, given, "code-1", GradualDeployment="false")
    step("went back, without a canary")
    removed(account, given, before)


def enough(account, given):
    """Compares the rights of CloudFormation's role with what each resource of the stacks needs."""
    wanted = set().union(*(judged(account, stack, policies(account)) for stack in given))
    spare = beyond(wanted, policies(account))
    listing = CHECKOUT / ".build" / "rights-beyond.txt"
    listing.parent.mkdir(exist_ok=True)
    listing.write_text("".join(f"{service}:{name}\n" for service in sorted(spare) for name in sorted(spare[service])))
    step(f"compared CloudFormation's role with {len(wanted)} rights that resources need; of the {sum(map(len, spare.values()))} "
         f"others, most on names of Aviso only, {listing.relative_to(CHECKOUT)} has the list")


WORKERS = ("OutboxRelay", "BankSync", "LetterDispatch", "WebhookDelivery")


def workers_run(account, given, code):
    """Checks that the aliases of workers, which queues and the stream call, have published that code."""
    for stack, worker in itertools.product(given, WORKERS):
        _, function = account.published[stack, f"{worker}FunctionAliaslive"]
        if function["Code"]["S3Key"] != code:
            raise Refused(f"{stack}: the alias of {worker}Function has {function['Code']['S3Key']}, want {code}")
    for (stack, logical), (kind, properties) in account.resolved.items():
        called = properties.get("FunctionName", "") if kind == "AWS::Lambda::EventSourceMapping" else ""
        if any(f"-{worker}Function-" in called for worker in WORKERS) and not called.endswith(":live"):
            raise Refused(f"{stack} {logical} calls {called}, and not the alias")


# Rights that the role once lacked, or that a resource of one type only needs.
ONCE_LACKING = (
    "apigateway:PUT", "cloudwatch:PutCompositeAlarm", "codedeploy:StopDeployment", "kms:ListAliases",
    "ses:DescribeConfigurationSet", "iam:CreateServiceLinkedRole",
)


def missed(account, stack):
    """Takes rights from the role, one after the other, and checks that each is missed."""
    for action in ONCE_LACKING:
        fewer = copy.deepcopy(policies(account))
        for statement in (s for policy in fewer for s in policy["Statement"]):
            statement["Action"] = [a for a in listed(statement["Action"]) if a != action]
        try:
            judged(account, stack, fewer)
        except Refused as refused:
            if f"{action} on " in str(refused):
                continue
            raise
        raise Refused(f"nobody missed {action}")
    step(f"noticed each of {len(ONCE_LACKING)} rights that were taken from the role")


def beside(account):
    """Creates and deletes the stacks that only one region can have, with the parameters of docs/deploy.md."""
    go_to(EDGE_REGION)
    before = account.left()
    for name, parameters in (("firewall", {}), ("outside", {"Host": "api.test.example.com", "AlertEmail": "alerts@example.com"})):
        template = yaml_parse((CHECKOUT / "ops" / f"{name}.yaml").read_text())
        account.deploy("create_stack", f"aviso-{name}", json.loads(json.dumps(template)), parameters)
        if problems := list(violations(account)):
            raise Refused("\n".join(problems))
    for name in ("firewall", "outside"):
        account.remove(f"aviso-{name}")
    same(f"left in {EDGE_REGION}", account.left(), before)
    go_to(REGION)
    step(f"created and deleted the firewall and the health check in {EDGE_REGION}")


def receives_mail(account):
    """Creates a stack that receives organizations' answers, whose update moto cannot follow."""
    boundary = bootstrapped(account)
    options = {**OPTIONS, "RoleBoundaryArn": boundary, "ReplyDomain": "replies.example.com"}
    given = {"aviso-test": account.parameters("test", environments()["test"], options)}
    created(account, given, unchanged)
    enough(account, given)


def consoles(account):
    """Turns the console off and on again, which no update may pay for with a table."""
    given = stacks_of(account, {"Console": "on"})
    created(account, given, unchanged)
    update(account, given, "code-1")
    had = account.left()
    update(account, given, "code-1", Console="off")
    gone = had - account.left()
    if gone["AWS::Lambda::Function"] != len(given) or gone["AWS::DynamoDB::Table"]:
        raise Refused(f"Console=off took {dict(gone)}")
    update(account, given, "code-1", Console="on")
    same("there with the console again", account.left(), had)
    step("turned every console off and on again")
    removed(account, given, {REGION: Counter()})


# How a stack that partners use gets a firewall, another secret for it, and loses it again (docs/deploy.md).
EDGE_STEPS = (
    {"EdgeSecret": "aviso/test/edge", "EdgeMode": "count", **{k: v for k, v in EDGE.items() if k in ("EdgeCertificateArn", "WebAclArn")}},
    {"EdgeMode": "refuse"},
    {"CertificateArn": ""},
    {"OtherEdgeSecret": "aviso/test/edge-2"},
    {"EdgeSecret": "aviso/test/edge-2", "OtherEdgeSecret": "aviso/test/edge"},
    {"OtherEdgeSecret": ""},
    {"EdgeMode": "count", "CertificateArn": OPTIONS["CertificateArn"]},
    {"EdgeSecret": "", "EdgeMode": "refuse"},
)


class Entrance(NamedTuple):
    """Which way requests come to a stack, and which the functions admit."""

    target: str  # of the domain's record
    sent: str  # the secret that CloudFront sends
    admitted: tuple  # by each function: the secrets it accepts; empty if all requests may pass


def entrance(account, stack):
    resolved = {logical: properties for (owner, logical), (_, properties) in account.resolved.items() if owner == stack}
    records = services.call("route53", "list_resource_record_sets", HostedZoneId=account.zone)["ResourceRecordSets"]
    [target] = [r["AliasTarget"]["DNSName"] for r in records if r["Type"] == "A"]
    distribution = resolved.get("Edge", {}).get("DistributionConfig")
    sent = distribution["Origins"][0]["OriginCustomHeaders"][0]["HeaderValue"] if distribution else ""
    admitted = []
    for properties in resolved.values():
        variables = properties.get("Environment", {}).get("Variables", {})
        if "EDGE_SECRETS" in variables:
            secrets = frozenset(variables["EDGE_SECRETS"].split())
            admitted.append(secrets if variables["EDGE_MODE"] == "refuse" else frozenset())
    return Entrance(target, sent, tuple(admitted))


def edges(account, steps=EDGE_STEPS):
    """Puts CloudFront in front of a stack in use and takes it away. At no moment a request may be refused."""
    given = {"aviso-test": account.parameters("test", environments()["test"], OPTIONS)}
    created(account, given, unchanged)
    had, now = account.left(), entrance(account, "aviso-test")
    for change in steps:
        before = now
        update(account, given, "code-1", **change)
        now = entrance(account, "aviso-test")
        # While an update or its rollback runs, any old part may meet any new one.
        for way, admitted in itertools.product((before, now), {*before.admitted, *now.admitted}):
            if admitted and ("Regional" in way.target or way.sent not in admitted):
                raise Refused(f"with {change}, functions refuse requests by way of {way.target}")
    same("there without the firewall again", account.left(), had)
    step(f"turned the firewall on and off and changed its secret in {len(steps)} updates, each of which refuses nobody")
    removed(account, given, {REGION: Counter()})


def regions_and_cells(account):
    """Creates production in two regions of one account, and a second cell of it beside the first."""
    given, before = {}, {}
    for region, names in ((ELSEWHERE, ("aviso-production",)), (REGION, ("aviso-production", "aviso-production-2"))):
        go_to(region)
        boundary = bootstrapped(account)
        for name in names:
            where = name.removeprefix("aviso-") + ("-far" if region != REGION else "")
            options = {**OPTIONS, **EDGE, "RoleBoundaryArn": boundary, "Console": "on"}
            given[label(name)] = account.parameters(where, environments()["production"], options)
    for region in (ELSEWHERE, REGION):
        go_to(region)
        before[region] = account.left()
    created(account, given, unchanged)
    update(account, given, "code-1")
    enough(account, [stack for stack in given if "@" not in stack])
    update(account, given, "code-2", RateLimitPerMinute="1234", Console="off")
    updated(account)
    step(f"created and updated {', '.join(given)} in one account")
    removed(account, given, before)


def updated(account):
    functions = services.call("lambda", "list_functions", MaxItems=1000)["Functions"]
    limits = {str(f["Environment"]["Variables"].get("RATE_LIMIT_PER_MINUTE", "1234")) for f in functions}
    if limits != {"1234"}:
        raise Refused(f"the update left RATE_LIMIT_PER_MINUTE at {limits}")
    codes = {p["Code"]["S3Key"] for kind, p in account.resolved.values() if kind == "AWS::Lambda::Function"}
    if codes != {"code-2"}:
        raise Refused(f"the update left the code at {codes}")


def rolled_back(account, defect=unchanged):
    """Fails the first creation of every environment, rolls back, and creates it again."""
    for environment, parameters in environments().items():
        name = f"aviso-{environment}"
        template = packaged("code-1", parameters)
        defect(template)
        failing = copy.deepcopy(template)
        fail_at_the_end(failing)
        try:
            account.deploy("create_stack", name, failing, first(parameters))
        except Refused as refused:
            if "MalformedPolicyDocument" not in str(refused):
                raise
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


def published_without_parameters(template):
    for version in of_type(template, "AWS::Lambda::Version"):
        del version["Properties"]["Description"]


def described_at_length(template):
    of_type(template, "AWS::Lambda::Function")[0]["Properties"]["Description"] = "x" * 257


def one_policy(bootstrap):
    """All that is the role's in one policy, as it once was."""
    resources = bootstrap["Resources"]
    moved = resources["StackData"]["Properties"]["PolicyDocument"]["Statement"]
    resources["StackRights"]["Properties"]["PolicyDocument"]["Statement"] += moved


DEFECTS = (
    (schedule_without_stack, "HousekeepingFunctionEveryMinute", "a schedule whose name lacks the stack's"),
    (no_resource, "MalformedPolicyDocument", "a statement without resources in production"),
    (protected_at_once, "DeletionProtectionEnabled", "tables that are protected while the stack is created"),
    (one_sender, "letters@example.com", "one mail identity in two stacks"),
    (too_much_reserved, "UnreservedConcurrentExecution", "more concurrency reserved than the account has"),
    (published_without_parameters, "old code or configuration", "a parameter that does not reach the functions"),
    (described_at_length, "maxLength", "a property that breaks its type's schema"),
)


def expect(want, what, do, *arguments):
    """Does what the rehearsal must refuse, and checks that it says why."""
    try:
        do(*arguments)
    except Refused as refused:
        if want not in str(refused):
            raise
        step(f"noticed {what}")
        return
    raise Refused(f"nobody noticed {what}")


def notice(defect, want):
    with Account() as account:
        try:
            if defect is protected_at_once:
                rolled_back(account, defect)
            else:
                created(account, stacks_of(account, {}), defect)
            if defect is published_without_parameters:
                template = packaged("code-1", {})
                defect(template)
                account.deploy("update_stack", "aviso-test", template, environments()["test"] | {"RateLimitPerMinute": "9"})
        except Refused as refused:
            if want in str(refused):
                return
            raise Refused(f"{defect.__name__} was noticed for another reason: {refused}") from refused
        raise Refused(f"nobody noticed {defect.__name__}")


# --- The report ----------------------------------------------------------------


def report():
    """Prints which engine has accepted which types."""
    types = Counter(r["Type"] for r in packaged("code-1", {"GradualDeployment": "true"})["Resources"].values())
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
All of them, with references resolved, fit AWS's registry schemas: members, types, lengths, patterns.
Names differ between the stacks.

What no engine here does, and what checks it instead:
  Rules and constraints of parameters    localstack/template: samconfig_test.go
  AWS's limits across resources          localstack/template: limits_test.go
  Options that an update takes away      only the console and the firewall
  A canary, and alarms that stop it      nothing: moto moves an alias at once
  Replacement in an update               sam's change set, before it is applied
  The rights of CloudFormation's role    by action and ARN, against what AWS publishes about its types; IAM itself is not asked
  The vault, its lock and its jobs       the calls fit AWS's definition of the API; the answers are ours
  How long a restore takes               make restore ARGS='drill …', on AWS
  A state other than the latest          make restore ARGS='drill …', on AWS: moto copies a table as it is now
  Whether the functions work             localstack: the whole service runs against emulators"""
    )


def main():
    warnings.filterwarnings("ignore")
    logging.disable()
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("moto", "aws-sam-translator", "cfn-lint")]
    print(f"Rehearsing with {', '.join(versions)}.")
    with Account():
        known_commands()
    for what, options in (("as samconfig.toml says", {}), ("with every option from the start", OPTIONS)):
        print(f"Environments {what}:")
        with Account() as account:
            side_by_side(account, options)
    step(f"the largest managed policy has {longest_names():,} characters with the longest names, and IAM takes {MANAGED:,}")
    expect("characters of policy", "a policy that is too long", longest_names, one_policy)
    print("Switches, regions and cells:")
    with Account() as account:
        beside(account)
    with Account() as account:
        consoles(account)
    with Account() as account:
        receives_mail(account)
    with Account() as account:
        edges(account)
    with Account() as account:
        at_once = [{**EDGE_STEPS[0], "EdgeMode": "refuse"}]
        expect("functions refuse requests", "a firewall that refuses before DNS has moved", edges, account, at_once)
    with Account() as account:
        rotated = [*EDGE_STEPS[:3], {"EdgeSecret": "aviso/test/edge-2"}]
        expect("functions refuse requests", "a secret that changes at once", edges, account, rotated)
    with Account() as account:
        regions_and_cells(account)
    print("A first creation that fails:")
    with Account() as account:
        rolled_back(account)
    step("rolled back in every environment: nothing was left, and the next creation succeeded")
    print("Defects that were put back:")
    for defect, want, what in DEFECTS:
        notice(defect, want)
        step(f"noticed {what}")
    print("Restores:")
    rehearse()
    report()


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"\nThe rehearsal failed: {refused}")
