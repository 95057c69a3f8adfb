package jsonschema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/jsonschema"
	"aviso/localstack/tests/jsonschematest"
)

// This schema uses the keywords that only one of the two files' schemas uses.
const schema = `{"type":"object","additionalProperties":false,
	"$defs":{"word":{"type":"string","minLength":2,"pattern":"^[a-z]+$"}},
	"properties":{
		"word":{"$ref":"#/$defs/word","maxLength":3,"not":{"enum":["ab"]},"errorMessage":"must not be ab"},
		"number":{"type":"integer","minimum":2},
		"count":{"type":"integer"},
		"list":{"type":"array","minItems":1,"uniqueItems":true},
		"texts":{"type":"object","maxProperties":1},
		"either":{"oneOf":[{"minLength":2},{"enum":["a","ab"]}],"errorMessage":"one, not both"},
		"longer":{"if":{"pattern":"^a"},"then":{"minLength":3}}}}`

func TestProblemsSayWhatIsExpected(t *testing.T) {
	var lines []string
	for line, want := range map[string]string{
		`{}`: "", `{"word":"abc","number":2,"list":["a","b"],"texts":{"a":1},"either":"xyz","longer":"b"}`: "",
		`{"word":"x"}`: "/word must have at least 2 characters", `{"word":"ABC"}`: "/word must match ^[a-z]+$",
		`{"word":"ab"}`: "/word must not be ab", `{"word":null}`: "/word must be a string", `{"number":1}`: "/number must be a whole number, at least 2",
		`{"number":2.5}`: "/number must be a whole number, at least 2", `{"list":{}}`: "/list must be an array",
		`{"list":[]}`: "/list must have at least 1 elements", `{"list":["a","a"]}`: "/list/1 is a duplicate",
		`{"texts":{"a":1,"b":2}}`: "/texts must have at most 1 members", `{"either":"ab"}`: "/either one, not both",
		`{"longer":"ab"}`: "/longer must have at least 3 characters", `{"more":1}`: "/more unknown member",
		`{"more":1.5}`: "/more unknown member", `{"more":[2.5]}`: "/more unknown member", `{"count":7.5}`: "/count must be a whole number",
	} {
		lines = append(lines, line)
		f, err := jsonschema.NewFile([]byte(schema), nil, 1)
		require.NoError(t, err)
		got := ""
		for _, p := range f.Check([]byte(line)) {
			got += p.Path + " " + p.Text
		}
		assert.Equal(t, want, got, line)
	}
	lines = append(lines, strings.Split(strings.Repeat("{}\n", 20)+"{}", "\n")...)
	jsonschematest.Agree(t, []byte(schema), nil, lines)
}

// A line of 256 KB could have more problems than anybody reads, and comparing each with all others takes long.
func TestChecksStopAtManyFaults(t *testing.T) {
	f, err := jsonschema.NewFile([]byte(schema), nil, 1)
	require.NoError(t, err)
	var members strings.Builder
	for n := range 20_000 {
		fmt.Fprintf(&members, `"%d":1,`, n)
	}
	assert.Len(t, f.Check([]byte("{"+members.String()+`"list":[]}`)), jsonschema.MaxFaults)
	assert.Len(t, f.Check([]byte(`{"list":[`+strings.Repeat(`"a",`, 50_000)+`"a"]}`)), jsonschema.MaxFaults)
	assert.Equal(t, []jsonschema.Problem{{Path: "/texts", Text: "must have at most 1 members"}},
		f.Check([]byte(`{"texts":{`+strings.TrimSuffix(members.String(), ",")+`}}`)))
}

// An unknown keyword must not be ignored: values that it forbids would be accepted.
func TestSchemasWithUnknownKeywordsAreRejected(t *testing.T) {
	for _, schema := range []string{`{"dependentRequired":{}}`, `{"properties":{"a":{"contains":{}}}}`, `{"pattern":"("}`, `[]`} {
		_, err := jsonschema.NewFile([]byte(schema), nil, 1)
		assert.Error(t, err, schema)
	}
}

// JSON Schema counts 2e0 as an integer, but encoding/json does not decode it into an int.
func TestIntegersMustBePlain(t *testing.T) {
	f, err := jsonschema.NewFile([]byte(schema), nil, 1)
	require.NoError(t, err)
	want := []jsonschema.Problem{{Path: "/number", Text: "must be a whole number, at least 2"}}
	assert.Equal(t, want, f.Check([]byte(`{"number":2e0}`)))
	assert.Equal(t, want, f.Check([]byte(`{"number":2.0}`)))
}
