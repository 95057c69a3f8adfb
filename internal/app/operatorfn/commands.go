package operatorfn

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/aws/config"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/dispatch"
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
	catalogue  *catalogue.Importer
	feedback   *dispatch.Feedback
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

// command is an operator's command. members lists the members that its event may have.
type command struct {
	members string
	do      func(context.Context, event) (any, error)
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
	return map[string]command{
		"create-partner": {
			`"id", "name", "displayName", "alertEmail", "scopes" (a list) and "returnUrls" (a list)`, o.createPartner,
		},
		"show-partner":          {partner, o.showPartner},
		"rotate-partner-secret": {partner + ` and "graceHours" (a whole number)`, o.rotatePartnerSecret},
		"disable-partner":       {partner, o.disablePartner},
		"enable-partner":        {partner, o.enablePartner},
		"set-return-urls":       {partner + ` and "returnUrls" (a list)`, o.setReturnURLs},
		"set-display-name":      {partner + ` and "displayName"`, o.setDisplayName},
		"set-alert-email":       {partner + ` and "alertEmail"`, o.setAlertEmail},
		"set-history-days":      {partner + ` and "historyDays" (a whole number)`, o.setHistoryDays},
		"publish-terms":         {`"termsType", "version", "url" and "effectiveFrom" (a time)`, o.publishTerms},
		"set-licensed-entity":   {`"name", "register" and "url" (of the privacy notice)`, o.setLicensedEntity},
		"import-catalogue":      {file + ` and "dryRun" (a boolean)`, o.importCatalogue},
		"import-providers":      {file + `, "dryRun" and "retireMissing" (booleans)`, o.importProviders},
		"import-aspsps":         {`"secret" and "baseUrl" (texts) and "dryRun" (a boolean)`, o.importASPSPs},
		"bank-check": {
			`"providerId", "redirectUrl", "psuIpAddress", "callback" and "psuId" (texts), "ibans" (a list), ` +
				`"keep" (a boolean) and "state" (that of the last answer)`, o.bankCheck,
		},
		"inspect-cancellation": {cancellationID, o.inspectCancellation},
		"confirm-cancellation": {cancellationID, o.confirmCancellation},
		"reject-cancellation":  {cancellationID + ` and "reason"`, o.rejectCancellation},
		"inspect-delivery":     {subscription + `, and "eventId" or "deliveryId"`, o.inspectDelivery},
		"disable-subscription": {subscription, o.disableSubscription},
		"enable-subscription":  {subscription, o.enableSubscription},
		"reseal-webhook-keys":  {"no members", o.resealWebhookKeys},
		"redrive-queue":        {`"queue" and "limit" (a whole number)`, o.redriveQueue},
	}
}
