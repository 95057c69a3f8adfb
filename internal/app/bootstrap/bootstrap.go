// Package bootstrap has what every function needs at startup: AWS clients, the log, generators of IDs, and a
// connection opened before the first event. It has only code that every function uses, because all linked code slows
// down every cold start.
package bootstrap

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"aviso/internal/aws/config"
)

// Main runs the function that build returns, with the process's environment.
func Main(build func(context.Context, config.Env) (lambda.Handler, error)) {
	SetUpLog(os.Stdout)
	handler, err := build(context.Background(), os.Getenv)
	if err != nil {
		slog.Error("the function cannot start", "error", err.Error())
		os.Exit(1)
	}
	lambda.Start(probed{handler, func(ctx context.Context, body []byte) error {
		cfg, err := config.LoadAWS(ctx, os.Getenv)
		if err != nil {
			return fmt.Errorf("AWS configuration: %w", err)
		}
		return codeDeploy{cfg, "https://codedeploy." + cfg.Region + ".amazonaws.com/"}.report(ctx, body)
	}})
}

// Clients has the AWS clients that all functions use. Config is for building the others.
type Clients struct {
	Config aws.Config
	Dynamo *dynamodb.Client
}

// NewClients returns the AWS clients for the environment env. r has already read the function's variables.
func NewClients(ctx context.Context, env config.Env, r *config.Reader) (Clients, error) {
	if err := r.Err(); err != nil {
		return Clients{}, err
	}
	cfg, err := config.LoadAWS(ctx, env)
	if err != nil {
		return Clients{}, fmt.Errorf("AWS configuration: %w", err)
	}
	return Clients{Config: cfg, Dynamo: dynamodb.NewFromConfig(cfg)}, nil
}

// WarmUpTimeout bounds the calls that open connections at startup, before the first
// request. They may fail, since a request that needs them will report the error.
const WarmUpTimeout = time.Second

// MissingID is the ID of a row that never exists.
const MissingID = "none"

// StartWarmUp makes a cheap call while the function starts, so that the first event
// does not wait for a connection to DynamoDB or SQS. wait returns when the call has
// completed or failed, after WarmUpTimeout at the latest.
func StartWarmUp(ctx context.Context, call func(context.Context) error) (wait func()) {
	warm, cancel := context.WithTimeout(ctx, WarmUpTimeout)
	var calling sync.WaitGroup
	calling.Go(func() { _ = call(warm) }) // an error does not matter: only the connection counts
	return func() {
		calling.Wait()
		cancel()
	}
}

// WarmUp calls StartWarmUp with a read of a row that does not exist.
func WarmUp[ID ~string, R any](ctx context.Context, read func(context.Context, ID) (R, error)) (wait func()) {
	return StartWarmUp(ctx, func(ctx context.Context) error {
		_, err := read(ctx, MissingID)
		return err
	})
}

// NewID returns a random UUID.
func NewID() string { return uuid.NewString() }

// NewSortableID returns a UUID that sorts by time (version 7, RFC 9562).
func NewSortableID() string { return uuid.Must(uuid.NewV7()).String() }
