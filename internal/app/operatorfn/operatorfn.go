// Package operatorfn builds the function operator, which only operators can invoke, through IAM. An event has a
// command and its members, which docs/operator.md lists. Each call logs one line with what was done, without secrets.
package operatorfn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/api/apierror"
	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outbound"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	stage := r.Stage()
	identityTable, pfmTable := r.Required("IDENTITY_TABLE"), r.Required("PFM_TABLE")
	cancellationTable, notificationTable := r.Required("CANCELLATION_TABLE"), r.Required("NOTIFICATION_TABLE")
	outboxTable := r.Required("OUTBOX_TABLE")
	letters, sealingSecret, webhookSecret := readDeadLetters(r), r.Required("SEALING_SECRET"), r.Required("WEBHOOK_SECRET")
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return nil, err
	}
	people := identitydb.New(c.Dynamo, identityTable)
	requests := cancellationdb.New(c.Dynamo, cancellationTable, outboxTable, time.Now, bootstrap.NewID)
	webhooks := notificationdb.New(c.Dynamo, notificationTable, outboxTable, nil, time.Now, bootstrap.NewID)
	banks := pfmdb.New(c.Dynamo, pfmTable, outboxTable, time.Now, bootstrap.NewID)
	o := &operations{
		stage:     stage,
		partners:  identity.NewRegistrar(people, time.Now, keyring.RandomToken),
		terms:     identity.NewAgreements(people, time.Now),
		banks:     banks,
		catalogue: NewImporter(c.Dynamo, cancellationTable, outboxTable),
		feedback:  &dispatch.Feedback{Store: requests, Now: time.Now, Clocks: dynamo.NewClocks(c.Dynamo, r)},
		webhooks:  notification.NewSupervision(webhooks, time.Now),
		letters:   letters, sqs: sqs.NewFromConfig(c.Config), dynamo: c.Dynamo, outbox: outboxTable,
		secrets: secretsmanager.NewFromConfig(c.Config), sealingSecret: sealingSecret, webhookSecret: webhookSecret,
		sealed: webhooks,
	}
	if stage == config.Production {
		o.terms.Notice = 24 * time.Hour // users must be able to read new terms before these lock them out
	}
	o.aggregator = bankclient.Aggregator(o.secrets, stage, nil, outbound.Timeouts{})
	commands := o.commands()
	return bootstrap.Handler[json.RawMessage, any](func(ctx context.Context, event json.RawMessage) (any, error) {
		return operate(ctx, commands, event)
	}), nil
}

// answer is the answer of a command, with the members that docs/operator.md lists.
type answer map[string]any

// operate looks up the event's command, runs it and logs it.
func operate(ctx context.Context, commands map[string]command, text json.RawMessage) (any, error) {
	var named struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return nil, errors.New(`operator: the event must be an object with the member "command", a string`)
	}
	run, known := commands[named.Command]
	if !known {
		names := slices.Sorted(maps.Keys(commands))
		return nil, fmt.Errorf("operator: the event's command must be one of: %s", strings.Join(names, ", "))
	}
	var reply any
	e, err := run.decode(named.Command, text)
	if err == nil {
		err = run.check(e)
	}
	if err == nil {
		reply, err = run.do(ctx, e)
	}
	level, outcome := slog.LevelInfo, "done"
	var refusal *apierror.Error
	if a, ok := reply.(answer); ok && a["errorCount"] != nil && a["errorCount"] != 0 || errors.As(err, &refusal) {
		level, outcome = slog.LevelWarn, "refused"
	} else if err != nil {
		level, outcome = slog.LevelError, "failed"
	}
	line := []slog.Attr{slog.String("command", named.Command), slog.String("outcome", outcome)}
	if !apierror.Is(err, apierror.ValidationFailed) { // an invalid ID may be a secret
		line = append(line, run.about(e)...)
	}
	if err != nil {
		line = append(line, slog.String("error", err.Error()))
	}
	if c, ok := lambdacontext.FromContext(ctx); ok { // CloudTrail has the caller by this request ID
		line = append(line, slog.String("requestId", c.AwsRequestID))
	}
	slog.LogAttrs(ctx, level, "operator command", line...)
	if refusal != nil {
		err = errors.New("operator: " + inWords(refusal))
	}
	return reply, err
}

// inWords returns a refusal as text, with its fields. Refusals never repeat a value.
func inWords(f *apierror.Error) string {
	var text strings.Builder
	text.WriteString(f.Detail)
	for _, field := range f.Fields {
		text.WriteString(" " + field.Pointer + ": " + field.Detail)
	}
	return text.String()
}

// orEmpty returns a list that is not nil, so that an answer has [] and not null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// orNull returns nil for the zero time.
func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
