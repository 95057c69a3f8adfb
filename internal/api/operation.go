package api

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
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

// Operation declares one endpoint.
type Operation struct {
	// ID is the operationId, in camelCase.
	ID           string
	Method, Path string
	Tag          string
	Summary      string
	Description  string
	Scope        Scope
	// ForUser is set if the request acts for the user in X-User-Id.
	ForUser bool
	// Creates is set if the operation supports Idempotency-Key. ActsElsewhere is set if it also changes
	// something outside of its transaction, so that a key that was used must be known before.
	Creates, ActsElsewhere bool
	// Internal is set if carriers or users' browsers make the request, not partners. The
	// operation is in a document of its own.
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
	// Faults are the operation's own error codes, besides those that follow from
	// the fields above.
	Faults []apierror.Code
	// Request and Answer are examples of the request body and of the response's
	// `data`. A func() any makes the answer when the document is made.
	Request any
	Answer  any
}

// route is an operation, and whether the steps before its handler read a body.
type route struct {
	Operation
	hasBody bool
	// raw is set for an operation of Raw, which describes its own headers.
	raw bool
	// query returns the operation's query parameters; nil for an operation of Raw.
	query func() []string
}

// ExampleUser is the user of the document's examples. The local stack has it, so that the
// examples can be called.
const ExampleUser = "1b4e28ba-2fa1-4d1e-883f-0016d3cca427"

// MaxBody is the largest request body, in bytes.
const MaxBody = 256 << 10

// Register adds an operation. If the handler returns an *apierror.Error, or an error
// that wraps one, the response is its problem document; any other error is an
// internal error.
//
// Huma builds schemas from the operation's types, which takes longer than a request.
// The first request for the operation does that: most instances of a function serve
// only a few of its operations, and every cold start would wait for all of them.
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
	r.operations = append(r.operations, described{op, func(document huma.API, text Text) {
		huma.Register(document, describe(op, text), answer)
		finish(op, document.OpenAPI())
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
					req.Body = io.NopCloser(strings.NewReader("{}")) // Huma then looks at the parameters alone
				}
			}
			one.ServeHTTP(w, req)
		}
	})
	rt := &route{Operation: op, hasBody: op.Request != nil, query: sync.OnceValue(queryNames[I])}
	r.handle(rt, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { served()(w, req) }))
}

// single acts as Huma's mux and receives the handler of one operation.
type single struct{ http.HandlerFunc }

func (s *single) HandleFunc(_ string, h func(http.ResponseWriter, *http.Request)) { s.HandlerFunc = h }

// Raw adds an operation that does not use enveloped JSON: forms, redirects, pages. The document's
// Text describes it.
func (r *Router) Raw(op Operation, handler http.HandlerFunc) {
	r.operations = append(r.operations, described{op, func(document huma.API, text Text) {
		d, described := text.Operations[op.ID]
		if !described {
			panic("the document's text does not describe " + op.ID)
		}
		d.OperationID, d.Method, d.Path = op.ID, op.Method, op.Path
		if op.Scope == Public && d.Security == nil {
			d.Security = []map[string][]string{}
		}
		declareHeaders(op, d.Responses)
		document.OpenAPI().AddOperation(d)
	}})
	r.handle(&route{Operation: op, raw: true}, handler)
}

// describe returns the part of an operation's description that Huma does not derive
// from the types.
func describe(op Operation, text Text) huma.Operation {
	d := huma.Operation{
		OperationID: op.ID, Method: op.Method, Path: op.Path, DefaultStatus: op.Status,
		Tags: []string{op.Tag}, Summary: op.Summary, Description: op.Description,
		Responses: map[string]*huma.Response{},
	}
	if op.Scope == Public {
		d.Security = []map[string][]string{}
	} else {
		d.Security = []map[string][]string{{"oauth2": {string(op.Scope)}}}
	}
	d.Parameters = append(d.Parameters, text.Parameters[headerRequestID])
	if op.ForUser {
		d.Parameters = append(d.Parameters, text.Parameters[headerUser])
	}
	if op.Creates {
		d.Parameters = append(d.Parameters, text.Parameters[headerIdempotency])
	}
	return d
}

