"""Types that moto's CloudFormation cannot deploy, but its services can.

Each type calls the service with the resource's properties as CloudFormation would. boto3
knows AWS's API, so it rejects unknown members and wrong types; moto rejects what the
service would, such as a name that is taken.
"""

import functools
import json
import os
import re

import boto3
from moto.backup.models import backup_backends
from moto.core import DEFAULT_ACCOUNT_ID
from moto.core.common_models import CloudFormationModel


def region():
    """The region that calls go to."""
    return os.environ["AWS_DEFAULT_REGION"]


def client(service):
    return client_in(service, region())


@functools.cache
def client_in(service, where):
    return boto3.client(service, region_name=where)


def call(service, operation, **arguments):
    return getattr(client(service), operation)(**arguments)


def text(document):
    return document if isinstance(document, str) else json.dumps(document)


def secret(name, properties):
    name = "-".join(name.rsplit("-", 2)[1:])  # CloudFormation leaves out the stack's
    generate = properties.pop("GenerateSecretString")
    value = json.loads(generate["SecretStringTemplate"])
    length = {"PasswordLength": generate["PasswordLength"], "ExcludePunctuation": generate["ExcludePunctuation"]}
    value[generate["GenerateStringKey"]] = call("secretsmanager", "get_random_password", **length)["RandomPassword"]
    replicas = {"AddReplicaRegions": properties.pop("ReplicaRegions")} if "ReplicaRegions" in properties else {}
    properties = {"Name": name, **properties, **replicas, "SecretString": json.dumps(value)}
    return call("secretsmanager", "create_secret", **properties)["ARN"]


def secret_changed(arn, properties):
    """Replicates a secret, or takes its replicas away. Its value stays."""
    have = {status["Region"] for status in call("secretsmanager", "describe_secret", SecretId=arn).get("ReplicationStatus", [])}
    want = {replica["Region"] for replica in properties.get("ReplicaRegions", [])}
    if want - have:
        added = [{"Region": where} for where in want - have]
        call("secretsmanager", "replicate_secret_to_regions", SecretId=arn, AddReplicaRegions=added)
    if have - want:
        call("secretsmanager", "remove_regions_from_replication", SecretId=arn, RemoveReplicaRegions=[*(have - want)])
    return arn


def secret_removed(arn):
    """Secrets Manager deletes no secret that has replicas."""
    secret_changed(arn, {})
    call("secretsmanager", "delete_secret", SecretId=arn, ForceDeleteWithoutRecovery=True)


def alarm(name, properties):
    name = properties.pop("AlarmName", name)
    call("cloudwatch", "put_metric_alarm", AlarmName=name, **properties)
    return name


def composite_alarm(name, properties):
    """moto has no such alarms. CloudWatch refuses a rule that names an alarm that does not exist."""
    children = re.findall(r'ALARM\("([^"]+)"\)', properties["AlarmRule"])
    found = call("cloudwatch", "describe_alarms", AlarmNames=children)["MetricAlarms"]
    if not children or len(found) != len(children):
        raise ValueError(f"{name}: {properties['AlarmRule']} names alarms that do not exist")
    return name


def metric_filter(name, properties):
    made = [{small_first(k): v for k, v in t.items()} for t in properties["MetricTransformations"]]
    call("logs", "put_metric_filter", filterName=name, logGroupName=properties["LogGroupName"],
         filterPattern=properties["FilterPattern"], metricTransformations=made)
    return name


def small_first(name):
    return name[0].lower() + name[1:]


def queue_policy(name, properties):
    for queue in properties["Queues"]:
        attributes = {"Policy": text(properties["PolicyDocument"])}
        call("sqs", "set_queue_attributes", QueueUrl=queue, Attributes=attributes)
    return name


def topic_policy(name, properties):
    for topic in properties["Topics"]:
        arguments = {"AttributeName": "Policy", "AttributeValue": text(properties["PolicyDocument"])}
        call("sns", "set_topic_attributes", TopicArn=topic, **arguments)
    return name


def subscription(_, properties):
    attributes = {"RawMessageDelivery": str(raw).lower()} if (raw := properties.pop("RawMessageDelivery", None)) is not None else {}
    return call("sns", "subscribe", Attributes=attributes, **properties)["SubscriptionArn"]


