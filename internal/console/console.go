// Package console is the partners' console: pages on which a partner sees what happened to
// its users, and manages what belongs to it. The API does not include it.
//
// A page is a handler in the table of routes (routes.go) and a template in templates/. The
// partner and the role come from the session alone; no route takes a partner.
// docs/development.md says how to add a page.
package console

import (
	"html/template"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/identity"
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
	Audit    Audit
	Visits   Visits
	Past     Past
	Webhooks Webhooks
	// Users finds users. Connections and Cancellations read what they have, Product what a
	// cancellation is about.
	Users         *identity.Users
	Connections   connection.Store
	Cancellations cancellation.Store
	Product       cancellation.FindProduct
	// Personas are the people of the sandbox, and Clocks moves the time of its users. Production has
	// neither.
	Personas func() []Persona
	Clocks   *identity.UserClocks
	// Provider signs people in with OpenID Connect; nil if none is configured.
	Provider *Provider
	// Example is filled in on the sign-in page. It is empty outside of local.
	Example Example
	Now     func() time.Time
	// NewID returns sortable IDs.
	NewID func() string
	Log   *slog.Logger
}

// Example is the public client ID and secret of a partner of the local stack.
type Example struct{ ClientID, Secret string }

// Console serves the pages.
type Console struct {
	Options
	http.Handler
	// templates parses the templates for the first page, so that the function starts without them.
	templates func() map[string]*template.Template
}

// New returns the console.
func New(opts Options) *Console {
	c := &Console{Options: opts, templates: sync.OnceValue(func() map[string]*template.Template {
		return parsedTemplates(partFunctions(opts.Now))
	})}
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
