// Package sandbox puts together what stands in for the outside world in the
// environments that are not production. It is real software behind real
// protocols: the service itself does not know that it talks to a sandbox.
package sandbox

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/bankdb"
)

// Options is what the sandbox needs.
type Options struct {
	DynamoDB *dynamodb.Client
	Table    string
	// BaseURL is the public address without a slash at the end, or empty for
	// that of each request.
	BaseURL string
	Now     func() time.Time
	Log     *slog.Logger
}

// New is the handler of everything under /sandbox.
func New(opts Options) http.Handler {
	return bank.New(bank.Options{
		Store: bankdb.New(opts.DynamoDB, opts.Table, opts.Now), BaseURL: opts.BaseURL, Now: opts.Now, NewID: uuid.NewString, Log: opts.Log,
	})
}
