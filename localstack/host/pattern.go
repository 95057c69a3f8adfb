package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// pattern is an event pattern: the event must have each of its members, with a value from
// the member's list. Of the operators, only {"prefix": "a"} is supported, because template.yaml
// has no others, and no $or.
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
				_, isList := value.([]any)
				_, isOperator := value.(map[string]any)
				if _, isPrefix := prefixOf(value); isList || isOperator && !isPrefix {
					return fmt.Errorf("%s: the local stack does not support %v", name, value)
				}
			}
		default:
			return fmt.Errorf("%s must be a list or an object", name)
		}
	}
	return nil
}

// prefixOf returns the text of the operator {"prefix": "…"}.
func prefixOf(value any) (string, bool) {
	operator, _ := value.(map[string]any)
	text, ok := operator["prefix"].(string)
	return text, ok && len(operator) == 1
}

// allows reports whether an element of a pattern's list matches a value.
func allows(element, value any) bool {
	if prefix, ok := prefixOf(element); ok {
		text, isText := value.(string)
		return isText && strings.HasPrefix(text, prefix)
	}
	return element == value
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
		return !isObject && slices.ContainsFunc(allowed, func(element any) bool { return allows(element, value) })
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
