// Package bank is the sandbox's banks: an HTTP server that implements the account
// information part of NextGenPSD2 XS2A 1.3.x, as the Berlin Group describes it, with the
// redirect approach (some: OAuth 2.0, or an app), so that outside production the service
// runs the same client code as in production. It is strict: it rejects a header, field or
// state that the standard does not allow, with the standard's own code.
//
// # Addresses
//
// A bank's interface is at /sandbox/banks/{slug}, before /v1; /sandbox/banks lists banks
// and personas for a developer.
//
// # The consent pages
//
// scaRedirect points to /sandbox/banks/{slug}/authorise/{authorisationId}. GET shows a
// page; both of its forms are posted to the same address as
// application/x-www-form-urlencoded, and a program can post them without reading the
// page:
//
//	persona=anna                           log in; returns 303 to the page again
//	customer=7                             optional, only with persona
//	decision=approve&account[]=current     returns 303 to TPP-Redirect-URI
//	decision=refuse                        returns 303 to TPP-Nok-Redirect-URI,
//	                                       or TPP-Redirect-URI if there is none
//
// One request may carry persona and decision together. The values of account[] are the
// keys of the persona's accounts: current, savings, card, joint, dollars. An invalid form
// is shown again with status 422 and the reason. A link that was already used, has
// expired or is unknown returns 409, 410 or 404.
//
// Banks with OAuth 2.0 send the customer there from /sandbox/banks/{slug}/oauth/authorize,
// and from there to the client with a code. The page of a decoupled authorisation is at
// /sandbox/banks/{slug}/app, which asks for the code in the bank's message:
//
//	code=4F7A2C                            returns 303 to the consent page
//
// # Customers
//
// The standard ends a customer's previous recurring consent when a new one is
// authorised. A customer is the persona together with the customer number of the login
// form. If that is left empty, it is the number in the browser's cookie: a second consent
// from the same browser ends the first one, and other people who pick the same persona
// have their own consents. With a number, several browsers can be one customer, or one
// browser several.
//
// # The control page
//
// /sandbox/control lists the consents that were approved in the last 30 days, each with a
// page of its own, whose forms tell the bank how to behave. docs/sandbox.md lists the
// forms and the JSON for programs.
//
// The standard has no code for SCA that is due again. The bank behaves like banks that
// want a new consent: reads fail with CONSENT_INVALID while the status stays "valid",
// until the customer approves a new consent.
//
// An action applies to one consent. Changes to IDs and rows belong to the customer and
// carry over to the customer's next recurring consent.
package bank

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones, and a bank's day is local

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/outcome"
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

// tppError is an error response of the standard: a status and one tppMessage.
type tppError struct {
	status     int
	code, text string
	// path is the element at fault.
	path       string
	retryAfter time.Duration
}

func (e *tppError) Error() string { return e.code + ": " + e.text }

func (e *tppError) write(w http.ResponseWriter) {
	if e.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.retryAfter.Seconds())))
	}
	_ = layout.WriteJSON(w, e.status, tppMessages{[]tppMessage{{"ERROR", e.code, e.path, e.text}}})
}

type tppMessages struct {
	Messages []tppMessage `json:"tppMessages"`
}

type tppMessage struct {
	Category string `json:"category"`
	Code     string `json:"code"`
	Path     string `json:"path,omitempty"`
	Text     string `json:"text"`
}

func newTPPError(status int, code, text string) error {
	return &tppError{status: status, code: code, text: text}
}

// formatError returns the error for a header, parameter or field with an invalid format.
// The text never contains what was sent.
func formatError(path, text string) error {
	return &tppError{status: http.StatusBadRequest, code: "FORMAT_ERROR", path: path, text: text}
}

func badRequest(code, path, text string) error {
	return &tppError{status: http.StatusBadRequest, code: code, path: path, text: text}
}

func unauthorised(code, text string) error {
	return newTPPError(http.StatusUnauthorized, code, text)
}

// maxBody is far larger than any request of the standard, and than a batch of own rows.
const maxBody = 256 << 10

