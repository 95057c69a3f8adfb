// Package sandbox puts together what stands in for the outside world in the
// environments that are not production. It is real software behind real
// protocols: the service itself does not know that it talks to a sandbox.
package sandbox

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/bankdb"
	"aviso/internal/sandbox/faxgateway"
	"aviso/internal/sandbox/letterdb"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/postoffice"
	"aviso/internal/sandbox/replydesk"
)

// Options is what the sandbox needs.
type Options struct {
	DynamoDB *dynamodb.Client
	Table    string
	// BaseURL is the public address without a slash at the end, or empty for
	// that of each request.
	BaseURL string
	// Later brings the steps of letters back to Advance.
	Scheduler mailroom.Scheduler
	Post      postoffice.Credentials
	Fax       faxgateway.Credentials
	// ReplyToken lets the sandbox answer for organizations.
	ReplyToken string
	Now        func() time.Time
	// SlowAnswer is how late an answer is when an interface hangs; 18 s when
	// zero, which is under the function's own time-out.
	SlowAnswer time.Duration
	Log        *slog.Logger
}

// Sandbox answers everything under /sandbox, and moves letters on.
type Sandbox struct {
	mux       *http.ServeMux
	processor *mailroom.Processor
}

// New is a sandbox.
func New(opts Options) *Sandbox {
	s := &Sandbox{mux: http.NewServeMux()}
	s.mux.Handle("/", bank.New(bank.Options{
		Store: bankdb.New(opts.DynamoDB, opts.Table, opts.Now), BaseURL: opts.BaseURL, Now: opts.Now, NewID: uuid.NewString,
		SlowAnswer: opts.SlowAnswer, Log: opts.Log,
	}))
	s.processor = Carriers(opts, s.mux, letterdb.New(opts.DynamoDB, opts.Table, opts.Now), mailroom.NewClient())
	s.mux.Handle(replydesk.Path, replydesk.New(replydesk.Options{BaseURL: opts.BaseURL, Token: opts.ReplyToken, Log: opts.Log}))
	return s
}

// Carriers opens the post office and the fax gateway over a store, and answers
// with the processor who moves their letters on.
func Carriers(opts Options, mux *http.ServeMux, store mailroom.Store, client *http.Client) *mailroom.Processor {
	processor := &mailroom.Processor{Store: store, Scheduler: opts.Scheduler, Now: opts.Now, Log: opts.Log, Client: client}
	desk := mailroom.Options{
		Processor: processor, BaseURL: opts.BaseURL, SlowAnswer: opts.SlowAnswer,
		// Of version 7, so that they sort by time; the last 74 bits can't be guessed.
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	mux.Handle(postoffice.Path+"/", postoffice.New(desk, opts.Post))
	mux.Handle(faxgateway.Path+"/", faxgateway.New(desk, opts.Fax))
	pages := mailroom.Pages(processor)
	mux.Handle(mailroom.PagePath, pages)
	mux.Handle(mailroom.PagePath+"/", pages)
	return processor
}

// ServeHTTP answers a request.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Advance does a step that is due. Doing it twice changes nothing.
func (s *Sandbox) Advance(ctx context.Context, step mailroom.Step) error {
	return s.processor.Advance(ctx, step)
}
