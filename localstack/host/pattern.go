package host

import (
	"encoding/json"
	"fmt"
	"strings"
)

// pattern is an event pattern of Lambda: every member of it must be in the event,
// and each list in it must hold one alternative that the event's value meets.
type pattern struct {
	members      map[string]pattern
	alternatives []func(value any, present bool) bool
}

// parsePattern reads a pattern. What it does not know is an error, so that no
// filter lets through silently what AWS would hold back.
func parsePattern(raw json.RawMessage) (pattern, error) {
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return pattern{}, fmt.Errorf("event pattern %s: %w", raw, err)
	}
	p, err := buildPattern(tree)
	if err != nil {
		return pattern{}, fmt.Errorf("event pattern %s: %w", raw, err)
	}
	return p, nil
}

func buildPattern(tree map[string]any) (pattern, error) {
	p := pattern{members: map[string]pattern{}}
	for name, want := range tree {
		if strings.HasPrefix(name, "$") {
			return pattern{}, fmt.Errorf("%s is not understood by the local stack", name)
		}
		var member pattern
		var err error
		switch want := want.(type) {
		case map[string]any:
			member, err = buildPattern(want)
		case []any:
			if len(want) == 0 {
				err = fmt.Errorf("%s: the list is empty", name)
			}
			for _, alternative := range want {
				var is func(any, bool) bool
				if is, err = buildAlternative(alternative); err != nil {
					break
				}
				member.alternatives = append(member.alternatives, is)
			}
		default:
			err = fmt.Errorf("%s: want a list or an object", name)
		}
		if err != nil {
			return pattern{}, err
		}
		p.members[name] = member
	}
	return p, nil
}

func buildAlternative(want any) (func(value any, present bool) bool, error) {
	operator, ok := want.(map[string]any)
	if !ok {
		if _, list := want.([]any); list {
			return nil, fmt.Errorf("a list within a list means nothing")
		}
		return func(value any, present bool) bool { return present && value == want }, nil
	}
	if len(operator) == 1 {
		for name, operand := range operator {
			switch operand := operand.(type) {
			case bool:
				if name == "exists" {
					return func(_ any, present bool) bool { return present == operand }, nil
				}
			case string:
				switch name {
				case "prefix":
					return func(value any, _ bool) bool {
						text, ok := value.(string)
						return ok && strings.HasPrefix(text, operand)
					}, nil
				case "anything-but":
					return func(value any, present bool) bool { return present && value != operand }, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("%v is not understood by the local stack", operator)
}

// matches tells whether an event, as encoding/json gives it, meets the pattern.
func (p pattern) matches(event any) bool { return p.meets(event, true) }

func (p pattern) meets(value any, present bool) bool {
	if p.alternatives != nil {
		values, list := value.([]any)
		if !list {
			values = []any{value}
		}
		for _, v := range values {
			for _, is := range p.alternatives {
				if is(v, present) {
					return true
				}
			}
		}
		return false
	}
	object, _ := value.(map[string]any)
	for name, member := range p.members {
		inner, present := object[name]
		if !member.meets(inner, present) {
			return false
		}
	}
	return true
}
