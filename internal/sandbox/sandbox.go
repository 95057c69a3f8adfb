// Package sandbox simulates the outside world in environments other than production:
// banks, carriers and organizations. The simulations speak the real protocols, so the
// service does not know that it talks to a sandbox. A front page tells people who open the address
// of such an environment what runs there.
package sandbox

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"aviso/internal/aws/config"
	"aviso/internal/sandbox/aggregator"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/sandboxdb"
)

// Options configures the sandbox.
type Options struct {
	DynamoDB *dynamodb.Client
	Table    string
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	Stage   config.Stage
	// Scheduler delivers the steps of letters to Advance.
	Scheduler mailroom.Scheduler
	Post      mailroom.PostCredentials
	Fax       mailroom.FaxCredentials
	// MailToken authenticates the copies of mail, and who moves the time of letters.
	MailToken string
	// SessionKey signs the sessions of visitors, who then sign in as a partner and see only
	// its letters. If it is empty, everybody sees all letters.
	SessionKey []byte
	// ReplyToken authenticates the replies that the sandbox sends for organizations.
	ReplyToken string
	Now        func() time.Time
	// SlowAnswer is the delay of a response when an interface hangs. The default is 18 s,
	// which is below the function's own timeout.
	SlowAnswer time.Duration
	Log        *slog.Logger
}

// ReceiverPath is where every callback is acknowledged, and neither read nor kept. Partners whose
// machines have no public address subscribe it, and read what was sent in the attempts.
const ReceiverPath = "/sandbox/receiver"

// Sandbox handles everything under /sandbox and processes letters.
type Sandbox struct {
	http.Handler
	processor *mailroom.Processor
}

// New returns a sandbox.
func New(opts Options) *Sandbox {
	opts.SlowAnswer = cmp.Or(opts.SlowAnswer, 18*time.Second)
	mux := http.NewServeMux()
	// Another site must not submit a form here for a user, to approve a consent or to use a
	// visitor's session. Requests that no browser sends pass.
	s := &Sandbox{Handler: http.NewCrossOriginProtection().Handler(mux)}
	store := sandboxdb.New(opts.DynamoDB, opts.Table, opts.Now)
	banks := bank.Options{
		Store: store, BaseURL: opts.BaseURL, Now: opts.Now, NewID: uuid.NewString, SlowAnswer: opts.SlowAnswer,
		Log: opts.Log,
	}
	mux.Handle("/", bank.New(banks))
	mux.Handle(aggregator.Path+"/", aggregator.New(banks))
	RegisterFrontPage(opts, mux)
	s.processor = Carriers(opts, mux, store, mailroom.NewClient())
	mux.HandleFunc(ReceiverPath, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		_ = layout.WriteJSON(w, http.StatusOK, map[string]any{"isAcknowledged": true, "timestamp": opts.Now().UTC()})
	})
	mux.Handle(TimestampPath, TimestampHandler(opts.Now))
	return s
}

// Carriers registers the post office, the fax gateway, the mail and the organizations, with
// their pages, and returns the processor of the letters.
func Carriers(opts Options, mux *http.ServeMux, store *sandboxdb.Store, client *http.Client) *mailroom.Processor {
	p := &mailroom.Processor{
		Store: mailroom.Store{Store: store}, Scheduler: opts.Scheduler, BaseURL: opts.BaseURL, Now: opts.Now, Log: opts.Log,
		Client: client, Drivers: map[mailroom.Carrier]mailroom.Driver{}, PerPartner: len(opts.SessionKey) > 0,
		SlowAnswer: opts.SlowAnswer,
		// Version 7 sorts by time; its last 74 bits cannot be guessed.
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	mux.Handle(mailroom.PostPath+"/", layout.Timed(mailroom.NewPostOffice(p, opts.Post), opts.Now))
	mux.Handle(mailroom.FaxPath+"/", layout.Timed(mailroom.NewFaxGateway(p, opts.Fax), opts.Now))
	mailroom.HandleService(p, mux, opts.MailToken)
	var desk *mailroom.Desk
	if p.PerPartner {
		desk = mailroom.NewDesk(p, mux, opts.SessionKey)
	}
	mailroom.HandlePages(p, mux, desk, opts.ReplyToken)
	return p
}

// Advance runs a step that is due. Running it twice changes nothing.
func (s *Sandbox) Advance(ctx context.Context, step mailroom.Step) error {
	return s.processor.Advance(ctx, step)
}
