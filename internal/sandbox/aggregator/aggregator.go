// Package aggregator is the sandbox's aggregator: an HTTP server that speaks the account
// information API of Enable Banking, so that outside production the service runs the same
// client code as in production. It is strict about what that API is strict about, and
// answers with what makes clients stumble: explicit nulls, pages of two to ten rows, an
// empty page in between, accounts that are closed, and limits for calls without the user.
//
// # Addresses
//
// The API is at /sandbox/aggregator. Applications are registered with
//
//	POST /sandbox/aggregator/applications {"certificate": "<PEM>", "redirect_urls": ["…"]}
//
// which answers {"app_id": "…"}; certificate is a certificate or a public key (RSA).
//
// # The user's page
//
// POST /auth answers the address of a page, /sandbox/aggregator/auth/{attempt}. Its forms
// are posted there as application/x-www-form-urlencoded, together or one after the other,
// and a program can post them without reading the page:
//
//	persona=anna        log in; returns 303 to the page again
//	decision=approve    returns 303 to the redirect URL with code and state
//	decision=refuse     returns 303 with error=access_denied and state
package aggregator

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// Path is where the API is.
const Path = "/sandbox/aggregator"

// Options configures the aggregator.
type Options = bank.Options

type server struct {
	Options
	site        layout.Site
	simulations persona.Simulations
}

// New returns the handler for everything under Path.
func New(opts Options) http.Handler {
	s := &server{Options: opts, site: newSite(opts.Log)}
	mux := http.NewServeMux()
	mux.Handle("POST "+Path+"/applications", s.answer(s.register))
	mux.Handle("GET "+Path+"/aspsps", s.api(s.listASPSPs))
	mux.Handle("POST "+Path+"/auth", s.api(s.startAuthorisation))
	mux.Handle("POST "+Path+"/sessions", s.api(s.redeem))
	mux.Handle("GET "+Path+"/sessions/{session}", s.api(s.getSession))
	mux.Handle("DELETE "+Path+"/sessions/{session}", s.api(s.deleteSession))
	mux.Handle("GET "+Path+"/accounts/{account}/details", s.data("details", s.getDetails))
	mux.Handle("GET "+Path+"/accounts/{account}/balances", s.data("balances", s.getBalances))
	mux.Handle("GET "+Path+"/accounts/{account}/transactions", s.data("transactions", s.getTransactions))
	s.site.Handle(mux, Path+"/auth/{attempt}", layout.Methods{"GET": s.showAttempt, "POST": s.site.Form(s.decide)})
	s.site.Handle(mux, LogoPath, layout.Methods{"GET": func(w http.ResponseWriter, _ *http.Request) error {
		return layout.WriteSVG(w, []byte(logo))
	}})
	mux.Handle(Path+"/", s.answer(func(*http.Request) (any, error) {
		return nil, &refusal{Status: http.StatusNotFound, Message: "Not found"}
	}))
	return layout.Timed(mux, s.Now)
}

// now returns the time of the user whom a request is for.
func (s *server) now(r *http.Request) time.Time { return clock.Now(r.Context(), s.Now) }

// refusal is an error of the API. Detail is null or any JSON.
type refusal struct {
	Status  int    `json:"code"`
	Code    string `json:"error,omitempty"`
	Message string `json:"message"`
	Detail  any    `json:"detail"`
}

func (r *refusal) Error() string { return r.Message }

func refuse(status int, code, message string) error {
	return &refusal{Status: status, Code: code, Message: message}
}

// answer answers with JSON.
func (s *server) answer(handle func(r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		status := http.StatusOK
		body, err := handle(r)
		if told, ok := errors.AsType[*refusal](err); ok {
			status, body, err = told.Status, told, nil
		}
		if errors.Is(err, errGarbled) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<html><title>502 Bad Gateway</title></html>"))
			return
		}
		if err == nil {
			err = layout.WriteJSON(w, status, body)
		}
		if err != nil {
			s.Log.ErrorContext(r.Context(), "sandbox aggregator failed", "method", r.Method, "route", r.Pattern, "error", err)
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
}

// api handles a call of an application.
func (s *server) api(handle func(r *http.Request, app Application) (any, error)) http.Handler {
	return s.answer(func(r *http.Request) (any, error) {
		app, err := s.authenticate(r)
		if err != nil {
			return nil, err
		}
		return handle(r, app)
	})
}

// read reads a record, or refuses if there is none.
func read[R sandboxdb.Record](ctx context.Context, s *server, like R, missing error) (R, error) {
	found, err := sandboxdb.Get(ctx, s.Store, like)
	if errors.Is(err, outcome.ErrNotFound) {
		err = missing
	}
	return found, err
}

// maxBody is far larger than any request.
const maxBody = 32 << 10

func readJSON(r *http.Request, into any) error {
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxBody)).Decode(into); err != nil {
		return refuse(http.StatusUnprocessableEntity, "WRONG_REQUEST_PARAMETERS", "Wrong request parameters provided")
	}
	return nil
}

// maxTokenLife is the longest life of a token.
const maxTokenLife = 24 * time.Hour

// Register registers an application, or replaces its key.
func Register(ctx context.Context, store *sandboxdb.Store, app Application) error {
	return store.Save(ctx, app)
}

