package memdb

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// scope is what an expression is about: a row, and the request's placeholders.
type scope struct {
	item   Item
	names  map[string]string
	values Item
}

// condition reports whether the row of a scope meets it.
type condition func(*scope) (bool, error)

// operand returns a value, or nil if the row does not have it.
type operand func(*scope) (types.AttributeValue, error)

// path leads to an attribute: names of nested maps.
type path []name

// name is the name of an attribute or its placeholder.
type name string

func (n name) resolve(names map[string]string) (string, error) {
	if n[0] != '#' {
		return string(n), nil
	}
	if resolved, ok := names[string(n)]; ok {
		return resolved, nil
	}
	return "", invalid("no name for %s", string(n))
}

// expressions are the parsed expressions, by text and kind.
var expressions sync.Map //nolint:gochecknoglobals // a cache

type expression[T any] struct {
	parsed T
	err    error
}

// parsed parses an expression, or returns it as it was parsed before. Texts have
// placeholders, so there are few.
func parsed[T any](text string, parse func(*parser) (T, error)) (T, error) {
	type cacheKey[K any] struct{ text string }
	if known, ok := expressions.Load(cacheKey[T]{text}); ok {
		e, _ := known.(expression[T])
		return e.parsed, e.err
	}
	var e expression[T]
	p := &parser{tokens: tokens(text)}
	e.parsed, e.err = parse(p)
	if e.err == nil && len(p.tokens) > 0 {
		e.err = fmt.Errorf("unexpected %q", p.tokens[0])
	}
	if e.err != nil {
		e.err = invalid("expression %q: %v", text, e.err)
	}
	expressions.Store(cacheKey[T]{text}, e)
	return e.parsed, e.err
}

// tokens splits an expression into words, placeholders and operators.
func tokens(text string) []string {
	var all []string
	for i := 0; i < len(text); {
		start := i
		switch c := text[i]; {
		case c == ' ' || c == '\n' || c == '\t':
			i++
			continue
		case isWord(c):
			for i < len(text) && isWord(text[i]) {
				i++
			}
		case strings.HasPrefix(text[i:], "<>"), strings.HasPrefix(text[i:], "<="), strings.HasPrefix(text[i:], ">="):
			i += 2
		default:
			i++
		}
		all = append(all, text[start:i])
	}
	return all
}

