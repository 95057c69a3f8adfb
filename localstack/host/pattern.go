package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// pattern is an event pattern: the event must have each of its members, with a value from
// the member's list. Operators ({"prefix": "a"}) and $or are not supported, because
// template.yaml has none.
type pattern map[string]any

// parsePattern parses a pattern. Anything unsupported is an error, so that a pattern never
// silently matches events that AWS would filter out.
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
				return fmt.Errorf("%s: empty list", name)
			}
			for _, value := range want {
				switch value.(type) {
				case map[string]any, []any:
					return fmt.Errorf("%s: the local stack does not support %v", name, value)
				}
			}
		default:
			return fmt.Errorf("%s must be a list or an object", name)
		}
	}
	return nil
}

// matches reports whether an event, as decoded by encoding/json, matches the pattern.
func (p pattern) matches(event any) bool { return matchesValue(event, map[string]any(p)) }

func matchesValue(value, want any) bool {
	// If the event has a list, one element has to match, including all members of an object.
	if list, ok := value.([]any); ok {
		return slices.ContainsFunc(list, func(v any) bool { return matchesValue(v, want) })
	}
	if allowed, ok := want.([]any); ok {
		_, isObject := value.(map[string]any)
		return !isObject && slices.Contains(allowed, value)
	}
	object, _ := value.(map[string]any)
	members, _ := want.(map[string]any)
	for name, want := range members {
		inner, present := object[name]
		if !present || !matchesValue(inner, want) {
			return false
		}
	}
	return true
}
