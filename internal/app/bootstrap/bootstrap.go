// Package bootstrap is what every function starts with: its AWS clients, its log, the
// ids it makes and the connection that it opens ahead of the first event. Nothing
// is here that a function might have no use for, since what is linked runs at
// every start.
package bootstrap

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"aviso/internal/awsclient"
	"aviso/internal/config"
	"aviso/internal/dynamo/dynamojson"
)

// Clients are what all functions call AWS with. Config is for the clients that
// only some have.
type Clients struct {
	Config aws.Config
	Dynamo *dynamodb.Client
}

// NewClients are those of the function with this environment.
func NewClients(env config.Env) (Clients, error) {
	cfg, err := awsclient.Load(env)
	if err != nil {
		return Clients{}, fmt.Errorf("AWS configuration: %w", err)
	}
	return Clients{Config: cfg, Dynamo: dynamodb.NewFromConfig(cfg, dynamojson.Install)}, nil
}

// WarmUp bounds what a function does at start-up beyond being wired: calls that
// open connections ahead of the first request. They may fail; the request will
// tell.
const WarmUp = time.Second

// Nothing is the id of a row that is never there.
const Nothing = "none"

// Warmed makes a cheap call beside the rest of the start, so that the first event
// does not wait for a connection to DynamoDB, or to SQS. wait returns when it has ended,
// well or not, after WarmUp at the latest.
func Warmed(ctx context.Context, call func(context.Context) error) (wait func()) {
	warm, cancel := context.WithTimeout(ctx, WarmUp)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = call(warm) // what it asks for need not be there
	}()
	return func() {
		<-ended
		cancel()
	}
}

// NewID makes random UUIDs.
func NewID() string { return uuid.NewString() }

// NewSortableID makes UUIDs that grow with time (version 7, RFC 9562).
func NewSortableID() string { return uuid.Must(uuid.NewV7()).String() }
