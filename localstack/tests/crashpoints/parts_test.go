package crashpoints

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/api/idempotency"
	"aviso/internal/app/letterdispatchfn"
	"aviso/internal/app/relay"
	"aviso/internal/app/webhookdeliveryfn"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/carrier/sesmail"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/console/consoledb"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/observe"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/internal/secret/keyring"
	"aviso/localstack/template"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// parts are the functions' services, wired as internal/app wires them.
type parts struct {
	dynamo       *dynamodb.Client
	people       *identitydb.Store
	letterStore  *cancellationdb.Store
	noticeStore  *notificationdb.Store
	bankStore    *pfmdb.Store
	answers      *idempotency.Store
	relay        *outbox.Relay
	feedback     *dispatch.Feedback
	users        *identity.Users
	chores       func(context.Context) error
	queues       map[string]template.Queue
	workers      map[string]func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)
	postOffice   *carrier.Post
	fax          *carrier.Fax
	webhookDelay []time.Duration
}

// sealing is the root of the keys that seal what is stored.
const sealing = "root of the sealing keys of the tests"

func newParts(w *world) parts {
	p := parts{queues: queuesOfTheTemplate(w.t), webhookDelay: []time.Duration{2 * time.Minute, 4 * time.Minute}}
	p.dynamo = dynamodb.New(dynamoOptions(w))
	sqsClient := sqs.New(sqs.Options{Region: template.Region, APIOptions: w.options()})
	keys, err := keyring.Root{Current: sealing}.Sealer(keyring.WebhookKeys)
	must(err)

	p.people = identitydb.New(p.dynamo, w.tables["IdentityTable"])
	p.letterStore = cancellationdb.New(p.dynamo, w.tables["CancellationTable"], w.tables["OutboxTable"], w.clock, w.newID)
	p.noticeStore = notificationdb.New(
		p.dynamo, w.tables["NotificationTable"], w.tables["OutboxTable"], keys, w.clock, w.newID)
	p.bankStore = pfmdb.New(p.dynamo, w.tables["PfmTable"], w.tables["OutboxTable"], w.clock, w.newID)
	for _, store := range []interface{ SpreadDue(shards int) }{p.letterStore, p.noticeStore, p.bankStore} {
		store.SpreadDue(1) // each shard would be more points, all of them alike
	}
	for _, store := range []interface{ RequireUsers(table string) }{p.letterStore, p.noticeStore, p.bankStore} {
		store.RequireUsers(w.tables["IdentityTable"])
	}
	p.answers = idempotency.New(p.dynamo, w.tables["IdempotencyTable"])
	p.feedback = &dispatch.Feedback{Store: p.letterStore, Now: w.clock}
	p.users = identity.NewUsers(p.people, w.clock, w.newID)

	sender := queue.NewSender(sqsClient, map[string]string{
		outbox.SyncQueue: "SyncQueue", outbox.LetterQueue: "LetterQueue", outbox.DeliveryQueue: "DeliveryQueue",
		webhookdeliveryfn.RetryQueue: "RetryQueue",
	})
	log := slog.New(slog.DiscardHandler)
	p.relay = outbox.NewRelay(
		p.dynamo, w.tables["OutboxTable"], relay.NewSender(sender.SendAll, p.noticeStore, "test", nil, w.clock), w.clock, log)
	p.chores = newChores(w, &p)
	p.wireCarriers(w)

	deliverer := notification.NewDeliverer(p.noticeStore, p.noticeStore, w.post, p.webhookDelay, w.clock, w.newID)
	deliverer.KeepPayloads = true // which an erasure has to find
	deliver := &queue.Worker[notification.DeliveryKey]{
		Client: sqsClient, URL: "DeliveryQueue", Log: log, Now: w.clock,
		Work: queue.Again(deliverer.Deliver, webhookdeliveryfn.RetryQueue, sender.SendJSON),
	}
	dispatch := &queue.Worker[letterdispatchfn.Message]{
		Client: sqsClient, URL: "LetterQueue", Log: log, Now: w.clock,
		Work: letterdispatchfn.Work(letterdispatchfn.Retryable(p.letterJobs(w)), p.alerts(w)),
	}
	w.bank.Before = w.callBank
	watches := contract.NewWatches(p.bankStore, w.clock)
	syncer := connection.NewSyncer(p.bankStore, watches, w.bank.Of, pfmtest.Enrich, pfmtest.ChangesToken, w.clock, w.newID)
	sync := &queue.Worker[connection.SyncJob]{
		Client: sqsClient, URL: "SyncQueue", Log: log, Now: w.clock, Work: connection.NewJobs(p.bankStore, syncer).Do,
	}
	p.workers = map[string]func(context.Context, events.SQSEvent) (events.SQSEventResponse, error){
		"SyncQueue": sync.Handle, "LetterQueue": dispatch.Handle,
		"DeliveryQueue": deliver.Handle, "RetryQueue": deliver.Handle,
	}
	return p
}

