package memdb

import (
	_ "embed" // for the reserved words
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// scope is the context of an expression: a row, and the request's placeholders.
type scope struct {
	item   Item
	names  map[string]string
	values Item
}

// check rejects undefined placeholders and unused ones.
func (s *scope) check(expressions ...*string) error {
	used := map[string]bool{}
	for _, e := range expressions {
		for _, word := range tokens(aws.ToString(e)) {
			if word[0] != '#' && word[0] != ':' {
				continue
			}
			used[word] = true
			if s.names[word] == "" && s.values[word] == nil {
				return invalid("expression %q: %s is not defined", *e, word)
			}
		}
	}
	if len(used) != len(s.names)+len(s.values) {
		return invalid("a name or a value is unused in expressions")
	}
	return nil
}

// mentions reports whether an expression contains one of these attributes.
func (s *scope) mentions(expression string, attributes ...string) bool {
	return slices.ContainsFunc(tokens(expression), func(word string) bool {
		return slices.Contains(attributes, name(word).resolve(s.names))
	})
}

// holds reports whether a row meets a condition. A nil condition always holds.
func (s *scope) holds(c condition, row Item) bool {
	s.item = row
	return c == nil || c(s)
}

// condition reports whether the row of a scope meets it.
type condition func(*scope) bool

// operand returns a value. It returns nil if the row does not have the value or it cannot be computed.
type operand func(*scope) types.AttributeValue

// reservedWords are the words in the list of AWS's developer guide. Attributes with these names need a placeholder.
//
//go:embed reserved.txt
var reservedWords string

var reserved = sync.OnceValue(func() map[string]bool { //nolint:gochecknoglobals // constant
	words := map[string]bool{}
	for word := range strings.FieldsSeq(reservedWords) {
		words[word] = true
	}
	return words
})

// path is the path of an attribute: names of nested maps.
type path []name

// name is the name of an attribute, or its placeholder.
type name string

func (n name) resolve(names map[string]string) string {
	if resolved, ok := names[string(n)]; ok {
		return resolved
	}
	return string(n)
}

// parsed parses an expression. Without text it returns the zero value.
func parsed[T any](text *string, parse func(*parser) T) (result T, err error) {
	if text == nil {
		return result, nil
	}
	p := &parser{tokens: tokens(*text)}
	result = parse(p)
	if p.peek() != "" {
		p.fail("unexpected %q", p.peek())
	}
	if p.err != nil {
		err = invalid("expression %q: %v", *text, p.err)
	}
	return result, err
}

var (
	token = regexp.MustCompile(`[\w#:]+|<>|<=|>=|\S`)
	// attribute matches the name of an attribute, or its placeholder.
	attribute = regexp.MustCompile(`^[A-Za-z_#]`)
	tokenized sync.Map //nolint:gochecknoglobals // a cache; texts have placeholders, so there are few
)

// tokens splits an expression into words, placeholders and operators.
func tokens(text string) []string {
	known, ok := tokenized.Load(text)
	if !ok {
		known, _ = tokenized.LoadOrStore(text, slices.Clip(token.FindAllString(text, -1)))
	}
	all, _ := known.([]string)
	return all
}

// parser parses the tokens from left to right. It keeps its first error.
type parser struct {
	tokens []string
	err    error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.tokens = nil
}

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

// accept consumes the next token if it is this keyword or operator.
func (p *parser) accept(token string) bool {
	if !strings.EqualFold(token, p.peek()) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.fail("%q instead of %q", p.peek(), token)
	}
}

// condition parses a condition: terms joined by OR.
func (p *parser) condition() condition { return p.joined(p.conjunction, "OR", true) }

func (p *parser) conjunction() condition { return p.joined(p.negation, "AND", false) }

// joined parses terms joined by an operator. Evaluation ends at the first term with the value decisive.
func (p *parser) joined(term func() condition, operator string, decisive bool) condition {
	all := []condition{term()}
	for p.accept(operator) {
		all = append(all, term())
	}
	return func(s *scope) bool {
		return slices.ContainsFunc(all, func(c condition) bool { return c(s) == decisive }) == decisive
	}
}

