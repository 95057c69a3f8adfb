// Package console is the partners' console: pages on which a partner sees what happened to
// its users, and manages what belongs to it. The API does not include it.
//
// A page is a handler in the table of routes (routes.go) and a template in templates/. The
// partner and the role come from the session alone; no route takes a partner.
// docs/development.md says how to add a page.
package console

import (
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/secret/keyring"
)

// Path is where the console begins.
const Path = "/console"

// Options configures the console.
type Options struct {
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	Stage   config.Stage
	// Sealer seals cookies.
	Sealer   *keyring.Sealer
	Partners *identity.Registrar
	Store    Store
	Webhooks Webhooks
	// Users finds users. Connections and Cancellations read what they have, Product what a
	// cancellation is about.
	Users         *identity.Users
	Connections   connection.Store
	Cancellations cancellation.Store
	Product       cancellation.FindProduct
	// Clocks moves the time of users of the sandbox. Production has none.
	Clocks *identity.UserClocks
	// Provider signs people in with OpenID Connect; nil if none is configured.
	Provider *Provider
	// Example is filled in on the sign-in page. It is empty outside of local.
	Example Example
	Now     func() time.Time
	// NewID returns sortable IDs.
	NewID func() string
	Log   *slog.Logger
}

// Store has what the console keeps. What there is none of, or no longer, is outcome.ErrNotFound. Pages go
// on from the position that the page before ended with.
type Store interface {
	Overview(ctx context.Context, partner owner.PartnerID, window feed.Window) (feed.Overview, error)
	Requests(
		ctx context.Context, partner owner.PartnerID, onlyFailed bool, limit int, position string,
	) ([]feed.Request, string, error)
	// Find finds a trace by its ID or the ID of a request.
	Find(ctx context.Context, partner owner.PartnerID, id string) (feed.Trace, error)
	Timeline(ctx context.Context, user owner.User, limit int, position string) ([]feed.Event, string, error)
	// Events are those of all users, the last seen first, with or without the routine ones.
	Events(
		ctx context.Context, partner owner.PartnerID, routine bool, limit int, position string,
	) ([]feed.Event, string, error)
	Event(ctx context.Context, partner owner.PartnerID, id string) (feed.Event, error)

	// Begin writes an entry of the audit log before its action runs, and End how the action ended.
	Begin(ctx context.Context, partner owner.PartnerID, e feed.Entry) error
	End(ctx context.Context, partner owner.PartnerID, id string, result feed.Result, detail string) error
	// Entries returns the entries before this ID (empty: all), newest first. They are kept for a year.
	Entries(ctx context.Context, partner owner.PartnerID, before string, limit int) ([]feed.Entry, error)

	// Attempt counts the failed attempts to sign in with a client ID from an address within
	// this minute.
	Attempt(ctx context.Context, client owner.PartnerID, source string, minute time.Time) (int, error)
	// SignOut remembers until then that the session has ended.
	SignOut(ctx context.Context, session string, until time.Time) error
	// SignedOut reports whether the session has ended by signing out.
	SignedOut(ctx context.Context, session string) (bool, error)
}

// Example is the public client ID and secret of a partner of the local stack.
type Example struct{ ClientID, Secret string }

// Console serves the pages.
type Console struct {
	Options
	http.Handler
	templates map[string]func() *template.Template
}

// New returns the console.
func New(opts Options) *Console {
	c := &Console{Options: opts, templates: pageTemplates(partFunctions(opts.Now))}
	mux := http.NewServeMux()
	allowed := map[string][]string{}
	for _, route := range c.Routes() {
		allowed[route.Path] = append(allowed[route.Path], route.Method)
		mux.Handle(route.Method+" "+route.Path, c.handle(route))
	}
	for path, methods := range allowed {
		mux.Handle(path, c.handle(Route{Path: path, Do: methodNotAllowed(methods)}))
	}
	mux.Handle("/", c.handle(Route{Path: "unknown", Role: Viewer, Do: pageNotFound}))
	// Another site must not submit a form here with a visitor's cookie.
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(c.handle(Route{Path: "cross-origin", Do: crossOrigin}))
	c.Handler = protection.Handler(mux)
	return c
}
