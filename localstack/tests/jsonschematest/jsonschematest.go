// Package jsonschematest compares package jsonschema with a full JSON Schema library.
package jsonschematest

import (
	"bytes"
	"testing"

	full "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/jsonschema"
)

// Agree checks that the library can compile the schema, and that it accepts and rejects
// the same lines as package jsonschema. It skips lines that are not JSON or have
// duplicate members, because no schema can detect those.
func Agree(t *testing.T, schema []byte, formats jsonschema.Formats, lines []string) {
	t.Helper()
	document, err := full.UnmarshalJSON(bytes.NewReader(schema))
	require.NoError(t, err)
	c := full.NewCompiler()
	c.AssertFormat()
	for name, check := range formats {
		c.RegisterFormat(&full.Format{Name: name, Validate: func(v any) error {
			if text, ok := v.(string); ok && check(text) != "" {
				return assert.AnError
			}
			return nil
		}})
	}
	const id = "https://aviso.example/schema.json"
	require.NoError(t, c.AddResource(id, document))
	library, err := c.Compile(id)
	require.NoError(t, err)
	ours, err := jsonschema.NewFile(schema, formats, 1)
	require.NoError(t, err)
	compared, rejected := 0, 0
	for _, line := range lines {
		value, err := full.UnmarshalJSON(bytes.NewReader([]byte(line)))
		problems := ours.Check([]byte(line))
		if err != nil || beyondSchemas(problems) {
			continue
		}
		compared++
		if len(problems) > 0 {
			rejected++
		}
		assert.Equal(t, library.Validate(value) == nil, len(problems) == 0, "%s: %v", line, problems)
	}
	assert.Greater(t, compared, rejected)
	assert.Positive(t, rejected)
}

// beyondSchemas reports whether one of the problems is something no schema can detect.
func beyondSchemas(problems []jsonschema.Problem) bool {
	for _, p := range problems {
		switch p.Text {
		case "duplicate member", "the line is not valid UTF-8":
			return true
		}
	}
	return false
}