def subscription_changed(arn, properties):
    raw = str(properties.get("RawMessageDelivery", False)).lower()
    call("sns", "set_subscription_attributes", SubscriptionArn=arn, AttributeName="RawMessageDelivery", AttributeValue=raw)
    return arn


def bucket_policy(name, properties):
    call("s3", "put_bucket_policy", Bucket=properties["Bucket"], Policy=text(properties["PolicyDocument"]))
    return name


def identity(_, properties):
    arguments = {"EmailIdentity": properties["EmailIdentity"]}
    if default := (properties.get("ConfigurationSetAttributes") or {}).get("ConfigurationSetName"):
        arguments["ConfigurationSetName"] = default
    if signing := properties.get("DkimSigningAttributes"):
        arguments["DkimSigningAttributes"] = signing
    call("sesv2", "create_email_identity", **arguments)
    return arguments["EmailIdentity"]


def configuration_set(_, properties):
    name = properties.pop("Name")
    call("sesv2", "create_configuration_set", ConfigurationSetName=name, **properties)
    return name


def event_invoke(name, properties):
    call("lambda", "put_function_event_invoke_config", **properties)
    return name


def schedule(name, properties):
    name = properties.pop("Name", name)
    call("scheduler", "create_schedule", Name=name, **properties)
    return name


def api(_, properties):
    body = properties["Body"]
    made = call("apigatewayv2", "create_api", Name=body["info"]["title"], ProtocolType="HTTP")
    call("apigatewayv2", "reimport_api", ApiId=made["ApiId"], Body=json.dumps(body))
    return made["ApiId"]


def api_changed(physical, properties):
    call("apigatewayv2", "reimport_api", ApiId=physical, Body=json.dumps(properties["Body"]))
    return physical


def stage(_, properties):
    call("apigatewayv2", "create_stage", **properties)
    return properties["StageName"]


def domain(_, properties):
    call("apigatewayv2", "create_domain_name", **properties)
    return properties["DomainName"]


def domain_removed(name):
    """moto stumbles over mappings that a domain still has."""
    for made in call("apigatewayv2", "get_api_mappings", DomainName=name)["Items"]:
        call("apigatewayv2", "delete_api_mapping", DomainName=name, ApiMappingId=made["ApiMappingId"])
    call("apigatewayv2", "delete_domain_name", DomainName=name)


def as_cloudfront(name, properties):
    """The API wants lists with their lengths, and other spellings."""
    wanted = dict(properties["DistributionConfig"])
    counted = {"Aliases": wanted["Aliases"], "Origins": wanted["Origins"]}
    for origin in counted["Origins"]:
        del origin["CustomOriginConfig"], origin["OriginCustomHeaders"]
    return {
        "CallerReference": name, "Comment": wanted["Comment"], "Enabled": wanted["Enabled"], "WebACLId": wanted["WebACLId"],
        "DefaultCacheBehavior": {k: wanted["DefaultCacheBehavior"][k] for k in ("TargetOriginId", "ViewerProtocolPolicy")},
        **{key: {"Quantity": len(items), "Items": items} for key, items in counted.items()},
    }


def distribution(name, properties):
    return call("cloudfront", "create_distribution", DistributionConfig=as_cloudfront(name, properties))["Distribution"]["Id"]


def distribution_changed(physical, properties):
    now = call("cloudfront", "get_distribution", Id=physical)
    wanted = as_cloudfront(now["Distribution"]["DistributionConfig"]["CallerReference"], properties)
    call("cloudfront", "update_distribution", Id=physical, IfMatch=now["ETag"], DistributionConfig=wanted)
    return physical


def distribution_removed(physical):
    tag = call("cloudfront", "get_distribution", Id=physical)["ETag"]
    call("cloudfront", "delete_distribution", Id=physical, IfMatch=tag)


