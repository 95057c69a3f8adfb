package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// pattern is an event pattern: every member of it must be in the event, and each
// list in it must hold the event's value. Operators ({"prefix": "a"}) and $or are
// not understood, since template.yaml has none.
type pattern map[string]any

// parsePattern reads a pattern. What it does not know is an error, so that no
// pattern lets through silently what AWS would hold back.
func parsePattern(raw json.RawMessage) (pattern, error) {
	var p pattern
	err := json.Unmarshal(raw, &p)
	if err == nil && len(p) == 0 {
		err = errors.New("it is empty")
	}
	if err == nil {
		err = checkPattern(p)
	}
	if err != nil {
		return nil, fmt.Errorf("event pattern %s: %w", raw, err)
	}
	return p, nil
}

func checkPattern(p map[string]any) error {
	for name, want := range p {
		switch want := want.(type) {
		case map[string]any:
			if err := checkPattern(want); err != nil {
				return err
			}
		case []any:
			if len(want) == 0 {
				return fmt.Errorf("%s: the list is empty", name)
			}
			for _, value := range want {
				switch value.(type) {
				case map[string]any, []any:
					return fmt.Errorf("%s: %v is not understood by the local stack", name, value)
				}
			}
		default:
			return fmt.Errorf("%s: want a list or an object", name)
		}
	}
	return nil
}

// matches tells whether an event, as encoding/json gives it, meets the pattern.
func (p pattern) matches(event any) bool { return meets(event, map[string]any(p)) }

func meets(value, want any) bool {
	// Of a list in the event one element must do, and meet all of an object.
	if list, ok := value.([]any); ok {
		return slices.ContainsFunc(list, func(v any) bool { return meets(v, want) })
	}
	if allowed, ok := want.([]any); ok {
		_, isObject := value.(map[string]any)
		return !isObject && slices.Contains(allowed, value)
	}
	object, _ := value.(map[string]any)
	members, _ := want.(map[string]any)
	for name, want := range members {
		inner, present := object[name]
		if !present || !meets(inner, want) {
			return false
		}
	}
	return true
}
