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
	"aviso/internal/sandbox/sandboxdb"
)

// Options configures the banks.
type Options struct {
	Store *sandboxdb.Store
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	Now     func() time.Time
	// NewID returns an unguessable UUID.
	NewID func() string
	// SlowAnswer is how long the slow persona's bank takes. The default is 18 s, which is
	// below the function's own timeout.
	SlowAnswer time.Duration
	Log        *slog.Logger
}

type server struct{ Options }

// lives are the personas' at all banks. Servers share them: to simulate one takes longer than to
// answer a request.
var lives persona.Simulations

// localBank is a bank with its time zone.
type localBank struct {
	Bank
	zone *time.Location
}

func (lb localBank) today(now time.Time) persona.Day { return persona.DayOf(now.In(lb.zone)) }

// accounts returns the persona's accounts at this bank: those of a type that the bank
// offers.
func (lb localBank) accounts(p persona.Persona) []persona.Account {
	offers := map[persona.Kind]string{
		persona.Current: "CurrentAccount", persona.Savings: "SavingAccount", persona.Card: "CreditCard",
	}
	return slices.DeleteFunc(p.Accounts(lb.branch()), func(a persona.Account) bool {
		return !slices.Contains(lb.SupportedAccountTypes, offers[a.Kind])
	})
}

// New returns the handler for everything under /sandbox.
func New(opts Options) http.Handler {
	if opts.SlowAnswer == 0 {
		opts.SlowAnswer = 18 * time.Second
	}
	s := &server{opts}
	return layout.Timed(s.routes(), s.Now)
}

// localBanks returns the banks by slug. They are loaded on first use, because loading
// takes longer than the rest of the function's start.
var localBanks = sync.OnceValue(func() map[string]localBank {
	all := map[string]localBank{}
	for _, b := range Catalogue() {
		zone, err := time.LoadLocation(b.Timezone)
		if err != nil {
			panic("bank: " + err.Error()) // the catalogue is part of the program
		}
		all[b.Slug] = localBank{b, zone}
	}
	return all
})

// handler answers a request to a bank or returns an error.
type handler func(w http.ResponseWriter, r *http.Request, lb localBank) error

type methods map[string]handler

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	xs2a := func(path string, m methods) { mux.Handle("/sandbox/banks/{slug}/v1"+path, s.xs2a(m)) }
	xs2a("/consents", methods{"POST": s.createConsent})
	xs2a("/consents/{consent}", methods{"GET": s.withConsent(s.getConsent), "DELETE": s.withConsent(s.deleteConsent)})
	xs2a("/consents/{consent}/status", methods{"GET": s.withConsent(s.getConsentStatus)})
	xs2a("/consents/{consent}/authorisations",
		methods{"GET": s.withConsent(s.listAuthorisations), "POST": s.withConsent(s.startAuthorisation)})
	xs2a("/consents/{consent}/authorisations/{authorisation}", methods{"GET": s.withConsent(s.getSCAStatus)})
	xs2a("/accounts", methods{"GET": accountsHandler(s, withBalance, s.listAccounts)})
	xs2a("/accounts/{account}", methods{"GET": accountHandler(s, withBalance, s.getAccount)})
	xs2a("/accounts/{account}/balances", methods{"GET": accountHandler(s, noQuery, s.getBalances)})
	xs2a("/accounts/{account}/transactions", methods{"GET": accountHandler(s, s.readPeriod, s.getTransactions)})
	xs2a("/card-accounts", methods{"GET": accountsHandler(s, noQuery, s.listCards)})
	xs2a("/card-accounts/{account}", methods{"GET": accountHandler(s, noQuery, s.getCard)})
	xs2a("/card-accounts/{account}/balances", methods{"GET": accountHandler(s, noQuery, s.getBalances)})
	xs2a("/card-accounts/{account}/transactions", methods{"GET": accountHandler(s, s.readPeriod, s.getTransactions)})

	oauth := func(path string, m methods) { mux.Handle("/sandbox/banks/{slug}"+path, s.oauth(m)) }
	oauth("/.well-known/oauth-authorization-server", methods{"GET": s.metadata})
	oauth("/oauth/token", methods{"POST": s.postToken})
	oauth("/oauth/revoke", methods{"POST": s.postRevocation})
	mux.Handle("/sandbox/banks/{slug}/oauth/authorize", s.page(methods{"GET": s.authorize}))
	mux.Handle("/sandbox/banks/{slug}/app",
		s.page(methods{"GET": s.showApp, "POST": s.formHandler(s.postApp)}))
	mux.Handle("/sandbox/banks/{slug}/test-rows/{batch}", s.xs2a(methods{"PUT": s.putOwnRows}))
	mux.Handle("/sandbox/banks", s.page(methods{"GET": s.index}))
	mux.Handle("/sandbox/{$}", http.RedirectHandler("/sandbox/banks", http.StatusSeeOther))
	mux.Handle("/sandbox/banks/{slug}/logo.svg", s.page(methods{"GET": s.logo}))
	mux.Handle("/sandbox/banks/{slug}/authorise/{authorisation}",
		s.page(methods{"GET": s.showAuthorisation, "POST": s.formHandler(s.postAuthorisation)}))
	mux.Handle(controlPath, s.page(methods{"GET": s.listApprovals}))
	mux.Handle(controlPath+"/{approval}",
		s.page(methods{"GET": s.withApproval(s.showApproval), "POST": s.formHandler(s.postApproval)}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.writeError(w, r, newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN",
			"There is no resource at this address."))
	})
	return mux
}

// xs2a handles a resource of the standard.
func (s *server) xs2a(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		id := r.Header.Get("X-Request-ID")
		known := uuid.Validate(id) == nil && len(id) == 36
		if known {
			w.Header().Set("X-Request-ID", id)
		} else {
			// Every response has a request ID, so the caller gets a new one to quote.
			w.Header().Set("X-Request-ID", s.NewID())
		}
		lb, found := localBanks()[r.PathValue("slug")]
		h, allowed := m[r.Method]
		var err error
		switch {
		case !found:
			err = newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN", "The bank does not exist.")
		case !allowed:
			w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
			err = newTPPError(http.StatusMethodNotAllowed, "SERVICE_INVALID",
				"The resource does not support this method.")
		case !known:
			err = formatError("X-Request-ID", "The header must be a UUID.")
		case !accepts(header(r, "Accept"), "application/json"):
			err = newTPPError(http.StatusNotAcceptable, "REQUESTED_FORMATS_INVALID",
				"Only application/json is offered.")
		default:
			err = h(w, r, lb)
		}
		if err != nil {
			s.writeError(w, r, err)
		}
	})
}

// writeError writes an error in the form that the standard requires.
func (s *server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	e, ok := errors.AsType[*tppError](err)
	if !ok {
		// The standard has no body for a status of 500.
		s.Log.ErrorContext(r.Context(), "sandbox bank failed", "method", r.Method, "route", r.Pattern, "error", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	e.write(w)
}

// header returns the whole value of a header; API Gateway's adapter splits it at commas.
func header(r *http.Request, name string) string {
	return strings.Join(r.Header.Values(name), ",")
}

// accepts reports whether an Accept header allows the media type.
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

// base returns the public address of this environment.
func (s *server) base(r *http.Request) string { return layout.Origin(s.BaseURL, r) }

// href returns a link of the interface. Some banks leave out scheme and host.
func (s *server) href(r *http.Request, lb localBank, path string) link {
	if lb.Traits.RelativeLinks {
		return link{lb.Path() + path}
	}
	return link{s.base(r) + lb.Path() + path}
}
