package document

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
)

// addRaw adds an operation of api.Raw. The text describes it.
func (t text) addRaw(document *huma.OpenAPI, op api.Operation) {
	d, described := t.Operations[op.ID]
	if !described {
		panic("the document's text does not describe " + op.ID)
	}
	d.OperationID, d.Method, d.Path = op.ID, op.Method, op.Path
	if op.Scope == api.Public && d.Security == nil {
		d.Security = []map[string][]string{}
	}
	declareHeaders(op, d.Responses)
	document.AddOperation(d)
}

// begin returns the part of an operation's description that Huma does not derive from the types.
func (t text) begin(op api.Operation, said operationWords) huma.Operation {
	d := huma.Operation{
		OperationID: op.ID, Method: op.Method, Path: op.Path, DefaultStatus: op.Status,
		Tags: []string{op.Tag}, Summary: said.Summary, Description: said.Description,
		Responses: map[string]*huma.Response{},
	}
	if op.Scope == api.Public {
		d.Security = []map[string][]string{}
	} else {
		d.Security = []map[string][]string{{"oauth2": {string(op.Scope)}}}
	}
	d.Parameters = append(d.Parameters, t.Parameters["X-Request-Id"])
	if op.ForUser {
		d.Parameters = append(d.Parameters, t.Parameters["X-User-Id"])
	}
	if op.Creates {
		d.Parameters = append(d.Parameters, t.Parameters["Idempotency-Key"])
	}
	return d
}

// finish adds the problem responses and the examples after Huma has read the types.
func finish(op api.Operation, said operationWords, document *huma.OpenAPI) {
	path := document.Paths[op.Path]
	d := map[string]*huma.Operation{
		http.MethodGet: path.Get, http.MethodPost: path.Post, http.MethodPut: path.Put,
		http.MethodPatch: path.Patch, http.MethodDelete: path.Delete,
	}[op.Method]
	delete(d.Responses, "default")
	success := d.Responses[strconv.Itoa(op.Status)]
	if said.Answer != nil {
		success.Content["application/json"].Example = map[string]any{
			"data": said.Answer, "meta": map[string]any{"pagination": map[string]any{}},
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
	if d.RequestBody != nil {
		body := d.RequestBody.Content["application/json"]
		body.Example = said.Request
		allowNull(document.Components.Schemas, body.Schema)
	}
	addProblems(d, op, document.Components.Schemas)
	declareHeaders(op, d.Responses)
	if op.Deprecated != nil {
		deprecate(d, *op.Deprecated, document.Components)
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
				orNull(member)
			default:
				member.Nullable = true
			}
		}
	}
}

// deprecate declares the headers. It also declares the sunset, for tools that compare documents.
func deprecate(d *huma.Operation, when api.Deprecation, components *huma.Components) {
	d.Deprecated = true
	d.Extensions = map[string]any{"x-sunset": when.Sunset.UTC().Format(time.DateOnly)}
	for name, value := range when.Headers() {
		components.Headers[name].Example = value
		for _, response := range d.Responses {
			response.Headers[name] = &huma.Param{Ref: "#/components/headers/" + name}
		}
	}
}

// operations returns the operations of a document.
func operations(document *huma.OpenAPI) (all []*huma.Operation) {
	for _, path := range document.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op != nil {
				all = append(all, op)
			}
		}
	}
	return all
}