def record(action):
    """Route 53 refuses to create a record that exists; moto does only if it is the same one."""
    def change(_, properties):
        zone = properties.pop("HostedZoneId")
        there = call("route53", "list_resource_record_sets", HostedZoneId=zone)["ResourceRecordSets"]
        if action == "CREATE" and (properties["Name"] + ".", properties["Type"]) in {(r["Name"], r["Type"]) for r in there}:
            raise ValueError(f"the record {properties['Type']} {properties['Name']} already exists")
        target = properties["AliasTarget"]
        target.setdefault("EvaluateTargetHealth", False)
        batch = {"Changes": [{"Action": action, "ResourceRecordSet": properties}]}
        call("route53", "change_resource_record_sets", HostedZoneId=zone, ChangeBatch=batch)
        return json.dumps([zone, properties])

    return change


def record_removed(physical):
    zone, properties = json.loads(physical)
    record("DELETE")("", {**properties, "HostedZoneId": zone})


def mapping(_, properties):
    return call("apigatewayv2", "create_api_mapping", **properties)["ApiMappingId"]


def budget(name, properties):
    properties["Budget"].setdefault("BudgetName", name)
    subscribed = properties.pop("NotificationsWithSubscribers", [])
    limit = properties["Budget"]["BudgetLimit"]
    limit["Amount"] = str(limit["Amount"])  # the API wants text
    account = call("sts", "get_caller_identity")["Account"]
    call("budgets", "create_budget", AccountId=account, NotificationsWithSubscribers=subscribed, **properties)
    return properties["Budget"]["BudgetName"]


def budget_removed(name):
    call("budgets", "delete_budget", AccountId=call("sts", "get_caller_identity")["Account"], BudgetName=name)


def provider(_, properties):
    arguments = {"Url": properties["Url"], "ClientIDList": properties["ClientIdList"]}
    return call("iam", "create_open_id_connect_provider", **arguments)["OpenIDConnectProviderArn"]


def version(_, properties):
    return call("lambda", "publish_version", **properties)["FunctionArn"]


def alias(_, properties):
    return call("lambda", "create_alias", **properties)["AliasArn"]


def alias_moved(physical, properties):
    """What CodeDeploy does in steps."""
    return call("lambda", "update_alias", **properties)["AliasArn"]


def application(name, properties):
    call("codedeploy", "create_application", applicationName=name, computePlatform=properties["ComputePlatform"])
    return name


def deployment_group(name, properties):
    """The API's names begin with a small letter, at every level."""
    call("codedeploy", "create_deployment_group", deploymentGroupName=name, **small(properties))
    return name


def small(value):
    if isinstance(value, dict):
        return {small_first(name): small(inner) for name, inner in value.items()}
    return [small(inner) for inner in value] if isinstance(value, list) else value


def never_gone(_):
    """moto's CodeDeploy deletes nothing."""


def vault(_, properties):
    name = properties["BackupVaultName"]
    call("backup", "create_backup_vault", BackupVaultName=name)
    return lock(name, properties)


def lock(name, properties):
    call("backup", "put_backup_vault_lock_configuration", BackupVaultName=name, **properties["LockConfiguration"])
    return name


def plan(_, properties):
    wanted = properties["BackupPlan"]
    rules = [{**rule, "TargetBackupVaultName": rule["TargetBackupVault"]} for rule in wanted["BackupPlanRule"]]
    for rule in rules:
        del rule["TargetBackupVault"]
    made = {"BackupPlanName": wanted["BackupPlanName"], "Rules": rules}
    return call("backup", "create_backup_plan", BackupPlan=made)["BackupPlanId"]


def plan_changed(physical, properties):
    """moto's Backup changes no plan, so another takes its place."""
    plan_removed(physical)
    return plan(physical, properties)


def plan_removed(physical):
    call("backup", "delete_backup_plan", BackupPlanId=physical)
    # moto keeps the name of a deleted plan taken.
    backup_backends[DEFAULT_ACCOUNT_ID][region()].plans.pop(physical)


def gone_with_its_owner(_):
    """Deleting the queue, topic, function, bucket or API deletes it too."""


def remover(service, operation, member):
    return lambda physical: call(service, operation, **{member: physical})


