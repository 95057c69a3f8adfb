// Package replyreaderfn builds the function reply-reader, which receives the answers of organizations: SES puts a mail
// into a bucket and tells a topic, whose queue the function reads. Outside production partners may send mail, too.
package replyreaderfn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/api/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/httpapi"
	"aviso/internal/aws/bucket"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/reply/inbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/outcome"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE")
	queueURL, domain := r.Required("REPLY_QUEUE_URL"), r.Optional("REPLY_DOMAIN", "")
	carrierSecret := r.Optional("CARRIER_SECRET", "")
	e, err := httpapi.New(ctx, "reply-reader", httpapi.UserAndData, env, r, cache)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(e.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(r.Required("IDENTITY_TABLE"))
	feedback := &dispatch.Feedback{Store: store, Now: time.Now, Clocks: e.Clocks}
	in := &inbox.Inbox{Store: store, Feedback: feedback, Clocks: e.Clocks, Now: time.Now, Domain: domain}
	played := &organizations{in, feedback, cache.Reader(e.Config), carrierSecret}
	cancellationapi.RegisterReplies(e.Router, played.receive)
	if e.Stage != config.Production {
		cancellationapi.RegisterMail(e.Router, testMail(in))
	}
	mails := bucket.Bucket{Config: e.Config, Name: r.Optional("MAIL_BUCKET", ""), Now: time.Now}
	worker := &queue.Worker[notification]{
		Service: "reply-reader", Client: sqs.NewFromConfig(e.Config), URL: queueURL, Log: slog.Default(), Now: time.Now,
		Work: func(ctx context.Context, n notification, _ int) error { return n.receive(ctx, mails, in) },
	}
	return bootstrap.Either{
		Requests: apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), e.Router.Handler()),
		Messages: bootstrap.Handler[events.SQSEvent, events.SQSEventResponse](worker.Handle),
	}, nil
}

// notification is the message of SES about a received mail (developer guide, "Contents of notifications").
type notification struct {
	Receipt struct {
		Recipients                                                       []string
		SpamVerdict, VirusVerdict, SPFVerdict, DKIMVerdict, DMARCVerdict struct{ Status string }
		Action                                                           struct{ ObjectKey string }
	}
}

// receive reads the mail from the bucket, and deletes it there when it is recorded.
func (n notification) receive(ctx context.Context, mails bucket.Bucket, in *inbox.Inbox) error {
	r := n.Receipt
	if r.Action.ObjectKey == "" {
		return errors.New("notification without an object")
	}
	raw, err := mails.Get(ctx, r.Action.ObjectKey, inbox.MaxMail+1)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // recorded before, or expired
	}
	if err != nil {
		return err
	}
	err = in.Receive(ctx, inbox.Delivery{To: r.Recipients, Raw: raw, Verdicts: inbox.Verdicts{
		Spam: r.SpamVerdict.Status, Virus: r.VirusVerdict.Status, SPF: r.SPFVerdict.Status, DKIM: r.DKIMVerdict.Status,
		DMARC: r.DMARCVerdict.Status,
	}})
	if err != nil {
		return err
	}
	return mails.Delete(ctx, r.Action.ObjectKey)
}
