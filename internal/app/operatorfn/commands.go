package operatorfn

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/identity"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/secret/keyring"
)

// operations has the services that the operator's commands use.
type operations struct {
	stage    config.Stage
	partners *identity.Registrar
	terms    *identity.Agreements
	// aggregator lists the banks for import-aspsps.
	aggregator *enablebanking.Client
	catalogue  *cancellation.Importer
	inspector  *cancellation.Inspector
	feedback   *cancellation.Feedback
	webhooks   *notification.Supervision
	letters    deadLetters
	sqs        *sqs.Client
	dynamo     *dynamodb.Client
	outbox     string
	// banks has the providers.
	banks *pfmdb.Store
	// For bank-check and reseal-webhook-keys.
	secrets                      keyring.SecretReader
	sealingSecret, webhookSecret string
	sealed                       *notificationdb.Store
}

// commands returns all commands. Each has an example in events/operator and a row in
// docs/operator.md.
func (o *operations) commands() map[string]command {
	const (
		partner        = `"id" (of a partner)`
		cancellationID = `"cancellationId"`
		subscription   = `"partner" and "subscriptionId"`
		file           = `"file" (base64)`
	)
	all := map[string]command{}
	add(all, "create-partner", `"id", "name", "displayName", "alertEmail", "scopes" (a list) and "returnUrls" (a list)`,
		o.createPartner)
	add(all, "show-partner", partner, o.showPartner)
	add(all, "rotate-partner-secret", partner+` and "graceHours" (a whole number)`, o.rotatePartnerSecret)
	add(all, "disable-partner", partner, o.disablePartner)
	add(all, "enable-partner", partner, o.enablePartner)
	add(all, "set-return-urls", partner+` and "returnUrls" (a list)`, o.setReturnURLs)
	add(all, "set-display-name", partner+` and "displayName"`, o.setDisplayName)
	add(all, "set-alert-email", partner+` and "alertEmail"`, o.setAlertEmail)
	add(all, "publish-terms", `"termsType", "version" and "url"`, o.publishTerms)
	add(all, "import-catalogue", file+` and "dryRun" (a boolean)`, o.importCatalogue)
	add(all, "import-providers", file+`, "dryRun" and "retireMissing" (booleans)`, o.importProviders)
	add(all, "import-aspsps", `"secret" and "baseUrl" (texts) and "dryRun" (a boolean)`, o.importASPSPs)
	add(all, "bank-check", `"providerId", "redirectUrl", "psuIpAddress", "callback" and "psuId" (texts), "ibans" (a list), `+
		`"keep" (a boolean) and "state" (that of the last answer)`, o.bankCheck)
	add(all, "inspect-cancellation", cancellationID, o.inspectCancellation)
	add(all, "confirm-cancellation", cancellationID, o.confirmCancellation)
	add(all, "reject-cancellation", cancellationID+` and "reason"`, o.rejectCancellation)
	add(all, "inspect-delivery", subscription+`, and "eventId" or "deliveryId"`, o.inspectDelivery)
	add(all, "disable-subscription", subscription, o.disableSubscription)
	add(all, "enable-subscription", subscription, o.enableSubscription)
	add(all, "reseal-webhook-keys", "no members", o.resealWebhookKeys)
	add(all, "redrive-queue", `"queue" and "limit" (a whole number)`, o.redriveQueue)
	return all
}
