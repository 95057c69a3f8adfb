// Package app wires each function together: configuration in, handler out. The
// Lambda entry points in functions/ and the local stack both call the
// constructors here, so what runs on a laptop is what runs on AWS.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"aviso/internal/accesstoken"
	"aviso/internal/api"
	"aviso/internal/awscall"
	"aviso/internal/config"
	"aviso/internal/dynamo/dynamojson"
	"aviso/internal/idempotency"
	"aviso/internal/identity/identitydb"
	"aviso/internal/keyring"
)

// Constructor builds the handler of one function from its environment.
type Constructor func(ctx context.Context, env config.Env) (lambda.Handler, error)

// Functions holds the constructor of every function by the name of its folder
// in functions/, which is also its logical id in template.yaml without
// "Function" and in kebab case: BankSyncFunction is bank-sync.
func Functions() map[string]Constructor {
	return map[string]Constructor{
		"identity":         Identity,
		"pfm":              PFM,
		"cancellation":     Cancellation,
		"letter-dispatch":  LetterDispatch,
		"letter-feedback":  LetterFeedback,
		"search":           Search,
		"sandbox":          Sandbox,
		"outbox-relay":     OutboxRelay,
		"bank-sync":        BankSync,
		"housekeeping":     Housekeeping,
		"operator":         Operator,
		"notification":     Notification,
		"webhook-delivery": WebhookDelivery,
	}
}

// warmUp bounds what a function does at start-up beyond being wired: calls that
// open connections ahead of the first request. They may fail; the request will
// tell.
const warmUp = time.Second

// clients are the AWS clients of one function.
type clients struct {
	config aws.Config
	dynamo *dynamodb.Client
}

func newClients(env config.Env) (clients, error) {
	cfg, err := awscall.Load(env)
	if err != nil {
		return clients{}, fmt.Errorf("AWS configuration: %w", err)
	}
	return clients{config: cfg, dynamo: dynamodb.NewFromConfig(cfg, dynamojson.Install)}, nil
}

// reader reads through held what that does not hold yet.
func (c clients) reader(held *heldSecrets) keyring.SecretReader {
	held.source = secretsmanager.NewFromConfig(c.config)
	return held
}

func (c clients) sqs() *sqs.Client { return sqs.NewFromConfig(c.config) }

// warmed makes a cheap read beside the rest of the start, so that the first event
// does not wait for a connection to DynamoDB. wait returns when it has ended,
// well or not, after warmUp at the latest.
func warmed(ctx context.Context, read func(context.Context) error) (wait func()) {
	warm, cancel := context.WithTimeout(ctx, warmUp)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = read(warm) // the row is not there
	}()
	return func() {
		<-ended
		cancel()
	}
}

// nothing is the id of a row that is never there.
const nothing = "none"

// pageSealer seals page tokens, in every function with the same key.
func pageSealer(sealing keyring.Root) (*keyring.Sealer, error) { return sealing.Sealer("page") }

func newID() string { return uuid.NewString() }

// edge is what all functions behind the API have in common.
type edge struct {
	clients
	secrets  keyring.SecretReader
	stage    config.Stage
	router   *api.Router
	identity *identitydb.Store
	verifier *accesstoken.Verifier
	sealing  keyring.Root
}

// newEdge reads the common variables through r and makes a router whose
// operations are authenticated, paged and idempotent.
func newEdge(ctx context.Context, service string, env config.Env, r *config.Reader, held *heldSecrets) (edge, error) {
	stage := r.Stage()
	baseURL := r.Optional("BASE_URL", "")
	rate := r.Int("RATE_LIMIT_PER_MINUTE", 3000, 1)
	identityTable, idempotencyTable := r.Required("IDENTITY_TABLE"), r.Required("IDEMPOTENCY_TABLE")
	sealingSecret := r.Required("SEALING_SECRET")
	if err := r.Err(); err != nil {
		return edge{}, err
	}
	c, err := newClients(env)
	if err != nil {
		return edge{}, err
	}
	e := edge{clients: c, secrets: c.reader(held), stage: stage, identity: identitydb.New(c.dynamo, identityTable)}
	e.verifier = accesstoken.NewVerifier(e.identity, accesstoken.Audience(string(stage)), time.Now)

	var start errgroup.Group // the secret and the key set at the same time
	start.Go(func() (err error) {
		e.sealing, err = keyring.Load(ctx, e.secrets, sealingSecret)
		return err
	})
	// Requests read the caller and what is asked for side by side, so there are to
	// be two connections to DynamoDB: the key set is read twice.
	for range 2 {
		start.Go(func() error {
			warm, cancel := context.WithTimeout(ctx, warmUp)
			defer cancel()
			if err := e.verifier.Warm(warm); err != nil {
				slog.WarnContext(ctx, "key set not read at start-up", "error", err.Error())
			}
			return nil
		})
	}
	if err := start.Wait(); err != nil {
		return edge{}, err
	}
	pages, err := pageSealer(e.sealing)
	if err != nil {
		return edge{}, err
	}
	stored, err := e.sealing.Sealer("answer")
	if err != nil {
		return edge{}, err
	}
	e.router = api.New(api.Options{
		Service: service, BaseURL: baseURL, Tokens: e.verifier, Answers: idempotency.New(c.dynamo, idempotencyTable),
		Pages: pages, Stored: stored, RateLimit: rate, Now: time.Now, NewID: newID, Log: slog.Default(),
	})
	return e, nil
}
