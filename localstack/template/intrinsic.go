package template

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// intrinsic gives the name and argument of the function that stands at n, in
// its short (!Sub) or its long (Fn::Sub) form; the name is empty where n is
// plain.
func intrinsic(n *yaml.Node) (string, *yaml.Node) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return n.Tag[1:], n
	}
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		key := n.Content[0].Value
		if name, ok := strings.CutPrefix(key, "Fn::"); ok {
			return name, n.Content[1]
		}
		if key == "Ref" {
			return key, n.Content[1]
		}
	}
	return "", nil
}

// value is the text at n.
func (s *scope) value(n *yaml.Node) Value {
	name, arg := intrinsic(n)
	switch name {
	case "":
		if n.Kind != yaml.ScalarNode {
			s.fault(n, "want a text here")
			return nil
		}
		return Value{{Text: n.Value}}
	case "Ref":
		return s.reference(arg, arg.Value, "")
	case "GetAtt":
		return s.attribute(arg)
	case "Sub":
		return s.substitute(arg)
	case "Join":
		return s.join(arg)
	default:
		s.fault(n, "!%s is not understood by the local stack", name)
		return nil
	}
}

func (s *scope) reference(n *yaml.Node, name, attribute string) Value {
	if attribute == "" {
		if text, ok := s.parameters[name]; ok {
			return Value{{Text: text}}
		}
	}
	switch {
	case s.absent[name]:
		s.fault(n, "%s does not exist: its condition is false", name)
		return nil
	case s.resources[name] == nil:
		s.fault(n, "there is no parameter or resource %s", name)
		return nil
	}
	return Value{{Resource: name, Attribute: attribute}}
}

func (s *scope) attribute(n *yaml.Node) Value {
	path := n.Value
	if n.Kind == yaml.SequenceNode && len(n.Content) == 2 {
		path = n.Content[0].Value + "." + n.Content[1].Value
	}
	id, attribute, ok := strings.Cut(path, ".")
	if !ok {
		s.fault(n, "!GetAtt wants <resource>.<attribute>")
		return nil
	}
	return s.reference(n, id, attribute)
}

func (s *scope) substitute(n *yaml.Node) Value {
	format, local := n, map[string]item{}
	if n.Kind == yaml.SequenceNode {
		if len(n.Content) != 2 {
			s.fault(n, "!Sub wants a text, or a text and a mapping")
			return nil
		}
		format = n.Content[0]
		for _, e := range s.at(n.Content[1]).entries() {
			local[e.key] = e.item
		}
	}
	var out Value
	rest := format.Value
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
		if literal, ok := strings.CutPrefix(name, "!"); ok {
			out = append(out, Part{Text: "${" + literal + "}"})
		} else if v, ok := local[name]; ok {
			out = append(out, v.value()...)
		} else {
			id, attribute, _ := strings.Cut(name, ".")
			out = append(out, s.reference(n, id, attribute)...)
		}
	}
}

func (s *scope) join(n *yaml.Node) Value {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		s.fault(n, "!Join wants a separator and a list")
		return nil
	}
	separator := s.at(n.Content[0]).text()
	var out Value
	for i, part := range s.at(n.Content[1]).list() {
		if i > 0 {
			out = append(out, Part{Text: separator})
		}
		out = append(out, part.value()...)
	}
	return out
}

// choose is the branch that !If takes.
func (s *scope) choose(n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 3 {
		s.fault(n, "!If wants a condition and two values")
		return nil
	}
	if s.named(n, n.Content[0].Value) {
		return n.Content[1]
	}
	return n.Content[2]
}

// named decides the condition of that name.
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
	answer := s.condition(condition.n)
	delete(s.deciding, name)
	s.decided[name] = answer
	return answer
}

// condition decides the expression at n.
func (s *scope) condition(n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "Condition" {
		return s.named(n, n.Content[1].Value)
	}
	name, arg := intrinsic(n)
	switch name {
	case "", "Condition":
		return s.named(n, n.Value)
	case "Not":
		if s.operands(arg, 1, 1) {
			return !s.condition(arg.Content[0])
		}
	case "And":
		if s.operands(arg, 2, 10) {
			for _, c := range arg.Content {
				if !s.condition(c) {
					return false
				}
			}
			return true
		}
	case "Or":
		if s.operands(arg, 2, 10) {
			for _, c := range arg.Content {
				if s.condition(c) {
					return true
				}
			}
		}
	case "Equals":
		if s.operands(arg, 2, 2) {
			return s.at(arg.Content[0]).text() == s.at(arg.Content[1]).text()
		}
	default:
		s.fault(n, "!%s is not understood in a condition", name)
	}
	return false
}

func (s *scope) operands(n *yaml.Node, low, high int) bool {
	if n.Kind != yaml.SequenceNode || len(n.Content) < low || len(n.Content) > high {
		s.fault(n, "wrong number of operands")
		return false
	}
	return true
}
