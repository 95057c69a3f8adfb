// Package jsonlinestest compares package jsonlines with a library for all of JSON
// Schema.
package jsonlinestest

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/jsonlines"
)

// Agree requires that the library takes a schema for one, and that it takes and
// refuses the same lines. Lines that are no JSON, or have a member twice, are left
// out: a schema does not see that.
func Agree(t *testing.T, schema []byte, formats jsonlines.Formats, lines []string) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for name, check := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
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
	ours, err := jsonlines.New(schema, formats, 1)
	require.NoError(t, err)
	compared, refused := 0, 0
	for _, line := range lines {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(line)))
		faults := ours.Check([]byte(line))
		if err != nil || beyondSchemas(faults) {
			continue
		}
		compared++
		if len(faults) > 0 {
			refused++
		}
		assert.Equal(t, library.Validate(value) == nil, len(faults) == 0, "%s: %v", line, faults)
	}
	assert.Greater(t, compared, refused)
	assert.Positive(t, refused)
}

func beyondSchemas(faults []jsonlines.Problem) bool {
	for _, p := range faults {
		switch p.Text {
		case "the member is there twice", "the line is not UTF-8", "the line is nested too deeply":
			return true
		}
	}
	return false
}
