// Package collection makes a Postman collection of the operations that partners call. Bruno
// and newman read the same format.
package collection

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed token.js
var tokenScript string

const (
	description = "Every operation of the Aviso API, in an order in which all of them can be run against the local stack " +
		"(`make run`) or a test environment. Scripts get the access token and pass IDs on to later requests.\n\n" +
		"To start, set `baseUrl`, `clientId` and `clientSecret`, and run the collection or send single requests from " +
		"top to bottom. Outside the local stack, set `returnUrl` and `webhookUrl`, too."
	// Tools recognise a collection that is imported again by this.
	collectionID = "6a1c6c3e-0b0e-4f0a-9a52-5f3b7d3c1e90"
	schema       = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
)

// New returns the collection of the document.
func New(document *huma.OpenAPI) (Collection, error) {
	b := builder{document: document, operations: operations(document)}
	c := Collection{
		Info:  info{ID: collectionID, Name: "Aviso", Description: description, Schema: schema},
		Auth:  &auth{Type: "bearer", Bearer: []variable{{Key: "token", Value: "{{accessToken}}", Type: "string"}}},
		Event: []event{code("prerequest", tokenScript)},
	}
	for _, a := range plan() {
		f := folder{Name: a.name, Description: a.description}
		for _, tag := range document.Tags {
			if tag.Name == a.name {
				f.Description = tag.Description
			}
		}
		for _, s := range a.steps {
			i, err := b.item(s)
			if err != nil {
				return Collection{}, err
			}
			f.Item = append(f.Item, i)
		}
		c.Item = append(c.Item, f)
	}
	if err := c.define(); err != nil {
		return Collection{}, err
	}
	return c, nil
}

// settings returns the variables that a partner sets, with the values for the local stack.
func settings() []variable {
	return []variable{
		{Key: "baseUrl", Value: "http://localhost:3000", Description: "The environment."},
		{Key: "clientId", Value: "sandbox", Description: "Your client ID."},
		{Key: "clientSecret", Value: "sandbox-secret", Description: "Your client secret."},
		{
			Key: "returnUrl", Value: "https://partner.example/back",
			Description: "Where users return: one of your registered URLs.",
		},
		{Key: "webhookUrl", Value: "http://127.0.0.1:8080/", Description: "Your receiver of callbacks."},
	}
}

var setting = regexp.MustCompile(`pm\.collectionVariables\.set\(\\"(\w+)\\"`)

// define adds the variables: the partner's, and those that scripts set.
func (c *Collection) define() error {
	text, err := c.JSON()
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, found := range setting.FindAllSubmatch(text, -1) {
		names[string(found[1])] = true
	}
	c.Variable = settings()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c.Variable = append(c.Variable, variable{Key: name})
	}
	for i := range c.Variable {
		c.Variable[i].Type = "string"
	}
	return nil
}

// JSON returns the collection as it is stored in docs.
func (c Collection) JSON() ([]byte, error) { return encode(c) }

func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return b.Bytes(), err
}

// called is an operation with the address that it has in the document.
type called struct {
	*huma.Operation
	method, path string
}

// operations returns the document's operations by ID.
func operations(document *huma.OpenAPI) map[string]called {
	all := map[string]called{}
	for path, p := range document.Paths {
		for method, o := range map[string]*huma.Operation{
			http.MethodGet: p.Get, http.MethodPost: p.Post, http.MethodPut: p.Put, http.MethodPatch: p.Patch, http.MethodDelete: p.Delete,
		} {
			if o != nil {
				all[o.OperationID] = called{Operation: o, method: method, path: path}
			}
		}
	}
	return all
}

type builder struct {
	document   *huma.OpenAPI
	operations map[string]called
}

func (b builder) item(s step) (item, error) {
	if s.page != nil {
		return s.pageItem(), nil
	}
	o, ok := b.operations[s.operation]
	if !ok {
		return item{}, fmt.Errorf("the document has no operation %s", s.operation)
	}
	i := item{ID: s.operation, Name: o.Summary, Response: []any{}, Request: request{
		Method: o.method, URL: b.address(o, s), Description: o.Description, Header: headers(o), Auth: authOf(o),
	}}
	if s.name != "" {
		i.ID, i.Name = "", s.name
	}
	if o.Deprecated {
		i.Name += " (deprecated)"
	}
	if err := s.setBody(&i.Request, o); err != nil {
		return item{}, err
	}
	if s.before != "" {
		i.Event = append(i.Event, code("prerequest", s.before))
	}
	status, answer := success(o)
	i.Event = append(i.Event, code("test", b.test(s, status, answer)))
	return i, nil
}

