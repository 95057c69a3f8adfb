// Package bank is the sandbox's banks: an HTTP server that implements the account
// information part of NextGenPSD2 XS2A 1.3.x, as the Berlin Group describes it, with the
// redirect approach (some: OAuth 2.0, or an app), so that outside production the service
// runs the same client code as in production. It is strict: it rejects a header, field or
// state that the standard does not allow, with the standard's own code. It also rejects what
// the standard allows and Aviso does not use, such as other ways to ask for access.
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
// The standard ends a customer's previous consent when a new one is
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
// carry over to the customer's next consent.
package bank

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
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
	// SlowAnswer is how long the slow persona's bank takes.
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

// call is a request to a bank, or to the developer's pages about all banks.
type call struct {
	server
	localBank
	w http.ResponseWriter
	r *http.Request
	// now is the time of the customer whom the call is for, and today that day at the bank.
	now   time.Time
	today persona.Day
}

// handler answers a call or returns an error.
type handler func(c *call) error

type methods map[string]handler

// New returns the handler for everything under /sandbox.
func New(opts Options) http.Handler {
	s, mux := server{opts}, http.NewServeMux()
	const root = "/sandbox/banks/{slug}"
	xs2a := func(path string, m methods) { mux.Handle(root+path, s.xs2a(m)) }
	xs2a("/v1/consents", methods{"POST": (*call).createConsent})
	const consent = "/v1/consents/{consent}"
	xs2a(consent, methods{"GET": withConsent((*call).getConsent), "DELETE": withConsent((*call).deleteConsent)})
	xs2a(consent+"/status", methods{"GET": withConsent((*call).getConsentStatus)})
	xs2a(consent+"/authorisations", methods{"POST": withConsent((*call).startAuthorisation)})
	xs2a(consent+"/authorisations/{authorisation}", methods{"GET": withConsent((*call).getSCAStatus)})
	for list, name := range map[string]string{"accounts": "account", "card-accounts": "cardAccount"} {
		xs2a("/v1/"+list, methods{"GET": read(func(s *session) (any, error) { return s.listAccounts(list, name+"s") })})
		xs2a("/v1/"+list+"/{account}/balances", methods{"GET": read((*session).getBalances)})
		xs2a("/v1/"+list+"/{account}/transactions", methods{"GET": read((*session).getTransactions)})
	}
	xs2a("/test-rows/{batch}", methods{"PUT": (*call).putOwnRows})

	for path, m := range map[string]methods{
		"/.well-known/oauth-authorization-server": {"GET": (*call).metadata},
		"/oauth/token":  {"POST": (*call).postToken},
		"/oauth/revoke": {"POST": (*call).postRevocation},
	} {
		mux.Handle(root+path, s.oauth(m))
	}
	for path, m := range map[string]methods{
		root + "/oauth/authorize":           {"GET": (*call).authorize},
		root + "/app":                       {"GET": (*call).showApp, "POST": form((*call).postApp)},
		root + "/logo.svg":                  {"GET": (*call).logo},
		root + "/authorise/{authorisation}": {"GET": (*call).showAuthorisation, "POST": form((*call).postAuthorisation)},
		"/sandbox/banks":                    {"GET": (*call).index},
		controlPath:                         {"GET": (*call).listApprovals},
		controlPath + "/{approval}": {
			"GET": withApproval((*consentControl).show), "POST": form((*call).postApproval),
		},
	} {
		mux.Handle(path, s.page(m))
	}
	mux.Handle("/sandbox/{$}", http.RedirectHandler("/sandbox/banks", http.StatusSeeOther))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.newCall(w, r).fail(newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN", "There is no resource at this address."))
	})
	return layout.Timed(mux, s.Now)
}

func (s server) newCall(w http.ResponseWriter, r *http.Request) *call {
	c := &call{server: s, localBank: localBanks()[r.PathValue("slug")], w: w}
	c.at(r)
	return c
}

// at gives the call the time of this request's customer.
func (c *call) at(r *http.Request) {
	c.r, c.now = r, clock.Now(r.Context(), c.Now)
	if c.zone != nil {
		c.today = persona.DayOf(c.now.In(c.zone))
	}
}

// of gives the call the time of the consent's customer, which the service has told with this
// request or with an earlier one.
func (c *call) of(consent Consent) {
	if clock.From(c.r.Context()) == (clock.Setting{}) {
		c.at(c.r.WithContext(clock.With(c.r.Context(), clock.Setting{Ahead: consent.Ahead})))
	}
}

// stored reads the record of a caller with the key of this one.
func stored[R sandboxdb.Record](c *call, like R) (R, error) {
	return sandboxdb.Get(c.r.Context(), c.Store, like)
}

// xs2a handles a resource of the standard.
func (s server) xs2a(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, id := s.newCall(w, r), r.Header.Get("X-Request-ID")
		known := isUUID(id)
		if !known { // every response has a request ID, so the caller gets a new one to quote
			id = s.NewID()
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Request-ID", id)
		answer, allowed := m[r.Method]
		switch {
		case c.Slug == "":
			c.fail(newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN", "The bank does not exist."))
		case !allowed:
			w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
			c.fail(newTPPError(http.StatusMethodNotAllowed, "SERVICE_INVALID", "The resource does not support this method."))
		case !known:
			c.fail(formatError("X-Request-ID", "The header must be a UUID."))
		case !acceptsJSON(c.r.Header.Get("Accept")):
			c.fail(newTPPError(http.StatusNotAcceptable, "REQUESTED_FORMATS_INVALID", "Only application/json is offered."))
		default:
			c.fail(answer(c))
		}
	})
}