# By type: how to create it, how to remove it by what Ref returns, and how to change it if an
# update does.
SERVICES = {
    "AWS::ApiGatewayV2::Api": (api, remover("apigatewayv2", "delete_api", "ApiId"), api_changed),
    "AWS::ApiGatewayV2::ApiMapping": (mapping, gone_with_its_owner),
    "AWS::ApiGatewayV2::DomainName": (domain, domain_removed),
    "AWS::ApiGatewayV2::Stage": (stage, gone_with_its_owner),
    "AWS::Backup::BackupPlan": (plan, plan_removed, plan_changed),
    "AWS::Backup::BackupVault": (vault, remover("backup", "delete_backup_vault", "BackupVaultName"), lock),
    "AWS::Budgets::Budget": (budget, budget_removed),
    "AWS::CloudFront::Distribution": (distribution, distribution_removed, distribution_changed),
    "AWS::CloudWatch::Alarm": (alarm, lambda name: call("cloudwatch", "delete_alarms", AlarmNames=[name]), alarm),
    "AWS::CloudWatch::CompositeAlarm": (composite_alarm, gone_with_its_owner),
    "AWS::CodeDeploy::Application": (application, never_gone),
    "AWS::CodeDeploy::DeploymentGroup": (deployment_group, never_gone),
    "AWS::IAM::OIDCProvider": (
        provider,
        remover("iam", "delete_open_id_connect_provider", "OpenIDConnectProviderArn"),
    ),
    "AWS::Lambda::Alias": (alias, gone_with_its_owner, alias_moved),
    "AWS::Lambda::EventInvokeConfig": (event_invoke, gone_with_its_owner),
    "AWS::Lambda::Version": (version, gone_with_its_owner, version),
    "AWS::Logs::MetricFilter": (metric_filter, gone_with_its_owner),
    "AWS::Route53::RecordSet": (record("CREATE"), record_removed, record("UPSERT")),
    "AWS::S3::BucketPolicy": (bucket_policy, gone_with_its_owner, bucket_policy),
    "AWS::SES::ConfigurationSet": (
        configuration_set,
        remover("sesv2", "delete_configuration_set", "ConfigurationSetName"),
    ),
    "AWS::SES::EmailIdentity": (identity, remover("sesv2", "delete_email_identity", "EmailIdentity")),
    "AWS::SNS::TopicPolicy": (topic_policy, gone_with_its_owner, topic_policy),
    "AWS::SQS::QueuePolicy": (queue_policy, gone_with_its_owner, queue_policy),
    "AWS::Scheduler::Schedule": (schedule, remover("scheduler", "delete_schedule", "Name")),
    "AWS::SecretsManager::Secret": (secret, secret_removed, secret_changed),
    "AWS::SNS::Subscription": (
        subscription,
        remover("sns", "unsubscribe", "SubscriptionArn"),
        subscription_changed,
    ),
}


def register(kind):
    """Teaches moto's CloudFormation a type: by its service, or else only its name."""
    create, remove, *change = SERVICES.get(kind, (lambda name, _: name, gone_with_its_owner, lambda physical, _: physical))

    class Model(CloudFormationModel):
        __module__ = "moto.rehearsal"  # moto counts a module's models by its second name

        def __init__(self, physical):
            self.physical_resource_id = physical

        @staticmethod
        def cloudformation_name_type():
            return ""

        @staticmethod
        def cloudformation_type():
            return kind

        @classmethod
        def has_cfn_attr(cls, _):
            return True

        def get_cfn_attribute(self, name):
            if name.endswith("HostedZoneId"):
                return "Z2FDTNDATAQYW2"
            if name == "Version":
                return self.physical_resource_id.rpartition(":")[2]
            return self.physical_resource_id if name.endswith("Arn") else f"{self.physical_resource_id}.{name}"

        @classmethod
        def create_from_cloudformation_json(cls, name, resource, account, region, **_):
            return cls(create(name, present(resource["Properties"])))

        @classmethod
        def update_from_cloudformation_json(cls, original_resource, cloudformation_json, **_):
            for changed in change:
                return cls(changed(original_resource.physical_resource_id, present(cloudformation_json["Properties"])))
            raise NotImplementedError(f"the rehearsal cannot update {kind}")

        @classmethod
        def delete_from_cloudformation_json(cls, name, resource, account, region):
            remove(name)

        def is_created(self):
            return True

    return Model


def present(value):
    """Copies a value without the members that are AWS::NoValue, which moto leaves as None."""
    if isinstance(value, dict):
        return {name: present(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [present(inner) for inner in value if inner is not None]
    return value
