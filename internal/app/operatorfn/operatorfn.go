// Package operatorfn wires the function operator, which nothing but the operator
// calls, by IAM. Its event names a command, beside whatever that command takes;
// docs/operator.md lists them. Each call leaves one line in the log that says what
// was done to what, and never a secret.
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
	"github.com/google/uuid"

	"aviso/internal/apierror"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/catalogueimport"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/config"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/keyring"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
)

// New is the function.
func New(_ context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	stage := r.Stage()
	identityTable, pfmTable, cancellationTable := r.Required("IDENTITY_TABLE"), r.Required("PFM_TABLE"), r.Required("CANCELLATION_TABLE")
	notificationTable, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	letters, sealingSecret := readDeadLetters(r), r.Required("SEALING_SECRET")
	if err := r.Err(); err != nil {
		return nil, err
	}
	c, err := bootstrap.NewClients(env)
	if err != nil {
		return nil, err
	}
	people := identitydb.New(c.Dynamo, identityTable)
	requests := cancellationdb.New(c.Dynamo, cancellationTable, outboxTable, time.Now, bootstrap.NewID)
	webhooks := notificationdb.New(c.Dynamo, notificationTable, outboxTable, nil, time.Now, bootstrap.NewID)
	o := &operations{
		stage:     stage,
		partners:  identity.NewRegistrar(people, time.Now, keyring.RandomToken),
		terms:     identity.NewAgreements(people, time.Now),
		providers: pfm.NewProviderImporter(pfmdb.New(c.Dynamo, pfmTable, outboxTable, time.Now, bootstrap.NewID)),
		catalogue: catalogueimport.New(c.Dynamo, cancellationTable, outboxTable), inspector: cancellation.NewInspector(requests), feedback: cancellation.NewFeedback(requests, time.Now),
		webhooks: notification.NewSupervision(webhooks, time.Now),
		letters:  letters, sqs: sqs.NewFromConfig(c.Config), dynamo: c.Dynamo, outbox: outboxTable,
		secrets: secretsmanager.NewFromConfig(c.Config), sealingSecret: sealingSecret, sealed: webhooks,
	}
	commands := o.commands()
	return bootstrap.Handler[json.RawMessage, any](func(ctx context.Context, event json.RawMessage) (any, error) {
		return operate(ctx, commands, event)
	}), nil
}

// command does one thing for the operator. about is what the log says of it
// besides its name.
type command func(ctx context.Context, event json.RawMessage) (answer any, about []slog.Attr, err error)

// request is an event of one command, without the member command.
type request interface {
	// about are the ids, for the log. It never has a secret.
	about() []slog.Attr
}

// commandOf reads the command's event strictly. takes says what it may have.
func commandOf[E request](name, takes string, do func(context.Context, E) (any, error)) command {
	return func(ctx context.Context, event json.RawMessage) (any, []slog.Attr, error) {
		var e E
		if !decodeStrictly(event, &e) {
			return nil, nil, apierror.New(apierror.MalformedRequest, name+" takes "+takes+", and nothing else.")
		}
		answer, err := do(ctx, e)
		return answer, e.about(), err
	}
}

// decodeStrictly reads an event into the zero e and tells whether it has members
// of e only, in their own spelling, and of the right types. encoding/json alone
// takes any case.
func decodeStrictly[E any](event json.RawMessage, e *E) bool {
	var sent, known map[string]json.RawMessage
	zero, err := json.Marshal(e)
	if err != nil || json.Unmarshal(zero, &known) != nil || json.Unmarshal(event, &sent) != nil {
		return false
	}
	for name := range sent {
		if _, ok := known[name]; !ok && name != "command" {
			return false
		}
	}
	return json.Unmarshal(event, e) == nil
}

// operate finds the event's command, runs it, and writes down that it did.
func operate(ctx context.Context, commands map[string]command, event json.RawMessage) (any, error) {
	var named struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal(event, &named); err != nil {
		return nil, errors.New(`operator: the event must be an object with the member "command", a string`)
	}
	run, known := commands[named.Command]
	if !known {
		return nil, fmt.Errorf("operator: the event's command must be one of: %s", strings.Join(slices.Sorted(maps.Keys(commands)), ", "))
	}
	answer, about, err := run(ctx, event)
	level, outcome := slog.LevelInfo, "done"
	var refusal *apierror.Error
	if a, ok := answer.(interface{ refused() bool }); ok && a.refused() || errors.As(err, &refusal) {
		level, outcome = slog.LevelWarn, "refused"
	} else if err != nil {
		level, outcome = slog.LevelError, "failed"
	}
	line := []slog.Attr{slog.String("command", named.Command), slog.String("outcome", outcome)}
	if !apierror.Is(err, apierror.ValidationFailed) { // what is no id may be anything
		line = append(line, about...)
	}
	if err != nil {
		line = append(line, slog.String("error", err.Error()))
	}
	if c, ok := lambdacontext.FromContext(ctx); ok { // CloudTrail knows by it who has called
		line = append(line, slog.String("requestId", c.AwsRequestID))
	}
	slog.LogAttrs(ctx, level, "operator command", line...)
	if refusal != nil {
		err = errors.New("operator: " + inWords(refusal))
	}
	return answer, err
}

// inWords is a refusal with all that it names. Refusals repeat no value.
func inWords(f *apierror.Error) string {
	var text strings.Builder
	text.WriteString(f.Detail)
	for _, field := range f.Fields {
		text.WriteString(" " + field.Pointer + ": " + field.Detail)
	}
	return text.String()
}

// requireUUID refuses what is no id, before it becomes a part of a key.
func requireUUID(pointer, text string) error {
	if id, err := uuid.Parse(text); err == nil && id.String() == text {
		return nil
	}
	return apierror.WithFields(apierror.ValidationFailed, "An id is not valid.", apierror.Field{Pointer: pointer, Code: "invalid", Detail: "A UUID in lower case."})
}

// orEmpty keeps null out of an answer.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// orNull is how an answer says that there is no such time.
func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