// consentRequest is the body of POST /v1/consents. All members are required: pointers
// distinguish a missing member from a false or empty one.
type consentRequest struct {
	Access                   *Access `json:"access"`
	RecurringIndicator       *bool   `json:"recurringIndicator"`
	ValidUntil               *string `json:"validUntil"`
	FrequencyPerDay          *int    `json:"frequencyPerDay"`
	CombinedServiceIndicator *bool   `json:"combinedServiceIndicator"`
}

// readJSON reads one JSON object without unknown members.
func readJSON(w http.ResponseWriter, r *http.Request, into any) error {
	if media, _, err := mime.ParseMediaType(header(r, "Content-Type")); err != nil || media != "application/json" {
		return &tppError{status: http.StatusUnsupportedMediaType, code: "FORMAT_ERROR", path: "Content-Type",
			text: "The body must be application/json."}
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return formatError(wrong.Field, "The member has the wrong type.")
		}
		return formatError("", "The body is not a JSON object as defined by the standard.")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return formatError("", "The body holds more than one JSON value.")
	}
	return nil
}

// psuAddress reports whether the request carries the customer's address. IPv6 is allowed
// although the standard's document has the format ipv4: customers do use IPv6, and their
// address must be forwarded as it is.
func psuAddress(r *http.Request) (bool, error) {
	value := header(r, "PSU-IP-Address")
	if value == "" {
		return false, nil
	}
	if a, err := netip.ParseAddr(value); err != nil || a.Zone() != "" {
		return false, formatError("PSU-IP-Address", "The header must be an IP address.")
	}
	return true, nil
}

// redirects reads where to send the customer. This bank supports the redirect approach
// only.
func redirects(r *http.Request) (ok, nok string, err error) {
	switch header(r, "TPP-Redirect-Preferred") {
	case "", "true":
	case "false":
		return "", "", badRequest("PARAMETER_NOT_SUPPORTED", "TPP-Redirect-Preferred",
			"The bank supports only the redirect approach.")
	default:
		return "", "", formatError("TPP-Redirect-Preferred", "The header must be true or false.")
	}
	ok, nok = header(r, "TPP-Redirect-URI"), header(r, "TPP-Nok-Redirect-URI")
	if !isReturnURL(ok) {
		return "", "", formatError("TPP-Redirect-URI",
			"The header is required and must be an absolute http or https address.")
	}
	if nok != "" && !isReturnURL(nok) {
		return "", "", formatError("TPP-Nok-Redirect-URI", "The header must be an absolute http or https address.")
	}
	return ok, nok, nil
}

func isReturnURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		u.Fragment == ""
}

// check validates the request and returns the day up to which the consent is valid.
func (c consentRequest) check(today persona.Day) (persona.Day, error) {
	switch {
	case c.Access == nil:
		return 0, formatError("access", "The member is required.")
	case c.RecurringIndicator == nil:
		return 0, formatError("recurringIndicator", "The member is required.")
	case c.ValidUntil == nil:
		return 0, formatError("validUntil", "The member is required.")
	case c.FrequencyPerDay == nil:
		return 0, formatError("frequencyPerDay", "The member is required.")
	case c.CombinedServiceIndicator == nil:
		return 0, formatError("combinedServiceIndicator", "The member is required.")
	case *c.CombinedServiceIndicator:
		return 0, badRequest("SESSIONS_NOT_SUPPORTED", "combinedServiceIndicator",
			"The bank does not combine services.")
	case *c.FrequencyPerDay < 1 || *c.FrequencyPerDay > 4:
		return 0, formatError("frequencyPerDay", "The member must be from 1 to 4.")
	case !*c.RecurringIndicator && *c.FrequencyPerDay != 1:
		return 0, formatError("frequencyPerDay", "The frequency of a one-off access must be 1.")
	}
	until, err := persona.ParseDay(*c.ValidUntil)
	if err != nil {
		return 0, formatError("validUntil", "The member must be a day as YYYY-MM-DD.")
	}
	if until < today {
		return 0, badRequest("PERIOD_INVALID", "validUntil", "The day is in the past.")
	}
	return until, c.Access.check()
}