func isWord(c byte) bool {
	return c == '_' || c == '#' || c == ':' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// parser parses the tokens from left to right.
type parser struct{ tokens []string }

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) next() string {
	t := p.peek()
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

// accept consumes the next token if it is one of these keywords or operators.
func (p *parser) accept(tokens ...string) bool {
	if !slices.ContainsFunc(tokens, func(t string) bool { return strings.EqualFold(t, p.peek()) }) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(token string) error {
	if !p.accept(token) {
		return fmt.Errorf("%q instead of %q", p.peek(), token)
	}
	return nil
}

// condition parses a condition: terms joined by OR.
func (p *parser) condition() (condition, error) {
	return p.joined(p.conjunction, "OR", true)
}

func (p *parser) conjunction() (condition, error) {
	return p.joined(p.negation, "AND", false)
}

// joined parses terms joined by an operator. The first term that is decisive ends the
// evaluation.
func (p *parser) joined(term func() (condition, error), operator string, decisive bool) (condition, error) {
	first, err := term()
	all := []condition{first}
	for err == nil && p.accept(operator) {
		var another condition
		another, err = term()
		all = append(all, another)
	}
	if err != nil || len(all) == 1 {
		return first, err
	}
	return func(s *scope) (bool, error) {
		for _, c := range all {
			if met, err := c(s); err != nil || met == decisive {
				return met, err
			}
		}
		return !decisive, nil
	}, nil
}

func (p *parser) negation() (condition, error) {
	if p.accept("NOT") {
		c, err := p.negation()
		return func(s *scope) (bool, error) { met, err := c(s); return !met, err }, err
	}
	if p.accept("(") {
		c, err := p.condition()
		if err == nil {
			err = p.expect(")")
		}
		return c, err
	}
	return p.predicate()
}

// predicate parses a function or a comparison.
func (p *parser) predicate() (condition, error) {
	switch function := strings.ToLower(p.peek()); function {
	case "attribute_exists", "attribute_not_exists":
		args, err := p.call(1)
		if err != nil {
			return nil, err
		}
		return func(s *scope) (bool, error) {
			v, err := args[0](s)
			return (v != nil) == (function == "attribute_exists"), err
		}, nil
	case "begins_with", "contains":
		args, err := p.call(2)
		if err != nil {
			return nil, err
		}
		test := strings.HasPrefix
		if function == "contains" {
			test = strings.Contains
		}
		return compare(args, func(a, b types.AttributeValue) (bool, error) {
			x, isText := a.(*types.AttributeValueMemberS)
			y, both := b.(*types.AttributeValueMemberS)
			return isText && both && test(x.Value, y.Value), nil
		}), nil
	}
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	return p.comparison(left)
}

func (p *parser) comparison(left operand) (condition, error) {
	switch operator := strings.ToUpper(p.next()); operator {
	case "=", "<>", "<", "<=", ">", ">=":
		right, err := p.operand()
		return compare([]operand{left, right}, func(a, b types.AttributeValue) (bool, error) {
			return holds(operator, a, b)
		}), err
	case "BETWEEN":
		low, err := p.operand()
		if err != nil {
			return nil, err
		}
		if err := p.expect("AND"); err != nil {
			return nil, err
		}
		high, err := p.operand()
		from := compare([]operand{left, low}, func(a, b types.AttributeValue) (bool, error) { return holds(">=", a, b) })
		to := compare([]operand{left, high}, func(a, b types.AttributeValue) (bool, error) { return holds("<=", a, b) })
		return func(s *scope) (bool, error) {
			if met, err := from(s); err != nil || !met {
				return false, err
			}
			return to(s)
		}, err
	case "IN":
		members, err := p.arguments()
		return func(s *scope) (bool, error) {
			for _, m := range members {
				equal := compare([]operand{left, m}, func(a, b types.AttributeValue) (bool, error) { return holds("=", a, b) })
				if met, err := equal(s); err != nil || met {
					return met, err
				}
			}
			return false, nil
		}, err
	default:
		return nil, fmt.Errorf("%q instead of a comparison", operator)
	}
}

// compare evaluates two operands for a test.
func compare(operands []operand, test func(a, b types.AttributeValue) (bool, error)) condition {
	return func(s *scope) (bool, error) {
		a, err := operands[0](s)
		if err != nil {
			return false, err
		}
		b, err := operands[1](s)
		if err != nil {
			return false, err
		}
		return test(a, b)
	}
}

// call parses a function with n arguments.
func (p *parser) call(n int) ([]operand, error) {
	function := p.next()
	args, err := p.arguments()
	if err == nil && len(args) != n {
		err = fmt.Errorf("%s has %d arguments", function, len(args))
	}
	return args, err
}

func (p *parser) arguments() ([]operand, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var args []operand
	for {
		arg, err := p.operand()
		if err != nil {
			return nil, err
		}
		if args = append(args, arg); !p.accept(",") {
			return args, p.expect(")")
		}
	}
}

// operand parses a value, an attribute or a function that returns a value.
func (p *parser) operand() (operand, error) {
	t := p.peek()
	switch {
	case strings.HasPrefix(t, ":"):
		p.next()
		return func(s *scope) (types.AttributeValue, error) {
			if v, ok := s.values[t]; ok {
				return v, nil
			}
			return nil, invalid("no value for %s", t)
		}, nil
	case strings.EqualFold(t, "size"):
		args, err := p.call(1)
		if err != nil {
			return nil, err
		}
		return func(s *scope) (types.AttributeValue, error) {
			v, err := args[0](s)
			return size(v), err
		}, nil
	case strings.EqualFold(t, "if_not_exists"):
		args, err := p.call(2)
		if err != nil {
			return nil, err
		}
		return func(s *scope) (types.AttributeValue, error) {
			if v, err := args[0](s); err != nil || v != nil {
				return v, err
			}
			return args[1](s)
		}, nil
	case strings.EqualFold(t, "list_append"):
		args, err := p.call(2)
		if err != nil {
			return nil, err
		}
		return func(s *scope) (types.AttributeValue, error) { return appended(args, s) }, nil
	default:
		at, err := p.path()
		return func(s *scope) (types.AttributeValue, error) { return at.value(s) }, err
	}
}

func (p *parser) paths() ([]path, error) {
	var all []path
	for {
		one, err := p.path()
		if err != nil {
			return nil, err
		}
		if all = append(all, one); !p.accept(",") {
			return all, nil
		}
	}
}

func (p *parser) path() (path, error) {
	var all path
	for {
		n := p.next()
		if n == "" || !isWord(n[0]) || n[0] == ':' || '0' <= n[0] && n[0] <= '9' {
			return nil, fmt.Errorf("%q instead of an attribute", n)
		}
		if all = append(all, name(n)); !p.accept(".") {
			return all, nil
		}
	}
}

// value returns the attribute at the path, or nil.
func (p path) value(s *scope) (types.AttributeValue, error) {
	item := s.item
	for i, n := range p {
		resolved, err := n.resolve(s.names)
		if err != nil {
			return nil, err
		}
		v := item[resolved]
		if i == len(p)-1 {
			return v, nil
		}
		m, ok := v.(*types.AttributeValueMemberM)
		if !ok {
			return nil, nil //nolint:nilnil // the row does not have it
		}
		item = m.Value
	}
	return nil, invalid("empty path")
}