func (s *server) register(r *http.Request) (any, error) {
	var body struct {
		Certificate  string   `json:"certificate"`
		RedirectURLs []string `json:"redirect_urls"`
	}
	if err := readJSON(r, &body); err != nil {
		return nil, err
	}
	key := publicKey(body.Certificate)
	if key == nil || len(body.RedirectURLs) == 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "WRONG_REQUEST_PARAMETERS",
			"An RSA certificate or public key in PEM and redirect_urls are required")
	}
	app := Application{ID: s.NewID(), PublicKey: key, RedirectURLs: body.RedirectURLs, Registered: s.Now()}
	return map[string]string{"app_id": app.ID}, Register(r.Context(), s.Store, app)
}

// publicKey returns the RSA key in PKIX; nil if there is none.
func publicKey(text string) []byte {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
	}
	der := block.Bytes
	if cert, err := x509.ParseCertificate(der); err == nil {
		der = cert.RawSubjectPublicKeyInfo
	}
	if parseKey(der) == nil {
		return nil
	}
	return der
}

func parseKey(der []byte) *rsa.PublicKey {
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil
	}
	key, _ := parsed.(*rsa.PublicKey)
	return key
}

// authenticate checks the token of a call. These refusals have no code, like those of the
// real API.
func (s *server) authenticate(r *http.Request) (Application, error) {
	none := Application{}
	sent, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return none, refuse(http.StatusUnauthorized, "", "Authorization header is not provided")
	}
	token, err := jwt.ParseSigned(sent, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil || token.Headers[0].ExtraHeaders[jose.HeaderType] != "JWT" {
		return none, refuse(http.StatusUnauthorized, "", "Wrong token")
	}
	app, err := read(r.Context(), s, Application{ID: token.Headers[0].KeyID},
		refuse(http.StatusForbidden, "", "Application does not exist"))
	if err != nil {
		return none, err
	}
	var claims jwt.Claims
	if err := token.Claims(parseKey(app.PublicKey), &claims); err != nil {
		return none, refuse(http.StatusUnauthorized, "", "Wrong signature")
	}
	expected := jwt.Expected{
		Issuer: "enablebanking.com", AnyAudience: jwt.Audience{"api.enablebanking.com"}, Time: s.Now(),
	}
	// A token may come from a clock that is a minute ahead, but must not have expired.
	if claims.Expiry == nil || claims.IssuedAt == nil || claims.ValidateWithLeeway(expected, time.Minute) != nil ||
		!s.Now().Before(claims.Expiry.Time()) || claims.Expiry.Time().Sub(claims.IssuedAt.Time()) > maxTokenLife {
		return none, refuse(http.StatusUnauthorized, "", "Wrong claims")
	}
	return app, nil
}

// ASPSP is a bank that the aggregator reads.
type ASPSP struct {
	Name, Country string
	// Branch is how the bank's accounts are simulated.
	Branch persona.Branch
	// ConsentDays is the longest consent.
	ConsentDays int
	// PSUHeaders are what the bank wants to know about a present user.
	PSUHeaders []string
}

// ASPSPs returns the banks. Two have the same name in different countries.
func ASPSPs() []ASPSP {
	aspsp := func(country, slug string, days int, headers ...string) ASPSP {
		return ASPSP{
			Name: "Silbertal Bank", Country: country, ConsentDays: days, PSUHeaders: headers,
			Branch: persona.Branch{Bank: slug, Country: country, Currency: "EUR", Language: "de"},
		}
	}
	return []ASPSP{aspsp("DE", "silbertal-de", 180), aspsp("AT", "silbertal-at", 90, "Psu-Ip-Address")}
}

func find(name, country string) (ASPSP, bool) {
	for _, a := range ASPSPs() {
		if a.Name == name && a.Country == country {
			return a, true
		}
	}
	return ASPSP{}, false
}

// LogoPath is the path of the banks' logo, an SVG image.
const LogoPath = Path + "/logo.svg"

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img">` +
	`<rect width="64" height="64" rx="14" fill="#3d5a6c"/>` +
	`<path d="M10 46 24 22l9 15 7-11 14 20z" fill="#dfe7ec"/></svg>`

func (s *server) listASPSPs(r *http.Request, _ Application) (any, error) {
	return map[string]any{"aspsps": List(layout.Origin(s.BaseURL, r))}, nil
}

// List returns the banks as the aggregator at this origin lists them.
func List(origin string) []map[string]any {
	list := []map[string]any{}
	for _, a := range ASPSPs() {
		list = append(list, map[string]any{
			"name": a.Name, "country": a.Country, "logo": origin + LogoPath, "bic": nil,
			"psu_types": []string{"personal"}, "beta": a.Country == "AT", "required_psu_headers": a.PSUHeaders,
			"maximum_consent_validity": a.ConsentDays * int(24*time.Hour/time.Second),
			"auth_methods": []map[string]any{
				{"name": nil, "psu_type": "personal", "approach": "REDIRECT", "credentials": nil, "hidden_method": false},
			},
		})
	}
	return list
}

// hasUser reports whether the call says that the user is present.
func (a ASPSP) hasUser(h http.Header) (bool, error) {
	present := false
	for name := range h {
		present = present || strings.HasPrefix(name, "Psu-")
	}
	for _, wanted := range a.PSUHeaders {
		if present && h.Get(wanted) == "" {
			return false, refuse(http.StatusUnprocessableEntity, "PSU_HEADER_NOT_PROVIDED", "Required PSU header is not provided")
		}
	}
	return present, nil
}
