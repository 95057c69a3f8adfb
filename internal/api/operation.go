package api

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"aviso/internal/api/apierror"
)

// Scope is the scope an access token needs for an operation.
type Scope string

// The scopes, one per area. Public operations need no token.
const (
	Public       Scope = ""
	Identity     Scope = "identity"
	PFM          Scope = "pfm"
	Cancellation Scope = "cancellation"
	Webhook      Scope = "webhook"
)

// Operation declares one endpoint. localstack/document describes it.
type Operation struct {
	// ID is the operationId, in camelCase.
	ID           string
	Method, Path string
	Tag          string
	Scope        Scope
	// ForUser is set if the request acts for the user in X-User-Id.
	ForUser bool
	// Creates is set if the operation supports Idempotency-Key. ActsElsewhere is set if the operation also changes
	// another system, outside its transaction. Such an operation must look up the key first.
	Creates, ActsElsewhere bool
	// Internal is set if carriers or users' browsers make the request, not partners. A separate document describes the
	// operation.
	Internal bool
	// Deprecated is set if partners should no longer use the operation.
	Deprecated *Deprecation
	// Status is the status of a success; zero means 200.
	Status int
	// AlsoOK is a second status of a success, such as 200 if the object already
	// existed; zero means none.
	AlsoOK int
	// Form is set if the body of a Raw operation is
	// application/x-www-form-urlencoded.
	Form bool
	// Produces is the media type of a success that is not JSON.
	Produces string
	// Faults are the operation's own error codes. Others follow from the fields above.
	Faults []apierror.Code
}

// route is an operation. It also says whether the steps before its handler read a body.
type route struct {
	Operation
	hasBody bool
	// raw is set for an operation of Raw, which describes its own headers.
	raw bool
	// query returns the operation's query parameters; nil for an operation of Raw.
	query func() []string
}

// MaxBody is the largest request body, in bytes.
const MaxBody = 256 << 10

// Register adds an operation. If the handler returns an *apierror.Error, or an error
// that wraps one, the response is its problem document; any other error is an
// internal error.
//
// Huma builds schemas from the operation's types, which takes longer than a request. So this waits for the
// operation's first request: most instances serve only a few operations, and would delay every cold start for all of
// them.
func Register[I, O any](r *Router, op Operation, handler func(context.Context, *I) (*O, error)) {
	op.Status = cmp.Or(op.Status, http.StatusOK)
	answer := func(ctx context.Context, in *I) (*O, error) {
		c := callFrom(ctx)
		if c.input = in; len(c.invalid) > 0 {
			return nil, c.problem(apierror.Invalid(c.invalid...))
		}
		out, err := handler(ctx, in)
		if err != nil {
			return nil, c.problem(err)
		}
		return out, nil
	}
	r.operations = append(r.operations, Declared{op, func(document huma.API, soFar huma.Operation) {
		huma.Register(document, soFar, answer)
	}})
	served := sync.OnceValue(func() http.HandlerFunc {
		one, body := &single{}, &huma.RequestBody{}
		service := humago.New(one, servingConfig())
		huma.Register(service, huma.Operation{
			OperationID: op.ID, Method: op.Method, Path: op.Path, DefaultStatus: op.Status, Hidden: true,
			MaxBodyBytes: -1, // the chain has already read and capped the body
			RequestBody:  body, SkipValidateBody: true,
		}, answer)
		return func(w http.ResponseWriter, req *http.Request) {
			if c := callFrom(req.Context()); len(c.body) > 0 {
				check := bodyCheck{schemas: service.OpenAPI().Components.Schemas}
				var sent any
				if json.Unmarshal(c.body, &sent) != nil {
					WriteProblem(w, req, problemFromHuma(c, http.StatusBadRequest, nil))
					return
				}
				check.check(body.Content["application/json"].Schema, "", sent)
				if c.invalid = check.invalid; len(c.invalid) > 0 {
					req.Body = io.NopCloser(strings.NewReader("{}")) // then Huma checks only the parameters
				}
			}
			one.ServeHTTP(w, req)
		}
	})
	_, hasBody := reflect.TypeFor[I]().FieldByName("Body") // Huma parses the body into it
	rt := &route{Operation: op, hasBody: hasBody, query: sync.OnceValue(queryNames[I])}
	r.handle(rt, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { served()(w, req) }))
}

// single acts as Huma's mux, and receives one operation's handler.
type single struct{ http.HandlerFunc }

func (s *single) HandleFunc(_ string, h func(http.ResponseWriter, *http.Request)) { s.HandlerFunc = h }

// Raw adds an operation that does not use enveloped JSON: forms, redirects, pages. A text of
// localstack/document describes it.
func (r *Router) Raw(op Operation, handler http.HandlerFunc) {
	r.operations = append(r.operations, Declared{Operation: op})
	r.handle(&route{Operation: op, raw: true}, handler)
}

// servingConfig configures how requests are read and responses are written. Huma's
// own pages and schema links are off: the document is a file, not a route.
func servingConfig() huma.Config {
	c := huma.DefaultConfig("Aviso", "1.0.0")
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	return c
}
