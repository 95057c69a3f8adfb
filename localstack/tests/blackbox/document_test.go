package blackbox_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// operation is what the document says of one operation, as far as these tests
// build requests from it.
type operation struct {
	method, path string
	OperationID  string                `yaml:"operationId"`
	Security     []map[string][]string `yaml:"security"`
	Parameters   []struct {
		Name, In string
		Required bool
		Example  any
		Schema   struct{ Examples []any }
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Example map[string]any }
	} `yaml:"requestBody"`
	Responses map[string]any
}

// scope is what the operation's token needs, or empty where it needs none.
func (o operation) scope() string {
	for _, s := range o.Security {
		for name, scopes := range s {
			if name == "oauth2" && len(scopes) > 0 {
				return scopes[0]
			}
		}
	}
	return ""
}

func (o operation) has(in, name string) bool {
	for _, p := range o.Parameters {
		if p.In == in && p.Name == name {
			return true
		}
	}
	return false
}

// jsonBody is the example of the body, or nil where the operation takes none.
func (o operation) jsonBody() map[string]any {
	if o.RequestBody == nil {
		return nil
	}
	return o.RequestBody.Content["application/json"].Example
}

var pathParameter = regexp.MustCompile(`\{([^}]+)\}`)

// address is the path with its parameters filled in by fill.
func (o operation) address(fill func(name string) string) string {
	path := pathParameter.ReplaceAllStringFunc(o.path, func(m string) string { return fill(strings.Trim(m, "{}")) })
	var query []string
	for _, p := range o.Parameters {
		if p.In == "query" && p.Required {
			query = append(query, p.Name+"=x")
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	return path
}

// list is the address of a list, with more in its query.
func (o operation) list(query string) string {
	address := o.address(some)
	if strings.Contains(address, "?") {
		return address + "&" + query
	}
	return address + "?" + query
}

// some is a path parameter's value that is well-formed but unknown.
func some(string) string { return "00000000-0000-4000-8000-00000000dead" }

// operations are all of the documents', by path and method.
func operations(t *testing.T) []operation {
	t.Helper()
	var all []operation
	for _, name := range []string{"openapi.yaml", "openapi-internal.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", name))
		require.NoError(t, err)
		var doc struct {
			Paths map[string]map[string]operation
		}
		require.NoError(t, yaml.Unmarshal(text, &doc))
		for path, methods := range doc.Paths {
			for method, o := range methods {
				o.method, o.path = strings.ToUpper(method), path
				all = append(all, o)
			}
		}
	}
	require.NotEmpty(t, all)
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return all
}
