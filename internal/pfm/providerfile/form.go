package providerfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// formFault is what the schema says of one place in a line.
type formFault struct{ path, text string }

// faults are those that the library has found. Its messages repeat values of the
// file, so that ours stand in their place.
func faults(err error) []formFault {
	var found *jsonschema.ValidationError
	if !errors.As(err, &found) {
		return []formFault{{text: "the line cannot be checked"}}
	}
	if len(found.Causes) > 0 {
		var list []formFault
		for _, cause := range found.Causes {
			list = append(list, faults(cause)...)
		}
		return list
	}
	var list []formFault
	add := func(text string, names ...string) {
		list = append(list, formFault{path: pointer(found.InstanceLocation, names...), text: text})
	}
	switch k := found.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			add("the member is required", name)
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			if fitToShow(name) {
				add("unknown member", name)
			} else {
				add("unknown member")
			}
		}
	case *kind.Type:
		add("must be of the type " + strings.Join(k.Want, " or "))
	case *kind.Enum:
		values, _ := json.Marshal(k.Want) // they are the schema's
		add("must be one of " + string(values))
	case *kind.MinLength:
		add(fmt.Sprintf("must have at least %d characters", k.Want))
	case *kind.MaxLength:
		add(fmt.Sprintf("must have at most %d characters", k.Want))
	case *kind.Pattern:
		add("must match " + k.Want)
	case *kind.Minimum:
		add("must be at least " + k.Want.RatString())
	case *kind.Maximum:
		add("must be at most " + k.Want.RatString())
	case *kind.MinItems:
		add(fmt.Sprintf("must have at least %d elements", k.Want))
	case *kind.UniqueItems:
		add("must not have the same element twice")
	case *kind.MaxProperties:
		add(fmt.Sprintf("must have at most %d members", k.Want))
	default:
		add("is not what schema.json wants there")
	}
	return list
}

// maxShownName is the longest unknown name that a path shows.
const maxShownName = 40

// fitToShow tells whether a name that nobody knows may go into a path.
func fitToShow(name string) bool {
	return len(name) <= maxShownName && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' })
}

// pointer is an RFC 6901 pointer.
func pointer(location []string, more ...string) string {
	var b strings.Builder
	for _, names := range [][]string{location, more} {
		for _, name := range names {
			b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
		}
	}
	return b.String()
}