// fail writes an error, if there is one, in the form that the standard requires.
func (c *call) fail(err error) {
	e, ok := errors.AsType[*tppError](err)
	switch {
	case err == nil:
	case !ok:
		// The standard has no body for a status of 500.
		c.Log.ErrorContext(c.r.Context(), "sandbox bank failed", "method", c.r.Method, "route", c.r.Pattern, "error", err)
		c.w.WriteHeader(http.StatusInternalServerError)
	default:
		if e.status == http.StatusTooManyRequests && e.busy {
			c.w.Header().Set("Retry-After", "30")
		}
		_ = c.json(e.status, map[string]any{"tppMessages": []any{e}})
	}
}

// json writes a response.
func (c *call) json(status int, body any) error { return layout.WriteJSON(c.w, status, body) }

// acceptsJSON reports whether an Accept header allows JSON.
func acceptsJSON(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, _, _ := strings.Cut(part, ";")
		if slices.Contains([]string{"application/json", "application/*", "*/*"}, strings.ToLower(strings.TrimSpace(name))) {
			return true
		}
	}
	return header == ""
}

// base returns the public address of this environment.
func (c *call) base() string { return layout.Origin(c.BaseURL, c.r) }

// href returns a link of the interface. Some banks leave out scheme and host.
func (c *call) href(path string) link {
	if c.Traits.RelativeLinks {
		return link{c.Path() + path}
	}
	return link{c.base() + c.Path() + path}
}

type link struct {
	Href string `json:"href"`
}

type links map[string]link

// tppError is an error response of the standard: a status and one tppMessage.
type tppError struct {
	status   int
	Category string `json:"category"`
	Code     string `json:"code"`
	// Path is the element at fault.
	Path string `json:"path,omitempty"`
	// Text never contains what was sent.
	Text string `json:"text"`
	// busy asks to try again later.
	busy bool
}

func (e *tppError) Error() string { return e.Code + ": " + e.Text }

func newTPPError(status int, code, text string) error { return tppErrorAt(status, code, "", text) }

func tppErrorAt(status int, code, path, text string) error {
	return &tppError{status: status, Category: "ERROR", Code: code, Path: path, Text: text}
}

// formatError returns the error for a header, parameter or field with an invalid format.
func formatError(path, text string) error { return badRequest("FORMAT_ERROR", path, text) }

func badRequest(code, path, text string) error {
	return tppErrorAt(http.StatusBadRequest, code, path, text)
}

func unauthorised(code, text string) error { return newTPPError(http.StatusUnauthorized, code, text) }

// maxBody is far larger than any request of the standard, and than a batch of own rows.
const maxBody = 256 << 10

// readJSON reads one JSON object without unknown members.
func (c *call) readJSON(into any) error {
	if media, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return tppErrorAt(http.StatusUnsupportedMediaType, "FORMAT_ERROR", "Content-Type",
			"The body must be application/json.")
	}
	d := json.NewDecoder(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return formatError(wrong.Field, "The member has the wrong type.")
	}
	if err != nil {
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
func (c *call) psuAddress() (bool, error) {
	value := c.r.Header.Get("PSU-IP-Address")
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
func (c *call) redirects() (ok, nok string, err error) {
	ok, nok = c.r.Header.Get("TPP-Redirect-URI"), c.r.Header.Get("TPP-Nok-Redirect-URI")
	switch preferred := c.r.Header.Get("TPP-Redirect-Preferred"); {
	case preferred == "false":
		err = badRequest("PARAMETER_NOT_SUPPORTED", "TPP-Redirect-Preferred", "The bank supports only the redirect approach.")
	case preferred != "" && preferred != "true":
		err = formatError("TPP-Redirect-Preferred", "The header must be true or false.")
	case !c.isRegistered(ok):
		err = formatError("TPP-Redirect-URI", "The header is required: an address of this environment or of localhost.")
	case nok != "" && !c.isRegistered(nok):
		err = formatError("TPP-Nok-Redirect-URI", "The header must have an address of this environment or of localhost.")
	}
	return ok, nok, err
}

// save writes records for a caller of the interface, who may retry if another request was
// faster.
func (c *call) save(records ...sandboxdb.Record) error {
	err := c.Store.Save(c.r.Context(), records...)
	if errors.Is(err, outcome.ErrChanged) {
		return newTPPError(http.StatusConflict, "STATUS_INVALID", "Another request changed the consent. Try again.")
	}
	if err != nil {
		return fmt.Errorf("save consent: %w", err)
	}
	return nil
}

func isReturnURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		u.Fragment == ""
}

// These checks are not regular expressions: every function links this package and would
// compile them at each start, and bounded repetitions are the most expensive.

func isUUID(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }

const customerCharacters = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// isCustomerNumber reports whether the login form accepts s. Empty stands for the number
// that the browser keeps.
func isCustomerNumber(s string) bool {
	return len(s) <= 20 && strings.Trim(s, customerCharacters) == ""
}

// isApprovalID reports whether s has the form of an approval ID, which is its time and a
// UUID.
func isApprovalID(s string) bool {
	at, id, _ := strings.Cut(s, "-")
	_, err := time.Parse(approvalTime, at)
	return err == nil && len(at) == len(approvalTime) && isUUID(id) && id == strings.ToLower(id)
}
