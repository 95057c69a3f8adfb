package template

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// intrinsic returns the name of the intrinsic function at n (Sub for !Sub), or "". It does
// not support long forms (Fn::Sub).
func intrinsic(n *yaml.Node) string {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return n.Tag[1:]
	}
	return ""
}

// settle resolves !If. It returns nil if nothing is left, or AWS::NoValue.
func (s *scope) settle(n *yaml.Node) *yaml.Node {
	for n != nil && intrinsic(n) == "If" {
		if !s.operands(n, 3, 3) {
			return nil
		}
		if s.named(n, n.Content[0].Value) {
			n = n.Content[1]
		} else {
			n = n.Content[2]
		}
	}
	if n != nil && intrinsic(n) == "Ref" && n.Value == "AWS::NoValue" {
		return nil
	}
	return n
}

// value returns the text at n.
func (s *scope) value(n *yaml.Node) Value {
	switch name := intrinsic(n); name {
	case "":
		if n.Kind == yaml.ScalarNode {
			return Value{{Text: n.Value}}
		}
		s.fault(n, "must be a text")
	case "Ref":
		return s.reference(n, n.Value, "")
	case "GetAtt":
		if id, attribute, ok := strings.Cut(n.Value, "."); ok {
			return s.reference(n, id, attribute)
		}
		s.fault(n, "!GetAtt must have the form <resource>.<attribute>")
	case "Sub":
		return s.substitute(n)
	default:
		s.fault(n, "the local stack does not support !%s", name)
	}
	return nil
}

// text returns a text that refers to no resource.
func (s *scope) text(n *yaml.Node) string {
	text, ok := s.value(n).fixed()
	if !ok {
		s.fault(n, "a reference to a resource is not possible here")
	}
	return text
}

func (s *scope) reference(n *yaml.Node, name, attribute string) Value {
	text, isParameter := s.parameters[name]
	switch {
	case isParameter && attribute == "":
		return Value{{Text: text}}
	case s.absent[name]:
		s.fault(n, "%s does not exist: its condition is false", name)
		return nil
	case s.resources[name] == nil:
		s.fault(n, "there is no parameter or resource %s", name)
		return nil
	}
	return Value{{Resource: name, Attribute: attribute}}
}

func (s *scope) substitute(n *yaml.Node) Value {
	var out Value
	rest := n.Value
	for {
		before, after, found := strings.Cut(rest, "${")
		if before != "" {
			out = append(out, Part{Text: before})
		}
		if !found {
			return out
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			s.fault(n, "!Sub: ${ without }")
			return nil
		}
		rest = tail
		id, attribute, _ := strings.Cut(name, ".")
		out = append(out, s.reference(n, id, attribute)...)
	}
}

// named evaluates the condition with this name.
func (s *scope) named(n *yaml.Node, name string) bool {
	if answer, ok := s.decided[name]; ok {
		return answer
	}
	condition, ok := s.conditions[name]
	if !ok {
		s.fault(n, "there is no condition %s", name)
		return false
	}
	if s.deciding[name] {
		s.fault(n, "condition %s refers to itself", name)
		return false
	}
	s.deciding[name] = true
	answer := s.condition(condition)
	delete(s.deciding, name)
	s.decided[name] = answer
	return answer
}

// condition evaluates the expression at n.
func (s *scope) condition(n *yaml.Node) bool {
	switch name := intrinsic(n); name {
	case "Condition":
		return s.named(n, n.Value)
	case "Not":
		return s.operands(n, 1, 1) && !s.condition(n.Content[0])
	case "And", "Or":
		if !s.operands(n, 2, 10) {
			return false
		}
		for _, c := range n.Content {
			if s.condition(c) == (name == "Or") {
				return name == "Or"
			}
		}
		return name == "And"
	case "Equals":
		return s.operands(n, 2, 2) && s.text(n.Content[0]) == s.text(n.Content[1])
	default:
		s.fault(n, "the local stack does not support !%s in a condition", name)
		return false
	}
}

func (s *scope) operands(n *yaml.Node, low, high int) bool {
	if n.Kind != yaml.SequenceNode || len(n.Content) < low || len(n.Content) > high {
		s.fault(n, "wrong number of operands")
		return false
	}
	return true
}
