package blackbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// laterID matches the path of what gets its ID at run time, so no example can name it.
var laterID = regexp.MustCompile(`\{(connection|transaction|cancellation|subscription|erasure|export)Id\}`)

// TestExamplesCanBeCalled sends the document's examples as they are, with the credentials
// of the local stack: what partners copy works. Operations that change something are left
// out if they need an ID of that kind, or would send callbacks to the example's URL.
func TestExamplesCanBeCalled(t *testing.T) {
	p := partner{token: token(t, "sandbox", "")}
	creating := []string{
		"createUser", "updateUser", "acceptTerms", "createOpenBankingClient", "createConnection", "createCancellation",
	}
	for _, o := range operations(t) {
		if o.scope() == "" || o.method != http.MethodGet && !slices.Contains(creating, o.OperationID) {
			continue
		}
		t.Run(o.OperationID, func(t *testing.T) {
			query := url.Values{}
			path := pathParameter.ReplaceAllStringFunc(o.path, func(m string) string {
				return o.example("path", m[1:len(m)-1])
			})
			for _, param := range o.Parameters {
				if value := o.example(param.In, param.Name); value != "" && param.In == "query" {
					query.Set(param.Name, value)
				}
			}
			user := o.example("header", "X-User-Id")
			a := p.send(t, o.method, path+"?"+query.Encode(), o.body(), "X-User-Id", user)
			if laterID.MatchString(o.path) {
				assert.Equal(t, http.StatusNotFound, a.status, string(a.body))
				return
			}
			assert.Less(t, a.status, http.StatusMultipleChoices, string(a.body))
		})
	}
}

// example is the example of a parameter; empty if it has none.
func (o operation) example(in, name string) string {
	for _, p := range o.Parameters {
		switch {
		case p.In != in || p.Name != name:
		case p.Example != nil:
			return fmt.Sprint(p.Example)
		case len(p.Schema.Examples) > 0:
			return fmt.Sprint(p.Schema.Examples[0])
		}
	}
	return ""
}

// body is the example of the body as send takes it: nil for none.
func (o operation) body() any {
	if body := o.jsonBody(); body != nil {
		return body
	}
	return nil
}
