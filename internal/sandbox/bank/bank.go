package bank

import (
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones, and a bank's day is local

	"github.com/google/uuid"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// Options is what the banks need.
type Options struct {
	Store Store
	// BaseURL is the public address without a slash at the end. Empty: the
	// address under which each request came.
	BaseURL string
	Now     func() time.Time
	// NewID makes unguessable UUIDs.
	NewID func() string
	// SlowAnswer is how long the slow persona's bank takes; 18 s when zero,
	// which is under the function's own time-out.
	SlowAnswer time.Duration
	Log        *slog.Logger
}

type server struct {
	Options
}

// office is a bank with its calendar.
type office struct {
	Bank
	zone *time.Location
}

func (o office) today(now time.Time) persona.Day { return persona.DayOf(now.In(o.zone)) }

// accounts lists what the persona has at this bank: the kinds of account that
// the bank offers.
func (o office) accounts(p persona.Persona) []persona.Account {
	offers := map[persona.Kind]string{persona.Current: "CurrentAccount", persona.Savings: "SavingAccount", persona.Card: "CreditCard"}
	return slices.DeleteFunc(p.Accounts(o.branch()), func(a persona.Account) bool {
		return !slices.Contains(o.SupportedAccountTypes, offers[a.Kind])
	})
}

// New is the handler of everything under /sandbox.
func New(opts Options) http.Handler {
	if opts.SlowAnswer == 0 {
		opts.SlowAnswer = 18 * time.Second
	}
	s := &server{Options: opts}
	return s.routes()
}

// offices are the banks by slug. They are read when the first is asked for, since
// that takes longer than the rest of the function's start.
var offices = sync.OnceValue(func() map[string]office {
	all := map[string]office{}
	for _, b := range Catalogue() {
		zone, err := time.LoadLocation(b.Timezone)
		if err != nil {
			panic("bank: " + err.Error()) // the catalogue is part of the program
		}
		all[b.Slug] = office{b, zone}
	}
	return all
})

// handler answers a request to a bank or says why not.
type handler func(w http.ResponseWriter, r *http.Request, o office) error

type methods map[string]handler

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	xs2a := func(path string, m methods) { mux.Handle("/sandbox/banks/{slug}/v1"+path, s.xs2a(m)) }
	xs2a("/consents", methods{"POST": s.createConsent})
	xs2a("/consents/{consent}", methods{"GET": s.about(s.getConsent), "DELETE": s.about(s.deleteConsent)})
	xs2a("/consents/{consent}/status", methods{"GET": s.about(s.getConsentStatus)})
	xs2a("/consents/{consent}/authorisations", methods{"GET": s.about(s.listAuthorisations), "POST": s.about(s.startAuthorisation)})
	xs2a("/consents/{consent}/authorisations/{authorisation}", methods{"GET": s.about(s.getSCAStatus)})
	xs2a("/accounts", methods{"GET": reads(s, withBalance, s.listAccounts)})
	xs2a("/accounts/{account}", methods{"GET": readsAccount(s, withBalance, s.getAccount)})
	xs2a("/accounts/{account}/balances", methods{"GET": readsAccount(s, noQuery, s.getBalances)})
	xs2a("/accounts/{account}/transactions", methods{"GET": readsAccount(s, s.readPeriod, s.getTransactions)})

	mux.Handle("/sandbox/banks", s.page(methods{"GET": s.index}))
	mux.Handle("/sandbox/{$}", http.RedirectHandler("/sandbox/banks", http.StatusSeeOther))
	mux.Handle("/sandbox/banks/{slug}/logo.svg", s.page(methods{"GET": s.logo}))
	mux.Handle("/sandbox/banks/{slug}/authorise/{authorisation}", s.page(methods{"GET": s.showAuthorisation, "POST": s.posted(s.postAuthorisation)}))
	mux.Handle(controlPath, s.page(methods{"GET": s.listApprovals}))
	mux.Handle(controlPath+"/{approval}", s.page(methods{"GET": s.approved(s.showApproval), "POST": s.posted(s.postApproval)}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, &refusal{status: http.StatusNotFound, code: "RESOURCE_UNKNOWN", text: "There is nothing at this address."})
	})
	return mux
}

// xs2a answers a resource of the standard.
func (s *server) xs2a(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		id := r.Header.Get("X-Request-ID")
		known := uuid.Validate(id) == nil && len(id) == 36
		if known {
			w.Header().Set("X-Request-ID", id)
		} else {
			// Every answer carries one, so the caller gets a new one to quote.
			w.Header().Set("X-Request-ID", s.NewID())
		}
		o, found := offices()[r.PathValue("slug")]
		h, allowed := m[r.Method]
		var err error
		switch {
		case !found:
			err = &refusal{status: http.StatusNotFound, code: "RESOURCE_UNKNOWN", text: "There is no such bank."}
		case !allowed:
			w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
			err = &refusal{status: http.StatusMethodNotAllowed, code: "SERVICE_INVALID", text: "The resource does not have this method."}
		case !known:
			err = formatError("X-Request-ID", "The header must be a UUID.")
		case !accepts(header(r, "Accept"), "application/json"):
			err = &refusal{status: http.StatusNotAcceptable, code: "REQUESTED_FORMATS_INVALID", text: "Only application/json is offered."}
		default:
			err = h(w, r, o)
		}
		if err != nil {
			s.refuse(w, r, err)
		}
	})
}

// refuse writes an error as the standard wants it.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var no *refusal
	if !errors.As(err, &no) {
		// The standard has no body for a status of 500.
		s.Log.ErrorContext(r.Context(), "sandbox bank failed", "method", r.Method, "route", r.Pattern, "error", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	no.write(w)
}

// header is a header's whole value; API Gateway's adapter splits it at commas.
func header(r *http.Request, name string) string {
	return strings.Join(r.Header.Values(name), ",")
}

// accepts tells whether an Accept header lets the media type through.
func accepts(header, mediaType string) bool {
	if header == "" {
		return true
	}
	major, _, _ := strings.Cut(mediaType, "/")
	for part := range strings.SplitSeq(header, ",") {
		name, _, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case mediaType, major + "/*", "*/*":
			return true
		}
	}
	return false
}

// base is the public address of this environment.
func (s *server) base(r *http.Request) string { return layout.Origin(s.BaseURL, r) }

// href is a link of the interface; some banks leave scheme and host out.
func (s *server) href(r *http.Request, o office, path string) link {
	if o.Traits.RelativeLinks {
		return link{o.Path() + path}
	}
	return link{s.base(r) + o.Path() + path}
}
