package contract

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
	"aviso/localstack/document"
	"aviso/localstack/template"
)

const root = "../../.."

func documentText(t *testing.T) []byte {
	t.Helper()
	return docsFile(t, "openapi.yaml")
}

func internalText(t *testing.T) []byte {
	t.Helper()
	return docsFile(t, "openapi-internal.yaml")
}

func docsFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", name))
	require.NoError(t, err)
	return text
}

func TestDocumentMatchesTheCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		document *huma.OpenAPI
		text     []byte
	}{{document.Share(document.Partners()), documentText(t)}, {document.Internal(), internalText(t)}} {
		want, err := c.document.YAML()
		require.NoError(t, err)
		head, rest, _ := strings.Cut(string(c.text), "\n")
		assert.Equal(t, "# Generated from the code by `make openapi`; do not edit.", head)
		if string(want) != rest { // not assert.Equal: it would print both documents
			t.Errorf("the file of %q is not what the code says: run `make openapi`", c.document.Info.Title)
		}
	}
}

// Partners generate code from their document, so it has nothing that is not for them.
func TestDocumentsAreForOneReader(t *testing.T) {
	t.Parallel()
	for path := range document.Partners().Paths {
		assert.NotRegexp(t, "^/(carriers|connect|[a-z]+/v1/export$)", path)
	}
	for path := range document.Internal().Paths {
		assert.Regexp(t, "^/(carriers|connect|[a-z]+/v1/export$)", path)
	}
}

func TestEveryEventIsInTheDocument(t *testing.T) {
	t.Parallel()
	c, err := Default()
	require.NoError(t, err)
	var want []string
	for _, e := range notification.EventTypes() {
		want = append(want, e.Type)
	}
	assert.ElementsMatch(t, want, slices.Collect(maps.Keys(c.callbacks)))
	schemas := document.Partners().Components.Schemas.Map()
	for _, name := range []string{"ConnectionRefreshedEvent", "ConnectionSyncFailedEvent", "CancellationSentEvent"} {
		assert.Contains(t, schemas, name)
	}
}

func TestExamplesMatchTheirSchemas(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, text := range [][]byte{documentText(t), internalText(t)} {
		doc, err := tree(text)
		require.NoError(t, err)
		compiler, err := newCompiler(doc)
		require.NoError(t, err)
		walkExamples(&source{root: doc}, nil, doc, func(steps []string, value any) {
			checked++
			schema, err := compiler.Compile(pointer(steps...))
			require.NoError(t, err)
			assert.NoError(t, schema.Validate(value), "the example at %v does not match", steps)
		})
	}
	assert.Greater(t, checked, 100, "examples found")
}

// walkExamples finds every example and its schema: next to a schema (`example`, or
// `examples` by name) or inside one (`examples` as a list, and `default`).
func walkExamples(doc *source, at []string, node any, see func(schema []string, value any)) {
	below := func(step string) []string { return append(slices.Clip(at), step) }
	switch n := node.(type) {
	case []any:
		for i, element := range n {
			walkExamples(doc, below(strconv.Itoa(i)), element, see)
		}
	case map[string]any:
		_, beside := n["schema"]
		if example, ok := n["example"]; ok && beside {
			see(below("schema"), example)
		}
		if beside {
			for _, example := range (part{source: doc, object: n}).parts("examples") {
				see(below("schema"), example.object["value"])
			}
		}
		if list, ok := n["examples"].([]any); ok {
			for _, example := range list {
				see(at, example)
			}
		}
		if value, ok := n["default"]; ok && n["type"] != nil {
			see(at, value)
		}
		for key, child := range n {
			if key != "example" && key != "examples" {
				walkExamples(doc, below(key), child, see)
			}
		}
	}
}

// TestEverythingIsDescribed fails for a schema of a name, a member or a parameter without
// a description.
func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	doc, err := tree(documentText(t))
	require.NoError(t, err)
	walkNamed(nil, doc, func(steps []string, named map[string]any) {
		assert.NotEmpty(t, named["description"], "%v has no description", steps)
	})
}

// walkNamed finds what partners meet by its name: schemas, their members, and parameters.
func walkNamed(at []string, node any, see func(steps []string, named map[string]any)) {
	var parent string
	if len(at) > 0 {
		parent = at[len(at)-1]
	}
	switch n := node.(type) {
	case []any:
		for i, element := range n {
			if named, ok := element.(map[string]any); ok && parent == "parameters" && named["$ref"] == nil {
				see(append(slices.Clip(at), fmt.Sprint(named["name"])), named)
			}
			walkNamed(append(slices.Clip(at), strconv.Itoa(i)), element, see)
		}
	case map[string]any:
		for key, child := range n {
			below := append(slices.Clip(at), key)
			if named, ok := child.(map[string]any); ok && (parent == "properties" || parent == "schemas") {
				see(below, named)
			}
			if key != "example" && key != "examples" {
				walkNamed(below, child, see)
			}
		}
	}
}

// TestRoutesAndOperationsAgree fails if the template has no route for an operation, or a
// route that no operation needs.
func TestRoutesAndOperationsAgree(t *testing.T) {
	t.Parallel()
	tpl, err := template.Load(filepath.Join(root, "template.yaml"), func(name string) (string, bool) {
		return "local", name == "Environment"
	})
	require.NoError(t, err)

	// Routes without operations: the sandbox, its pages for newcomers, the console, and 404
	// for everything else.
	const rest = "$default"
	needed := map[string]bool{
		sandbox + "{proxy+}": true, "/": true, "/sandbox": true, "/favicon.ico": true, rest: true,
		"/console": true, "/console/{proxy+}": true,
	}
	for _, text := range [][]byte{documentText(t), internalText(t)} {
		doc, err := tree(text)
		require.NoError(t, err)
		for path, item := range (part{source: &source{root: doc}, object: doc}).parts("paths") {
			for method := range item.object {
				route := routeOf(tpl.Routes, strings.ToUpper(method), path)
				assert.NotEqual(t, rest, route, "template.yaml has no route for %s %s", method, path)
				needed[route] = true
			}
		}
	}
	for _, route := range tpl.Routes {
		assert.True(t, needed[route.Path], "no operation of the documents is served by the route %s", route.Path)
	}
}

// routeOf returns the path of the most specific route for an operation.
func routeOf(routes []template.Route, method, path string) string {
	best := "$default"
	for _, r := range routes {
		if r.Method != "ANY" && r.Method != method {
			continue
		}
		if r.Path == path {
			return path
		}
		prefix, greedy := strings.CutSuffix(r.Path, "{proxy+}")
		if (greedy && strings.HasPrefix(path, prefix) || path == r.Path) && (best == "$default" || len(r.Path) > len(best)) {
			best = r.Path
		}
	}
	return best
}