func (p *parser) negation() condition {
	if p.accept("NOT") {
		c := p.negation()
		return func(s *scope) bool { return !c(s) }
	}
	if p.accept("(") {
		c := p.condition()
		p.expect(")")
		return c
	}
	return p.predicate()
}

// keyCondition is the condition of a query: a partition key, and a condition on the sort key.
type keyCondition struct {
	hash, sort name
	value      operand
	condition  condition
}

func (p *parser) keyCondition() (k keyCondition) {
	k.hash = name(p.next())
	p.expect("=")
	if k.value = p.operand(); !p.accept("AND") {
		return k
	}
	switch at := append(slices.Clip(p.tokens), "", "", ""); {
	case strings.EqualFold(at[0], "begins_with"):
		k.sort = name(at[2])
	case slices.Contains([]string{"=", "<", "<=", ">", ">=", "BETWEEN"}, strings.ToUpper(at[1])):
		k.sort = name(at[0])
	default:
		p.fail("a key cannot be compared by %s", at[1])
	}
	k.condition = p.predicate()
	return k
}

// predicate parses a function or a comparison.
func (p *parser) predicate() condition {
	function := strings.ToLower(p.peek())
	switch function {
	case "attribute_exists", "attribute_not_exists":
		value := p.call(1)[0]
		return func(s *scope) bool { return (value(s) != nil) == (function == "attribute_exists") }
	case "begins_with", "contains":
		args, test := p.call(2), strings.HasPrefix
		if function == "contains" {
			test = strings.Contains
		}
		return func(s *scope) bool {
			x, isText := args[0](s).(*types.AttributeValueMemberS)
			y, both := args[1](s).(*types.AttributeValueMemberS)
			return isText && both && test(x.Value, y.Value)
		}
	}
	left := p.operand()
	switch operator := strings.ToUpper(p.next()); operator {
	case "=", "<>", "<", "<=", ">", ">=":
		right := p.operand()
		return func(s *scope) bool { return holds(operator, left(s), right(s)) }
	case "BETWEEN":
		low := p.operand()
		p.expect("AND")
		high := p.operand()
		return func(s *scope) bool {
			v := left(s)
			return holds(">=", v, low(s)) && holds("<=", v, high(s))
		}
	default:
		p.fail("%q instead of a comparison", operator)
		return nil
	}
}

// call parses a function with n arguments.
func (p *parser) call(n int) (args []operand) {
	p.next()
	separator := "("
	for range n {
		p.expect(separator)
		args, separator = append(args, p.operand()), ","
	}
	p.expect(")")
	return args
}

// operand parses a value, an attribute or a function that returns a value.
func (p *parser) operand() operand {
	switch t := p.peek(); {
	case strings.HasPrefix(t, ":"):
		p.next()
		return func(s *scope) types.AttributeValue { return s.values[t] }
	case strings.EqualFold(t, "size"):
		value := p.call(1)[0]
		return func(s *scope) types.AttributeValue { return length(value(s)) }
	case strings.EqualFold(t, "if_not_exists"):
		args := p.call(2)
		return func(s *scope) types.AttributeValue {
			if v := args[0](s); v != nil {
				return v
			}
			return args[1](s)
		}
	default:
		return p.path().value
	}
}

func (p *parser) paths() []path {
	all := []path{p.path()}
	for p.accept(",") {
		all = append(all, p.path())
	}
	return all
}

func (p *parser) path() (all path) {
	for {
		n := p.next()
		if !attribute.MatchString(n) || reserved()[strings.ToUpper(n)] {
			p.fail("%q instead of an attribute; it may be a reserved word", n)
			return all
		}
		if all = append(all, name(n)); !p.accept(".") {
			return all
		}
	}
}

// value returns the attribute at the path, or nil.
func (p path) value(s *scope) (v types.AttributeValue) {
	item := s.item
	for _, n := range p {
		v = item[n.resolve(s.names)]
		item = nil
		if m, ok := v.(*types.AttributeValueMemberM); ok {
			item = m.Value
		}
	}
	return v
}
