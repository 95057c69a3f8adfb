package memdb

import (
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// change is one change of an update expression.
type change struct {
	path path
	// value returns the new value; a nil value removes the attribute.
	value operand
}

// update parses an update expression.
func (p *parser) update() (changes []change) {
	for p.peek() != "" {
		clause := strings.ToUpper(p.next())
		for more := true; more; more = p.accept(",") {
			changes = append(changes, p.change(clause))
		}
	}
	return changes
}

func (p *parser) change(clause string) change {
	at := p.path()
	switch clause {
	case "SET":
		p.expect("=")
		return change{at, p.sum()}
	case "ADD":
		more := p.operand()
		return change{at, func(s *scope) types.AttributeValue {
			if old := at.value(s); old != nil {
				return plus(old, more(s), "+")
			}
			return plus(&types.AttributeValueMemberN{Value: "0"}, more(s), "+")
		}}
	case "REMOVE":
		return change{at, nil}
	default:
		p.fail("memdb has no clause %s", clause)
		return change{}
	}
}

// sum parses the right side of a SET: a value, or the sum or difference of two.
func (p *parser) sum() operand {
	left, sign := p.operand(), p.peek()
	if !p.accept("+", "-") {
		return left
	}
	right := p.operand()
	return func(s *scope) types.AttributeValue { return plus(left(s), right(s), sign) }
}

// apply changes the row, whose nested maps it copies first.
func (c change) apply(s *scope, row Item) error {
	for _, n := range c.path[:len(c.path)-1] {
		name := n.resolve(s.names)
		m, ok := row[name].(*types.AttributeValueMemberM)
		if !ok {
			return invalid("The document path provided in the update expression is invalid for update")
		}
		inner := maps.Clone(m.Value)
		if inner == nil {
			inner = Item{}
		}
		row[name] = &types.AttributeValueMemberM{Value: inner}
		row = inner
	}
	name := c.path[len(c.path)-1].resolve(s.names)
	if c.value == nil {
		delete(row, name)
		return nil
	}
	if row[name] = c.value(s); row[name] == nil {
		return invalid("the value of %s has an operand that is missing or of an incorrect type", name)
	}
	return nil
}
