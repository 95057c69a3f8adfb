package operatorfn

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/cancellation"
	"aviso/internal/config"
	"aviso/internal/identity"
	"aviso/internal/keyring"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/pfm"
)

// operations is what the operator's commands work with.
type operations struct {
	stage     config.Stage
	partners  *identity.Registrar
	terms     *identity.Agreements
	providers *pfm.ProviderImporter
	catalogue *cancellation.Importer
	inspector *cancellation.Inspector
	feedback  *cancellation.Feedback
	webhooks  *notification.Supervision
	letters   deadLetters
	sqs       *sqs.Client
	dynamo    *dynamodb.Client
	outbox    string
	// Of reseal-webhook-keys.
	secrets       keyring.SecretReader
	sealingSecret string
	sealed        *notificationdb.Store
}

// commands are all there are. Each has an example in events/operator and a row in
// docs/operator.md.
func (o *operations) commands() map[string]command {
	const partner, cancellationID, subscription = `"id", a partner's`, `"cancellationId"`, `"partner" and "subscriptionId"`
	return map[string]command{
		"create-partner":        commandOf("create-partner", `"id", "name", "scopes", a list, and "returnUrls", a list`, o.createPartner),
		"show-partner":          commandOf("show-partner", partner, o.showPartner),
		"rotate-partner-secret": commandOf("rotate-partner-secret", partner+`, and "graceHours", a whole number`, o.rotatePartnerSecret),
		"disable-partner":       commandOf("disable-partner", partner, o.disablePartner),
		"enable-partner":        commandOf("enable-partner", partner, o.enablePartner),
		"set-return-urls":       commandOf("set-return-urls", partner+`, and "returnUrls", a list`, o.setReturnURLs),
		"publish-terms":         commandOf("publish-terms", `"termsType", "version" and "url"`, o.publishTerms),
		"import-catalogue":      commandOf("import-catalogue", `"file", which is the file in base64, and "dryRun", a boolean`, o.importCatalogue),
		"import-providers":      commandOf("import-providers", `"file", which is the file in base64, "dryRun" and "retireMissing", booleans`, o.importProviders),
		"inspect-cancellation":  commandOf("inspect-cancellation", cancellationID, o.inspectCancellation),
		"confirm-cancellation":  commandOf("confirm-cancellation", cancellationID, o.confirmCancellation),
		"reject-cancellation":   commandOf("reject-cancellation", cancellationID+` and "reason"`, o.rejectCancellation),
		"inspect-delivery":      commandOf("inspect-delivery", subscription+`, and "eventId" or "deliveryId"`, o.inspectDelivery),
		"disable-subscription":  commandOf("disable-subscription", subscription, o.disableSubscription),
		"enable-subscription":   commandOf("enable-subscription", subscription, o.enableSubscription),
		"reseal-webhook-keys":   commandOf("reseal-webhook-keys", "no member", o.resealWebhookKeys),
		"redrive-queue":         commandOf("redrive-queue", `"queue" and "limit", a whole number`, o.redriveQueue),
	}
}
