package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// dialect says whose patterns are read: they share their syntax, but Lambda does
// not know all of EventBridge's operators.
type dialect int

const (
	lambdaFilter dialect = iota
	eventRule
)

// pattern is an event pattern: every member of it must be in the event, and each
// list in it must hold one alternative that the event's value meets.
type pattern struct {
	members      map[string]pattern
	alternatives []func(value any, present bool) bool
}

// parsePattern reads a pattern. What it does not know is an error, so that no
// pattern lets through silently what AWS would hold back.
func parsePattern(raw json.RawMessage, d dialect) (pattern, error) {
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return pattern{}, fmt.Errorf("event pattern %s: %w", raw, err)
	}
	p, err := buildPattern(tree, d)
	if err == nil && len(tree) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return pattern{}, fmt.Errorf("event pattern %s: %w", raw, err)
	}
	return p, nil
}

func buildPattern(tree map[string]any, d dialect) (p pattern, err error) {
	p.members = map[string]pattern{}
	for name, want := range tree {
		if strings.HasPrefix(name, "$") {
			return pattern{}, fmt.Errorf("%s is not understood by the local stack", name)
		}
		if p.members[name], err = buildMember(name, want, d); err != nil {
			return pattern{}, err
		}
	}
	return p, nil
}

func buildMember(name string, want any, d dialect) (member pattern, err error) {
	switch want := want.(type) {
	case map[string]any:
		return buildPattern(want, d)
	case []any:
		if len(want) == 0 {
			return pattern{}, fmt.Errorf("%s: the list is empty", name)
		}
		for _, alternative := range want {
			is, err := buildAlternative(alternative, d)
			if err != nil {
				return pattern{}, fmt.Errorf("%s: %w", name, err)
			}
			member.alternatives = append(member.alternatives, is)
		}
		return member, nil
	default:
		return pattern{}, fmt.Errorf("%s: want a list or an object", name)
	}
}

// matches tells whether an event, as encoding/json gives it, meets the pattern.
func (p pattern) matches(event any) bool { return p.meets(event, true) }

func (p pattern) meets(value any, present bool) bool {
	list, isList := value.([]any)
	if p.alternatives != nil {
		if !isList {
			list = []any{value}
		}
		return slices.ContainsFunc(list, func(v any) bool {
			return slices.ContainsFunc(p.alternatives, func(is func(any, bool) bool) bool { return is(v, present) })
		})
	}
	// Within a list of objects one of them must meet all of the pattern.
	if isList {
		return slices.ContainsFunc(list, func(v any) bool { return p.meets(v, true) })
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
