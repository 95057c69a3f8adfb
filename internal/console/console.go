// Package console is the partners' console: pages on which partners see what happened to their users, and manage
// their own data. The API does not include it.
//
// A page is a handler in the table of routes (routes.go) and a template in templates/. Only the session determines
// partner and role; no route takes a partner. docs/development.md says how to add a page.
package console

import (
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/aws/config"

	"aviso/internal/cancellation/request"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/secret/keyring"
)

// Path is the console's base path.
const Path = "/console"

// Options configures the console.
type Options struct {
	// BaseURL is the public address without a trailing slash. If it is empty, the console uses the address of each
	// request.
	BaseURL string
	Stage   config.Stage
	// Sealer seals cookies.
	Sealer   *keyring.Sealer
	Partners *identity.Registrar
	Store    Store
	Webhooks Webhooks
	// Users finds users. Connections and Cancellations read users' data, and Product reads the product of a
	// cancellation.
	Users         *identity.Users
	Connections   ConnectionReader
	Cancellations CancellationReader
	Product       request.FindProduct
	// Connecting has banks read, and makes links.
	Connecting *connection.Connections
	// Clocks moves the time of sandbox users. It is nil in production.
	Clocks *identity.UserClocks
	// Provider signs people in with OpenID Connect; nil if none is configured.
	Provider *Provider
	// Example is filled in on the sign-in page. It is set only in the local stack.
	Example Example
	Now     func() time.Time
	// NewID returns sortable IDs.
	NewID func() string
	Log   *slog.Logger
}

// Store has the console's own data. A missing or expired row is outcome.ErrNotFound. Each page continues at the end
// position of the previous one.
type Store interface {
	Overview(ctx context.Context, partner owner.PartnerID, window feed.Window) (feed.Overview, error)
	Requests(
		ctx context.Context, partner owner.PartnerID, onlyFailed bool, limit int, position string,
	) ([]feed.Request, string, error)
	// Find finds a trace by its ID or the ID of a request.
	Find(ctx context.Context, partner owner.PartnerID, id string) (feed.Trace, error)
	Timeline(ctx context.Context, user owner.User, limit int, position string) ([]feed.Event, string, error)
	// Events returns events of all users, the last seen first. routine includes the routine ones.
	Events(
		ctx context.Context, partner owner.PartnerID, routine bool, limit int, position string,
	) ([]feed.Event, string, error)
	Event(ctx context.Context, partner owner.PartnerID, id string) (feed.Event, error)

	// Begin writes an entry of the audit log before its action runs. End adds the result.
	Begin(ctx context.Context, partner owner.PartnerID, e feed.Entry) error
	End(ctx context.Context, partner owner.PartnerID, id string, result feed.Result, detail string) error
	// Entries returns the entries before this ID (empty: all), newest first. They are kept for a year.
	Entries(ctx context.Context, partner owner.PartnerID, before string, limit int) ([]feed.Entry, error)

	// Attempt counts this minute's failed sign-ins with a client ID from an address.
	Attempt(ctx context.Context, client owner.PartnerID, source string, minute time.Time) (int, error)
	// SignOut ends a session. The store keeps the session's ID for as long as it could be valid.
	SignOut(ctx context.Context, session string, until time.Time) error
	// SignedOut reports whether the session was signed out.
	SignedOut(ctx context.Context, session string) (bool, error)
}

// Example is the public client ID and secret of a partner in the local stack.
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
