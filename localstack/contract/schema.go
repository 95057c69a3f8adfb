package contract

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// resource is the compiler's name for the document.
const resource = "openapi.json"

// newCompiler returns a compiler for the document's schemas. As in OpenAPI 3.1 they are
// JSON Schema 2020-12, but formats are checked, and objects and enums closed.
func newCompiler(doc map[string]any) (*jsonschema.Compiler, error) {
	closeSchemas(doc)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: utcDateTime})
	c.RegisterFormat(&jsonschema.Format{Name: "int32", Validate: int32Number})
	if err := c.AddResource(resource, doc); err != nil {
		return nil, err
	}
	return c, nil
}

// closeSchemas disallows other members in every object that lists its members, unless it
// explicitly allows them, and other values where the known ones are listed. A later version
// of the service may add both; this version must document what it sends.
func closeSchemas(node any) {
	switch n := node.(type) {
	case []any:
		for _, element := range n {
			closeSchemas(element)
		}
	case map[string]any:
		_, names := n["properties"].(map[string]any)
		if _, said := n["additionalProperties"]; names && !said && n["type"] == "object" {
			n["additionalProperties"] = false
		}
		if values, open := n["x-extensible-enum"]; open {
			n["enum"] = values
		}
		for _, key := range slices.Sorted(maps.Keys(n)) {
			if key != "example" && key != "examples" && key != "default" {
				closeSchemas(n[key])
			}
		}
	}
}

// pointer returns the URL of the part of the document at the end of steps.
func pointer(steps ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D", "$", "%24")
	var b strings.Builder
	b.WriteString(resource + "#")
	for _, s := range steps {
		b.WriteString("/" + escape.Replace(s))
	}
	return b.String()
}

var (
	errDateTime = errors.New("is not a date-time in UTC (RFC 3339, with Z)")
	errInt32    = errors.New("is not a 32-bit integer")
)

// utcDateTime is stricter than RFC 3339, because this interface uses only UTC.
func utcDateTime(value any) error {
	s, ok := value.(string)
	if !ok {
		return nil
	}
	_, err := time.Parse(time.RFC3339, s)
	if err != nil || len(s) < len("2006-01-02T15:04:05Z") || s[10] != 'T' || !strings.HasSuffix(s, "Z") {
		return errDateTime
	}
	return nil
}

func int32Number(value any) error {
	if n, ok := value.(json.Number); ok {
		if _, err := strconv.ParseInt(n.String(), 10, 32); err != nil {
			return errInt32
		}
	}
	return nil
}
