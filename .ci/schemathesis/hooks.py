"""What schemathesis cannot know from docs/openapi.yaml, and the exceptions.

An exception names an operation and a part of its request. It accepts that the service
refuses a value that the document allows, if its answer blames this part and nothing
else. Exceptions from other checks are in schemathesis.toml.
"""

import hashlib
import json

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData

TOKEN = "Only the service can make a valid token."
ORDER = "No schema can say that a date must not be before another."
CATEGORY = "The list of categories is data: GET /openbanking/v1/categories."
RETURN_URL = "Must be registered for the partner."
EVENTS = "The list of types is data: GET /webhooks/v1/event-types."
LOCALE = "Must be one of the product's locales."
CHANNEL = "Must be one of the product's channels."
YEARS = "Between 1900 and 2199."
COUNTRY = "Must be a country of ISO 3166-1."
RECEIVER = "Which receivers are allowed depends on the environment and on the address."

REFUSALS = {
    ("createUser", "/countryCode"): COUNTRY,
    ("updateUser", "/countryCode"): COUNTRY,
    ("createOpenBankingClient", "/countryCode"): COUNTRY,
    ("listAccounts", "nextToken"): TOKEN,
    ("listCancellations", "nextToken"): TOKEN,
    ("listConnections", "nextToken"): TOKEN,
    ("listOrganizations", "nextToken"): TOKEN,
    ("listProviders", "nextToken"): TOKEN,
    ("listTransactions", "nextToken"): TOKEN,
    ("listCategoryInsights", "nextToken"): TOKEN,
    ("listMerchantInsights", "nextToken"): TOKEN,
    ("listDeliveryAttempts", "nextToken"): TOKEN,
    ("searchCatalogue", "nextToken"): TOKEN,
    ("listTransactionChanges", "since"): TOKEN,
    ("listTransactions", "dateTo"): ORDER,
    ("listTransactions", "amountFrom"): "At most 19 digits.",
    ("listTransactions", "amountTo"): "At most 19 digits, and not below amountFrom.",
    ("listTransactions", "text"): "Needs a letter or a digit, of any script.",
    ("listCategoryInsights", "dateTo"): ORDER,
    ("listMerchantInsights", "dateTo"): ORDER,
    ("listTransactions", "categoryId"): CATEGORY,
    ("updateTransaction", "/categoryId"): CATEGORY,
    ("updateRecurringContract", "/contractStart"): "From 1900-01-01 to today.",
    ("updateRecurringContract", "/productId"): "Must be a product of the organization.",
    ("updateRecurringContract", "/organizationId"): "Needed if the contract has no organization.",
    ("listProviders", "providerNameFilter"): "Needs a letter or a digit, of any script.",
    ("searchCatalogue", "searchQuery"): "Needs more than spaces.",
    ("createConnection", "/returnUrl"): RETURN_URL,
    ("reconnectConnection", "/returnUrl"): RETURN_URL,
    ("refreshConnection", "X-Psu-Ip-Address"): "IPv4 or IPv6, also mapped, which the formats of JSON Schema exclude.",
    ("createWebhookSubscription", "/serverUrl"): RECEIVER,
    ("updateWebhookSubscription", "/serverUrl"): RECEIVER,
    ("createWebhookSubscription", "/events"): EVENTS,
    ("updateWebhookSubscription", "/events"): EVENTS,
    ("simulateEvent", "/eventType"): EVENTS,
    ("acceptTerms", "/version"): "Must be the version in force: GET /identity/v1/terms.",
    ("simulateEvent", "/data"): "Its schema depends on the event: GET /webhooks/v1/event-types.",
    ("getProduct", "locale"): LOCALE,
    ("getDeadline", "locale"): LOCALE,
    ("getDeadline", "channel"): CHANNEL,
    ("getDeadline", "contractStart"): YEARS,
    ("getDeadline", "cancelledOn"): YEARS,
    ("calculateDeadline", "locale"): LOCALE,
    ("calculateDeadline", "/channel"): CHANNEL,
    ("calculateDeadline", "/contractStart"): YEARS,
    ("calculateDeadline", "/cancelledOn"): YEARS,
    ("calculateDeadline", "/concludedOn"): f"{YEARS} {ORDER}",
    ("calculateDeadline", "/lastRenewal"): f"{YEARS} {ORDER}",
    ("calculateDeadline", "/agreedTerms"): "At most ten years.",
    ("listPriceChanges", "subscriptionId"): "Required with noticeDate.",
    ("listPriceChanges", "noticeDate"): "From 1900 to today.",
    ("createTestTransactions", "/transactions"): "Amounts have two decimal places, and days lie in the bank's history.",
    ("findUser", "externalId"): "A user may be created without one, and the link to this operation then has an empty one.",
    ("advanceClock", ""): "Exactly one member, and a time after the user's, by at most two years.",
    ("createCancellation", "/extraConsent"): "Required if the organization's extraConsent is true.",
    ("createCancellation", "/endDate"): "From today to ten years ahead.",
    ("createCancellation", "/reason/kind"): "The reasons depend on the law of the country: GET …/deadline.",
    ("createCancellation", "/reason/date"): f"{YEARS} Needed for some reasons.",
    ("createCancellation", "/locale"): LOCALE,
    ("createCancellation", "/parameters"): "Their schema is the product's template.",
    ("createCancellation", "/signature/data"): "Text or a PNG, depending on the type.",
    ("answerReply", "/parameters"): "Their schema is what the organization asks for.",
    ("updateCancellationOutcome", "/statusReason"): "Rejected needs one, Confirmed has none.",
    ("updateCancellationOutcome", "/endDate"): f"Only with Confirmed, or a later day of a binding period. {YEARS}",
    ("createObjection", "/parameters"): "Their schema is the product's template.",
    ("createObjection", "/signature/data"): "Text or a PNG, depending on the type.",
    ("sendObjection", "/parameters"): "Their schema is the product's template.",
    ("sendObjection", "/signature/data"): "Text or a PNG, depending on the type.",
}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives equal requests equal idempotency keys, and different requests different ones.

    Another request with the key of a former one is refused. So without this, only the
    first request under each generated key would get through.
    """
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and 1 <= len(key) <= 255:
        request = repr((key, case.method, case.formatted_path, case.query, case.body))
        case.headers["Idempotency-Key"] = hashlib.sha256(request.encode()).hexdigest()


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Reports whether a failure counts: it does unless it is an exception."""
    if response.status_code == 431:
        return False  # API Gateway's own: the request line and the headers exceed 10 KB
    if isinstance(failure, AcceptedNegativeData):
        return "parameter `limit` in query" not in str(failure.message)  # any large limit is the maximum
    if not isinstance(failure, RejectedPositiveData):
        return True
    operation = case.operation.definition.raw.get("operationId")
    excepted = [part for name, part in REFUSALS if name == operation]
    parts = blamed(response)
    return not parts or not all(any((part + "/").startswith(e + "/") for e in excepted) for part in parts)


def blamed(response):
    """Returns the parts of the request that a problem document blames."""
    try:
        errors = json.loads(response.content).get("errors", [])
    except ValueError:
        return []
    return [
        error.get("pointer") or error.get("parameter") or error.get("header", "")
        for error in errors
        if error["code"] != "more"  # the last of too many blames nothing
    ]
