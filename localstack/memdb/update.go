package memdb

import (
	"fmt"
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// change is one change of an update expression.
type change struct {
	path path
	// value returns the new value; nil removes the attribute.
	value operand
}

// update parses an update expression.
func (p *parser) update() ([]change, error) {
	var changes []change
	for p.peek() != "" {
		clause := strings.ToUpper(p.next())
		for {
			c, err := p.change(clause)
			if err != nil {
				return nil, err
			}
			if changes = append(changes, c); !p.accept(",") {
				break
			}
		}
	}
	return changes, nil
}

func (p *parser) change(clause string) (change, error) {
	if clause != "SET" && clause != "ADD" && clause != "REMOVE" {
		return change{}, fmt.Errorf("memdb has no clause %s", clause)
	}
	at, err := p.path()
	if err != nil {
		return change{}, err
	}
	switch clause {
	case "SET":
		if err := p.expect("="); err != nil {
			return change{}, err
		}
		value, err := p.sum()
		return change{at, value}, err
	case "ADD":
		more, err := p.operand()
		return change{at, func(s *scope) (types.AttributeValue, error) {
			old, err := at.value(s)
			if err != nil {
				return nil, err
			}
			if old == nil {
				old = &types.AttributeValueMemberN{Value: "0"}
			}
			n, err := more(s)
			if err != nil {
				return nil, err
			}
			return plus(old, n, "+")
		}}, err
	default:
		remove := func(*scope) (types.AttributeValue, error) { return nil, nil } //nolint:nilnil // removes
		return change{at, remove}, nil
	}
}

// sum parses the right side of a SET: a value, or the sum or difference of two.
func (p *parser) sum() (operand, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	sign := p.peek()
	if !p.accept("+", "-") {
		return present(left), nil
	}
	right, err := p.operand()
	return func(s *scope) (types.AttributeValue, error) {
		a, err := present(left)(s)
		if err != nil {
			return nil, err
		}
		b, err := present(right)(s)
		if err != nil {
			return nil, err
		}
		return plus(a, b, sign)
	}, err
}

// present refuses an attribute that the row does not have.
func present(o operand) operand {
	return func(s *scope) (types.AttributeValue, error) {
		v, err := o(s)
		if err == nil && v == nil {
			err = invalid("The provided expression refers to an attribute that does not exist in the item")
		}
		return v, err
	}
}

// apply changes the row, whose nested maps it copies first.
func (c change) apply(s *scope, row Item) error {
	value, err := c.value(s)
	if err != nil {
		return err
	}
	for i, n := range c.path {
		resolved, err := n.resolve(s.names)
		if err != nil {
			return err
		}
		if i == len(c.path)-1 {
			if value == nil {
				delete(row, resolved)
			} else {
				row[resolved] = value
			}
			return nil
		}
		m, ok := row[resolved].(*types.AttributeValueMemberM)
		if !ok {
			return invalid("The document path provided in the update expression is invalid for update")
		}
		inner := maps.Clone(m.Value)
		if inner == nil {
			inner = Item{}
		}
		row[resolved] = &types.AttributeValueMemberM{Value: inner}
		row = inner
	}
	return nil
}
