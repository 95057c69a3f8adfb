package contract

import (
	"slices"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/document"
)

// docs/clients.md tells generators to map every number to an exact type, which is right
// only if every number is an amount.
func TestEveryNumberIsAnAmount(t *testing.T) {
	t.Parallel()
	doc, err := tree(documentText(t))
	require.NoError(t, err)
	found := 0
	walkTyped("number", nil, doc, func(at []string, schema map[string]any) {
		found++
		assert.Equal(t, "json.Number", schema["x-go-type"], "%v", at)
		assert.Equal(t, "number", schema["type"], "%v may be null, which a generated Go client cannot map", at)
		assert.NotContains(t, schema, "format", "%v: with a format, generators take a binary fraction", at)
	})
	assert.Positive(t, found)
}

// openapi-generator's C# has a struct for a UUID. If the document limits the text's length,
// it asks for that of the struct, and does not compile.
func TestUUIDsHaveNoLength(t *testing.T) {
	t.Parallel()
	for _, text := range [][]byte{documentText(t), internalText(t)} {
		doc, err := tree(text)
		require.NoError(t, err)
		walkTyped("string", nil, doc, func(at []string, schema map[string]any) {
			if schema["format"] == "uuid" {
				assert.NotContains(t, schema, "minLength", "%v", at)
				assert.NotContains(t, schema, "maxLength", "%v", at)
			}
		})
	}
}

// walkTyped finds every schema of a type, or of that and null.
func walkTyped(name string, at []string, node any, see func(at []string, schema map[string]any)) {
	switch n := node.(type) {
	case []any:
		for _, element := range n {
			walkTyped(name, at, element, see)
		}
	case map[string]any:
		types, _ := n["type"].([]any)
		if n["type"] == name || slices.Contains(types, any(name)) {
			see(at, n)
		}
		for key, child := range n {
			if key != "example" && key != "examples" {
				walkTyped(name, append(slices.Clip(at), key), child, see)
			}
		}
	}
}

// openapi-python-client makes an object of a header with a format, and fails when it sends it.
func TestHeadersHaveNoFormat(t *testing.T) {
	t.Parallel()
	for path, item := range document.Partners().Paths {
		for _, o := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if o == nil {
				continue
			}
			for _, p := range o.Parameters {
				if p.In == "header" {
					assert.Empty(t, p.Schema.Format, "%s of %s", p.Name, path)
				}
			}
		}
	}
}