// pageItem returns the request for a page, which answers with a redirect.
func (s step) pageItem() item {
	i := item{
		Name: s.name, Response: []any{}, Behavior: &behavior{},
		Request: request{
			Method: s.page.method, URL: address{Raw: s.page.url, Host: []string{s.page.url}},
			Header: append([]field{}, s.page.header...), Auth: &auth{Type: "noauth"},
		},
	}
	if s.page.form != nil {
		i.Request.Body = &body{Mode: "urlencoded", Form: s.page.form}
	}
	i.Event = []event{code("test", strings.Join(s.results(redirected), "\n"))}
	return i
}

func code(listen, text string) event {
	return event{Listen: listen, Script: script{
		Type: "text/javascript", Exec: strings.Split(strings.TrimSuffix(text, "\n"), "\n"),
	}}
}

// authOf returns how an operation differs from the collection's access token, or nil.
func authOf(o called) *auth {
	for _, alternative := range o.Security {
		if _, ok := alternative["client"]; ok {
			return &auth{Type: "basic", Basic: []variable{
				{Key: "username", Value: "{{clientId}}", Type: "string"},
				{Key: "password", Value: "{{clientSecret}}", Type: "string"},
			}}
		}
		if len(alternative) > 0 {
			return nil
		}
	}
	return &auth{Type: "noauth"}
}

// address enables the parameters that are required or that the step names.
func (b builder) address(o called, s step) address {
	path := strings.NewReplacer("{", "{{", "}", "}}").Replace(strings.TrimPrefix(o.path, "/"))
	a := address{Raw: "{{baseUrl}}/" + path, Host: []string{"{{baseUrl}}"}, Path: strings.Split(path, "/")}
	separator := "?"
	for _, p := range o.Parameters {
		if p.In != "query" {
			continue
		}
		value, enabled := s.query[p.Name]
		if enabled {
			a.Raw += separator + p.Name + "=" + value
			separator = "&"
		} else {
			value = example(p)
		}
		a.Query = append(a.Query, field{
			Key: p.Name, Value: value, Description: p.Schema.Description, Disabled: !enabled,
		})
	}
	return a
}

// headers returns those that a request has by itself: who the user is, and a key that makes
// it safe to repeat. The others are there to be enabled.
func headers(o called) []field {
	all := []field{}
	for _, p := range o.Parameters {
		if p.In != "header" {
			continue
		}
		f := field{Key: p.Name, Value: example(p), Description: p.Schema.Description}
		switch p.Name {
		case "X-User-Id":
			f.Value = "{{userId}}"
		case "Idempotency-Key":
			f.Value = "{{$guid}}"
		case "X-Psu-Ip-Address":
		default:
			f.Disabled = true
		}
		all = append(all, f)
	}
	return all
}

// example returns a value for a parameter, or nothing if the document has none.
func example(p *huma.Param) string {
	for _, candidates := range [][]any{{p.Example}, p.Schema.Examples, {p.Schema.Default}, p.Schema.Enum} {
		if len(candidates) > 0 && candidates[0] != nil {
			return fmt.Sprint(candidates[0])
		}
	}
	return ""
}

// setBody takes the document's example and replaces what the step names.
func (s step) setBody(r *request, o called) error {
	if o.RequestBody == nil {
		return nil
	}
	for media, content := range o.RequestBody.Content {
		text, err := json.Marshal(content.Example)
		if err != nil {
			return err
		}
		members := map[string]any{}
		if err := json.Unmarshal(text, &members); err != nil {
			return fmt.Errorf("the example of %s: %w", s.operation, err)
		}
		for name, value := range s.body {
			if value == nil {
				delete(members, name)
			} else {
				members[name] = value
			}
		}
		if media != "application/json" {
			r.Body = &body{Mode: "urlencoded"}
			for _, name := range slices.Sorted(maps.Keys(members)) {
				r.Body.Form = append(r.Body.Form, field{Key: name, Value: fmt.Sprint(members[name])})
			}
			return nil
		}
		text, err = encode(members)
		if err != nil {
			return err
		}
		r.Header = append(r.Header, field{Key: "Content-Type", Value: media})
		r.Body = &body{
			Mode: "raw", Raw: strings.TrimSuffix(string(text), "\n"),
			Options: map[string]any{"raw": map[string]any{"language": "json"}},
		}
	}
	return nil
}