// dynamoOptions are those of the client of the tables in memory, or in the emulator.
func dynamoOptions(w *world) dynamodb.Options {
	o := dynamodb.Options{Region: template.Region}
	if w.db == nil {
		o = testenv.Emulator(w.t).Options()
	}
	o.APIOptions = append(o.APIOptions, w.options()...)
	return o
}

// newChores returns what housekeeping does every minute.
func newChores(w *world, p *parts) func(context.Context) error {
	erasing := identitydb.NewErasureTaskStore(p.people, w.tables["OutboxTable"], w.newID)
	erasures := identity.NewErasureRunner(erasing, w.clock,
		&connection.Eraser{Store: p.bankStore, Now: w.clock}, &dispatch.Eraser{Store: p.letterStore, Now: w.clock},
		notification.NewEraser(p.noticeStore), idempotency.New(p.dynamo, w.tables["IdempotencyTable"]),
		consoledb.NewEraser(p.dynamo, w.tables["ConsoleTable"]))
	connections := connection.NewHousekeeping(p.bankStore, 90, w.clock)
	letters := dispatch.NewHousekeeping(p.letterStore, w.clock)
	notices := notification.NewHousekeeping(p.noticeStore, w.clock)
	relay := p.relay
	return func(ctx context.Context) error {
		_, err1 := relay.Resend(ctx, w.clock().Add(-outbox.ResendAfter))
		_, err2 := connections.Run(ctx)
		_, err3 := letters.Run(ctx)
		_, err4 := notices.Run(ctx)
		_, err5 := erasures.Run(ctx)
		return errors.Join(err1, err2, err3, err4, err5)
	}
}

// wireCarriers makes the adapters of the carriers.
func (p *parts) wireCarriers(w *world) {
	common := carrier.Common{Now: w.clock, Transport: w}
	var err error
	p.postOffice, err = carrier.NewPost(carrier.PostOptions{
		Common: common, BaseURL: mailroomtest.BaseURL + "/sandbox/post",
		IdentityURL:    mailroomtest.BaseURL + "/sandbox/post/identity",
		OrganisationID: mailroomtest.Post().OrganisationID, ClientID: mailroomtest.Post().ClientID,
		ClientSecret:  observe.Secret(mailroomtest.Post().ClientSecret),
		WebhookSecret: observe.Secret(mailroomtest.Post().WebhookSecret),
		ReturnAddress: cancellation.PostalAddress{
			Recipient: []string{"Aviso"}, Street: "Weg 1", PostalCode: "10115", City: "Berlin", CountryCode: "DE",
		},
	})
	must(err)
	p.fax, err = carrier.NewFax(carrier.FaxOptions{
		Common: common, BaseURL: mailroomtest.BaseURL + "/sandbox/fax/v3",
		ProjectID: mailroomtest.Fax().ProjectID, KeyID: mailroomtest.Fax().KeyID,
		KeySecret:       observe.Secret(mailroomtest.Fax().KeySecret),
		CallbackBaseURL: mailroomtest.BaseURL, CallbackSecret: "a callback secret of the tests, long enough",
	})
	must(err)
}

// alerts returns what letter-dispatch does with a message about a subscription that fails.
func (p *parts) alerts(w *world) func(context.Context, notification.Alert) error {
	mailer := letterdispatchfn.AlertMailer{
		Sender: sesmail.New(sesv2.New(sesv2.Options{Region: template.Region, APIOptions: w.options()})),
		From:   "letters@aviso.example", ConfigurationSet: "MailConfigurationSet", Environment: "test", Now: w.clock,
	}
	address := func(context.Context, owner.PartnerID) (string, error) { return "on-call@partner.example", nil }
	return notification.NewAlerts(p.noticeStore, address, mailer.Send, w.clock).Send
}

// letterJobs returns what letter-dispatch does with a message.
func (p *parts) letterJobs(w *world) func(context.Context, cancellation.Job, int) error {
	email, err := carrier.NewEmail(carrier.EmailOptions{
		SES:  sesmail.New(sesv2.New(sesv2.Options{Region: template.Region, APIOptions: w.options()})),
		From: "letters@aviso.example", ConfigurationSet: "MailConfigurationSet", Now: w.clock,
	})
	must(err)
	carriers := map[cancellation.ChannelKind]dispatch.Carrier{
		cancellation.ChannelEmail: email, cancellation.ChannelFax: p.fax,
		cancellation.ChannelMail: p.postOffice, cancellation.ChannelRegisteredMail: p.postOffice,
	}
	erasers := map[cancellation.ChannelKind]dispatch.CarrierEraser{
		cancellation.ChannelFax: p.fax, cancellation.ChannelMail: p.postOffice,
		cancellation.ChannelRegisteredMail: p.postOffice,
	}
	dispatcher := &dispatch.Dispatcher{
		Store: p.letterStore, Carriers: carriers, Erasers: erasers, Outcomes: p.feedback,
		Now: w.clock, NewID: w.newID,
	}
	return dispatcher.Do
}
