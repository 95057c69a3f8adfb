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
	Later mailroom.Later
	Post  postoffice.Credentials
	Fax   faxgateway.Credentials
	// ReplyToken lets the sandbox answer for organizations.
	ReplyToken string
	Now        func() time.Time
	Log        *slog.Logger
}

// Sandbox answers everything under /sandbox, and moves letters on.
type Sandbox struct {
	mux   *http.ServeMux
	clerk *mailroom.Clerk
}

// New is a sandbox.
func New(opts Options) *Sandbox {
	// Of version 7, so that they sort by time; the last 74 bits can't be guessed.
	newID := func() string { return uuid.Must(uuid.NewV7()).String() }
	clerk := &mailroom.Clerk{
		Store: letterdb.New(opts.DynamoDB, opts.Table, opts.Now), Later: opts.Later, Now: opts.Now, Log: opts.Log, Client: mailroom.NewClient(),
		Handling: map[mailroom.Carrier]mailroom.Handling{
			mailroom.Post: {Course: postoffice.Course{NewID: uuid.NewString}, Messenger: postoffice.Messenger{OrganisationID: opts.Post.OrganisationID, Secret: opts.Post.WebhookSecret}},
			mailroom.Fax:  {Course: faxgateway.Course{NewID: uuid.NewString}, Messenger: faxgateway.Messenger{ProjectID: opts.Fax.ProjectID}},
		},
	}
	s := &Sandbox{http.NewServeMux(), clerk}
	s.mux.Handle("/", bank.New(bank.Options{
		Store: bankdb.New(opts.DynamoDB, opts.Table, opts.Now), BaseURL: opts.BaseURL, Now: opts.Now, NewID: uuid.NewString, Log: opts.Log,
	}))
	s.mux.Handle(postoffice.Path+"/", postoffice.New(postoffice.Options{
		Clerk: clerk, Credentials: opts.Post, BaseURL: opts.BaseURL, Now: opts.Now, NewID: newID, Log: opts.Log,
	}))
	s.mux.Handle(faxgateway.Path+"/", faxgateway.New(faxgateway.Options{
		Clerk: clerk, Credentials: opts.Fax, BaseURL: opts.BaseURL, Now: opts.Now, NewID: newID, Log: opts.Log,
	}))
	pages := mailroom.Pages(clerk)
	s.mux.Handle(mailroom.PagePath, pages)
	s.mux.Handle(mailroom.PagePath+"/", pages)
	s.mux.Handle(replydesk.Path, replydesk.New(replydesk.Options{BaseURL: opts.BaseURL, Token: opts.ReplyToken, Log: opts.Log}))
	return s
}

// ServeHTTP answers a request.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Advance does a step that is due. Doing it twice changes nothing.
func (s *Sandbox) Advance(ctx context.Context, step mailroom.Step) error {
	return s.clerk.Advance(ctx, step)
}
