package host

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// buildAlternative reads one element of a pattern's list: a value that must be
// equal, or an operator.
func buildAlternative(want any, d dialect) (func(value any, present bool) bool, error) {
	switch want := want.(type) {
	case []any:
		return nil, errors.New("a list within a list means nothing")
	case map[string]any:
		name, operand, err := onlyMember(want)
		if err != nil {
			return nil, err
		}
		if exists, ok := operand.(bool); ok && name == "exists" {
			return func(_ any, present bool) bool { return present == exists }, nil
		}
		is, err := buildOperator(name, operand, d)
		if err != nil {
			return nil, err
		}
		return func(value any, present bool) bool { return present && is(value) }, nil
	default:
		return func(value any, present bool) bool { return present && value == want }, nil
	}
}

func buildOperator(name string, operand any, d dialect) (func(value any) bool, error) {
	switch name {
	case "anything-but":
		return buildAnythingBut(operand, d)
	case "numeric":
		return buildNumeric(operand)
	}
	is, err := buildText(name, operand, d)
	if err != nil {
		return nil, err
	}
	return func(value any) bool {
		text, ok := value.(string)
		return ok && is(text)
	}, nil
}

// buildText reads the operators that look at texts only.
func buildText(name string, operand any, d dialect) (func(text string) bool, error) {
	if inner, ok := operand.(map[string]any); ok && (name == "prefix" || name == "suffix") {
		option, affix, err := onlyMember(inner)
		if text, ok := affix.(string); err == nil && ok && option == "equals-ignore-case" {
			return affixIgnoringCase(name, text), nil
		}
	}
	text, ok := operand.(string)
	if !ok {
		return nil, notUnderstood(name, operand)
	}
	switch {
	case name == "prefix":
		return func(value string) bool { return strings.HasPrefix(value, text) }, nil
	case name == "suffix":
		return func(value string) bool { return strings.HasSuffix(value, text) }, nil
	case name == "equals-ignore-case":
		return func(value string) bool { return strings.EqualFold(value, text) }, nil
	case name == "wildcard" && d == eventRule:
		return wildcard(text)
	default:
		return nil, notUnderstood(name, operand)
	}
}

func affixIgnoringCase(name, affix string) func(string) bool {
	expression := "(?is)^" + regexp.QuoteMeta(affix)
	if name == "suffix" {
		expression = "(?is)" + regexp.QuoteMeta(affix) + "$"
	}
	return regexp.MustCompile(expression).MatchString
}

// wildcard matches * with any characters; \* and \\ stand for themselves.
func wildcard(text string) (func(string) bool, error) {
	var expression strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == '*' || text[i+1] == '\\'):
			i++
			expression.WriteString(regexp.QuoteMeta(text[i : i+1]))
		case text[i] == '\\':
			return nil, errors.New(`wildcard: a backslash stands before * or \ only`)
		case text[i] == '*' && strings.HasPrefix(text[i+1:], "*"):
			return nil, errors.New("wildcard: two * in a row")
		case text[i] == '*':
			expression.WriteString(".*")
		default:
			expression.WriteString(regexp.QuoteMeta(text[i : i+1]))
		}
	}
	compiled, err := regexp.Compile("(?s)^" + expression.String() + "$")
	if err != nil {
		return nil, fmt.Errorf("wildcard: %w", err)
	}
	return compiled.MatchString, nil
}

// buildAnythingBut reads what must not be: a value, one of a list of values, or,
// in EventBridge alone, what an operator on texts finds.
func buildAnythingBut(operand any, d dialect) (func(any) bool, error) {
	if inner, ok := operand.(map[string]any); ok && d == eventRule {
		name, operand, err := onlyMember(inner)
		if err != nil {
			return nil, err
		}
		var tests []func(string) bool
		for _, element := range listed(operand) {
			is, err := buildText(name, element, d)
			if err != nil {
				return nil, err
			}
			tests = append(tests, is)
		}
		return func(value any) bool {
			text, ok := value.(string)
			return !ok || !slices.ContainsFunc(tests, func(is func(string) bool) bool { return is(text) })
		}, nil
	}
	unwanted := listed(operand)
	for _, element := range unwanted {
		switch element.(type) {
		case string, float64:
		default:
			return nil, notUnderstood("anything-but", operand)
		}
	}
	return func(value any) bool { return !slices.Contains(unwanted, value) }, nil
}

// buildNumeric reads one or two comparisons: [">", 0, "<=", 5].
func buildNumeric(operand any) (func(any) bool, error) {
	list, _ := operand.([]any)
	if len(list) != 2 && len(list) != 4 {
		return nil, notUnderstood("numeric", operand)
	}
	var tests []func(float64) bool
	for pair := range slices.Chunk(list, 2) {
		bound, ok := pair[1].(float64)
		if !ok {
			return nil, notUnderstood("numeric", operand)
		}
		switch pair[0] {
		case "=":
			tests = append(tests, func(n float64) bool { return n == bound })
		case "<":
			tests = append(tests, func(n float64) bool { return n < bound })
		case "<=":
			tests = append(tests, func(n float64) bool { return n <= bound })
		case ">":
			tests = append(tests, func(n float64) bool { return n > bound })
		case ">=":
			tests = append(tests, func(n float64) bool { return n >= bound })
		default:
			return nil, notUnderstood("numeric", operand)
		}
	}
	return func(value any) bool {
		n, ok := value.(float64)
		return ok && !slices.ContainsFunc(tests, func(is func(float64) bool) bool { return !is(n) })
	}, nil
}

// onlyMember is the one member that an operator has.
func onlyMember(operator map[string]any) (name string, operand any, err error) {
	if len(operator) != 1 {
		return "", nil, fmt.Errorf("%v: want one operator", operator)
	}
	for name, operand = range operator {
	}
	return name, operand, nil
}

func listed(operand any) []any {
	if list, ok := operand.([]any); ok && len(list) > 0 {
		return list
	}
	return []any{operand}
}

func notUnderstood(name string, operand any) error {
	return fmt.Errorf("%s %v is not understood by the local stack", name, operand)
}
