"""Deploys a stack, or checks whether it could be: make deploy, make preflight.

The first deployment of a stack whose tables are protected takes two steps, since
CloudFormation can roll back only tables without protection: create the stack, then
protect its tables. A stack whose creation was rolled back holds nothing and cannot be
updated, so it is deleted first.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tomllib
from typing import Any

from samtranslator.yaml_helper import yaml_parse

ROOT = pathlib.Path(__file__).parent.parent
SAM = ROOT / ".tools/venv/bin/sam"

# Lambda refuses a reservation that leaves less than this unreserved.
UNRESERVED = 100
# What an account has from ops/bootstrap.yaml.
BOOTSTRAP = "aviso-bootstrap"
POLICY = ROOT / "ops/stack-policy.json"
RECOVERY = "docs/runbook.md#a-first-deployment-that-failed"


def aws(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["aws", *arguments, "--output", "json"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit("Missing: the AWS CLI, version 2")


def answer(*arguments: str) -> Any:
    result = aws(*arguments)
    if result.returncode != 0:
        sys.exit(result.stderr.strip() or f"aws {' '.join(arguments)} failed")
    return json.loads(result.stdout or "null")


def stack_of(name: str) -> dict[str, Any] | None:
    result = aws("cloudformation", "describe-stacks", "--stack-name", name)
    if result.returncode != 0 and "does not exist" in result.stderr:
        return None
    if result.returncode != 0:
        sys.exit(result.stderr.strip())
    return json.loads(result.stdout)["Stacks"][0]


def reserved_by(template: dict[str, Any], parameters: dict[str, str]) -> int:
    """Returns how much concurrency the template reserves with these parameters."""
    if parameters.get("ReserveConcurrency") != "true":
        return 0
    total = 0
    for resource in template["Resources"].values():
        choice = resource.get("Properties", {}).get("ReservedConcurrentExecutions")
        if choice:
            total += choice["Fn::If"][1]
    return total


def check_concurrency(name: str, parameters: dict[str, str], stack: dict[str, Any] | None) -> int:
    """Returns how many executions the account may run at once. Exits if the stack would reserve too many of them."""
    template = yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8"))
    limits = answer("lambda", "get-account-settings")["AccountLimit"]
    allowed, free = limits["ConcurrentExecutions"], limits["UnreservedConcurrentExecutions"]
    needs = reserved_by(template, parameters)
    has = 0
    if stack:
        now = {p["ParameterKey"]: p.get("ParameterValue", "") for p in stack.get("Parameters", [])}
        has = reserved_by(template, now)
    left = free + has - needs
    print(f"Lambda: {allowed} executions at once in this account, {free} of them unreserved. ", end="")
    print(f"{name} reserves {has} now and {needs} after this deployment.")
    if needs > has and left < UNRESERVED:
        sys.exit(
            f"{left} would be left unreserved, and Lambda wants {UNRESERVED}. Set ReserveConcurrency=false in "
            "samconfig.toml, or have the limit raised:\n"
            "aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 "
            f"--desired-value {allowed + UNRESERVED - left}"
        )
    if allowed < 1000:
        print("Warning: that is a new account's limit. It is enough to try the service, but not for real traffic.")
    return allowed


def check_description(parameters: dict[str, str]) -> None:
    """Exits if Lambda would refuse the VersionDescription of CancellationFunction, which has the most values."""
    names = "Tracing EdgeSecret OtherEdgeSecret EdgeMode BaseUrl RateLimitPerMinute TimeStampUrl MailSender MailDomain".split()
    names.append("ReplyAddress")
    secrets = "PostCredentials FaxCredentials EvidenceKey".split()
    declared = yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8"))["Parameters"]
    has = {name: str(p.get("Default", "")) for name, p in declared.items()} | parameters
    values = [has[name] for name in names] + [has[name].rpartition(":")[2] for name in secrets]
    if (length := len(" ".join(values))) > 256:
        sys.exit(f"The values of {', '.join(names + secrets)} have {length} characters. Lambda takes 256: shorten one.")


def of_account() -> tuple[list[str], dict[str, str]]:
    """Returns sam's arguments and the parameters that come from the account's bootstrap stack."""
    stack = stack_of(BOOTSTRAP)
    if not stack:
        print(f"There is no stack {BOOTSTRAP}: deploying with your own rights (docs/deploy.md).")
        return ["--resolve-s3"], {}
    if not stack.get("Outputs"):
        sys.exit(f"{BOOTSTRAP} is in the state {stack['StackStatus']} and has no outputs: deploy it again (docs/deploy.md).")
    outputs = {o["OutputKey"]: o["OutputValue"] for o in stack["Outputs"]}
    arguments = ["--s3-bucket", outputs["Bucket"], "--role-arn", outputs["CloudFormationRoleArn"]]
    return arguments, {"RoleBoundaryArn": outputs["FunctionBoundaryArn"]}


def sam_deploy(environment: str, *arguments: str) -> None:
    result = subprocess.run([SAM, "deploy", "--config-env", environment, *arguments], cwd=ROOT, check=False)
    if result.returncode != 0:
        sys.exit(result.returncode)


def guard(name: str) -> None:
    """Protects the stack from being deleted, and its data from being replaced in an update.

    The pipeline may not change either, so it leaves them as a person's deployment made them.
    """
    answer("cloudformation", "set-stack-policy", "--stack-name", name, "--stack-policy-body", f"file://{POLICY}")
    answer("cloudformation", "update-termination-protection", "--stack-name", name, "--enable-termination-protection")


def of_stack(config: dict[str, Any]) -> dict[str, Any]:
    """Returns how samconfig.toml deploys a stack: an environment, or a further cell of one."""
    return config.get("deploy", {}).get("parameters", {})


def main() -> None:
    arguments = argparse.ArgumentParser()
    with (ROOT / "samconfig.toml").open("rb") as file:
        configs = tomllib.load(file)
    stacks = [name for name, config in configs.items() if name != "version" and "stack_name" in of_stack(config)]
    arguments.add_argument("environment", choices=stacks)
    arguments.add_argument("--check", action="store_true", help="deploy nothing")
    arguments.add_argument("--at-once", action="store_true", help="replace everything at once, as to roll back")
    options = arguments.parse_args()
    config = of_stack(configs[options.environment])
    os.environ["AWS_REGION"] = os.environ["AWS_DEFAULT_REGION"] = config["region"]
    name = config["stack_name"]
    parameters = dict(p.split("=", 1) for p in config["parameter_overrides"])
    if options.at_once:
        parameters["GradualDeployment"] = "false"

    stack = stack_of(name)
    status = stack["StackStatus"] if stack else "none"
    if status in ("ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED"):
        sys.exit(f"{name} is in the state {status}. {RECOVERY} has the commands.")
    check_description(parameters)
    concurrency = check_concurrency(name, parameters, stack)
    if options.check:
        return
    if status == "ROLLBACK_COMPLETE":
        print(f"The creation of {name} was rolled back. Deleting what is left of the stack, which holds nothing.")
        answer("cloudformation", "delete-stack", "--stack-name", name)
        answer("cloudformation", "wait", "stack-delete-complete", "--stack-name", name)
    account, fixed = of_account()
    fixed = {"AccountConcurrency": str(concurrency), **fixed}
    if os.environ.get("CI"):  # the pipeline has asked already: its environments have reviewers
        account.append("--no-confirm-changeset")

    def deployed(given: dict[str, str]) -> None:
        overrides = [f"{key}={value}" for key, value in (given | fixed).items()]
        sam_deploy(options.environment, *account, "--parameter-overrides", *overrides)

    created = status not in ("none", "ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS")
    if not created and parameters.get("DeletionProtection") == "true":
        print(f"Creating {name}. A second deployment then protects its tables.")
        deployed(parameters | {"DeletionProtection": "false"})
        now = stack_of(name)
        if not now or now["StackStatus"] != "CREATE_COMPLETE":
            sys.exit(f"{name} was not created.")  # sam succeeds if nobody confirms the change set
    deployed(parameters)
    if parameters.get("DeletionProtection") == "true" and not os.environ.get("CI"):
        guard(name)


if __name__ == "__main__":
    main()