// check requires exactly one of the ways to ask for access.
func (a Access) check() error {
	ways := 0
	for path, value := range map[string]string{
		"access/allPsd2": a.AllPSD2, "access/availableAccounts": a.AvailableAccounts,
		"access/availableAccountsWithBalance": a.AvailableAccountsWithBalance,
	} {
		switch value {
		case "":
		case "allAccounts", "allAccountsWithOwnerName":
			ways++
		default:
			return formatError(path, "The member must be allAccounts or allAccountsWithOwnerName.")
		}
	}
	listed, empty := false, false
	for _, list := range a.lists() {
		listed = listed || list != nil
		empty = empty || list != nil && len(list) == 0
		for _, ref := range list {
			if (ref.IBAN == "") == (ref.MaskedPAN == "") || ref.IBAN != "" && !isIBAN(ref.IBAN) ||
				ref.MaskedPAN != "" && !isMaskedPAN(ref.MaskedPAN) || ref.Currency != "" && !isCurrency(ref.Currency) {
				return formatError("access",
					"An account needs an IBAN or a masked card number, and optionally a currency.")
			}
		}
	}
	if listed {
		ways++
	}
	switch {
	case ways != 1:
		return formatError("access", "The access must use exactly one of the ways to ask for accounts.")
	case empty && a.dedicated():
		return formatError("access", "If one list is empty, all must be empty.")
	case len(a.RestrictedTo) > 0 && a.dedicated():
		return formatError("access/restrictedTo", "The member must not be used with named accounts.")
	case a.AdditionalInformation != nil && !listed:
		return formatError("access/additionalInformation", "The member requires a list of accounts.")
	}
	return nil
}

// These checks are not regular expressions: every function links this package and would
// compile them at each start, and bounded repetitions are the most expensive.

const (
	digits = "0123456789"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower  = "abcdefghijklmnopqrstuvwxyz"
)

// consistsOf reports whether s has only these characters.
func consistsOf(s, characters string) bool { return strings.Trim(s, characters) == "" }

func isIBAN(s string) bool {
	return len(s) >= 5 && len(s) <= 34 && consistsOf(s[:2], upper) && consistsOf(s[2:4], digits) &&
		consistsOf(s[4:], digits+upper+lower)
}

func isMaskedPAN(s string) bool { return len(s) >= 8 && len(s) <= 35 && consistsOf(s, digits+"xX*") }

func isCurrency(s string) bool { return len(s) == 3 && consistsOf(s, upper) }

// isCustomerNumber reports whether the login form accepts s. Empty stands for the number
// that the browser keeps.
func isCustomerNumber(s string) bool { return len(s) <= 20 && consistsOf(s, digits+upper+lower+"-") }

// isApprovalID reports whether s has the form of an approval ID, which is its time and a
// UUID.
func isApprovalID(s string) bool {
	at, id, _ := strings.Cut(s, "Z-")
	day, hour, _ := strings.Cut(at, "T")
	second, fraction, _ := strings.Cut(hour, ".")
	return len(day) == 8 && len(second) == 6 && len(fraction) == 3 && consistsOf(day+second+fraction, digits) &&
		len(id) == 36 && consistsOf(id, digits+"abcdef-")
}

// now returns the time of the customer whom a request is for.
func (s *server) now(r *http.Request) time.Time { return clock.Now(r.Context(), s.Now) }

// inTime returns r with the time of the consent's customer, which the service has told with this
// request or with an earlier one.
func inTime(r *http.Request, c Consent) *http.Request {
	if clock.From(r.Context()) != (clock.Setting{}) {
		return r
	}
	return r.WithContext(clock.With(r.Context(), clock.Setting{Ahead: c.Ahead}))
}

// sameTime is more than what lies between two requests at a time that stands still, or that they
// take: it is not worth a write.
const sameTime = time.Minute

// keepTime reads a consent, and keeps on it the time that the service has told.
func (s *server) keepTime(r *http.Request, read func() (Consent, error)) (Consent, error) {
	told := clock.From(r.Context()).Ahead
	for {
		c, err := read()
		if err != nil || told == 0 || (told-c.Ahead).Abs() < sameTime {
			return c, err
		}
		c.Ahead = told
		if err = s.Store.Save(r.Context(), c); !errors.Is(err, outcome.ErrChanged) {
			c.Version++
			return c, err
		}
	}
}