// finish adds the problem responses and the examples after Huma has read the types.
func finish(op Operation, document *huma.OpenAPI) {
	path := document.Paths[op.Path]
	d := map[string]*huma.Operation{
		http.MethodGet: path.Get, http.MethodPost: path.Post, http.MethodPut: path.Put,
		http.MethodPatch: path.Patch, http.MethodDelete: path.Delete,
	}[op.Method]
	delete(d.Responses, "default")
	success := d.Responses[strconv.Itoa(op.Status)]
	if later, ok := op.Answer.(func() any); ok {
		op.Answer = later()
	}
	if op.Answer != nil {
		success.Content["application/json"].Example = map[string]any{
			"data": op.Answer, "meta": map[string]any{"pagination": map[string]any{}},
		}
	}
	if op.Produces != "" {
		success.Content = map[string]*huma.MediaType{
			op.Produces: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		}
	}
	if op.AlsoOK != 0 {
		d.Responses[strconv.Itoa(op.AlsoOK)] = &huma.Response{
			Description: http.StatusText(op.AlsoOK), Headers: success.Headers, Content: success.Content,
		}
	}
	for _, p := range d.Parameters {
		switch {
		case p.In != "query":
		case op.Method == http.MethodGet:
			p.AllowEmptyValue = !p.Required
		case p.Schema.Type == huma.TypeString && p.Schema.MinLength == nil:
			p.Schema.MinLength = new(1)
		}
	}
	if op.Request != nil {
		body := d.RequestBody.Content["application/json"]
		body.Example = op.Request
		allowNull(document.Components.Schemas, body.Schema)
	}
	addProblems(d, op, document.Components.Schemas)
	declareHeaders(op, d.Responses)
	if op.Deprecated != nil {
		op.Deprecated.describe(d, document.Components)
	}
}

// allowNull describes that a request may send null for an optional member, which is
// treated as omitted.
func allowNull(schemas huma.Registry, s *huma.Schema) {
	switch {
	case s == nil:
	case s.Ref != "":
		allowNull(schemas, schemas.SchemaFromRef(s.Ref))
	default:
		allowNull(schemas, s.Items)
		for name, member := range s.Properties {
			allowNull(schemas, member)
			switch {
			case slices.Contains(s.Required, name), len(member.OneOf) > 0:
			// A null among the values would become a constant of clients, and a reference has no type.
			case len(member.Enum) > 0, member.Ref != "":
				choice := *member
				choice.Description = ""
				*member = huma.Schema{Description: member.Description, OneOf: []*huma.Schema{&choice, {Type: "null"}}}
			default:
				member.Nullable = true
			}
		}
	}
}

// addProblems describes the operation's errors: one response per status, with an
// example for each code.
func addProblems(d *huma.Operation, op Operation, schemas huma.Registry) {
	schema := schemas.Schema(problemType, true, "Problem")
	byStatus := map[int][]apierror.Code{}
	for _, code := range op.codes() {
		status := meanings[code].status
		byStatus[status] = append(byStatus[status], code)
	}
	for status, codes := range byStatus {
		examples := map[string]*huma.Example{}
		for _, code := range codes {
			p := problem("7f0d4a52-5a3c-4c39-9f3e-0f6f1f9d8c11", apierror.New(code, meanings[code].title+"."))
			examples[string(code)] = &huma.Example{Value: p}
		}
		d.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: "`" + joinCodes(codes) + "`",
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: schema, Examples: examples}},
		}
	}
}

// codes returns all error codes that the operation can respond with.
func (op Operation) codes() []apierror.Code {
	codes := []apierror.Code{apierror.ValidationFailed, apierror.InternalError, apierror.TemporarilyUnavailable}
	if op.Scope != Public {
		codes = append(codes, apierror.Unauthorized, apierror.InsufficientScope, apierror.RateLimited)
	}
	if op.ForUser {
		codes = append(codes, apierror.UserIDRequired, apierror.UserNotFound)
	}
	if op.Request != nil {
		codes = append(codes, apierror.MalformedRequest, apierror.PayloadTooLarge, apierror.UnsupportedMediaType)
	}
	if op.Creates {
		codes = append(codes, apierror.IdempotencyInProgress, apierror.IdempotencyKeyReused)
	}
	codes = append(codes, op.Faults...)
	slices.Sort(codes)
	return slices.Compact(codes)
}

func joinCodes(codes []apierror.Code) string {
	words := make([]string, len(codes))
	for i, c := range codes {
		words[i] = string(c)
	}
	return strings.Join(words, "`, `")
}
