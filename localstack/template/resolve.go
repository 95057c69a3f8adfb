package template

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// Value is a text. ${ID} and ${ID.Attribute} in it stand for a resource's !Ref and !GetAtt, whose values exist only
// once the resource does.
type Value string

var reference = regexp.MustCompile(`\$\{([\w:]+)(\.\w+)?\}`)

// Resolve returns the text with all references replaced. names returns the value of ID or ID.Attribute.
func (v Value) Resolve(names func(name string) (string, error)) (string, error) {
	var errs error
	text := reference.ReplaceAllStringFunc(string(v), func(mark string) string {
		text, err := names(mark[2 : len(mark)-1])
		errs = errors.Join(errs, err)
		return text
	})
	return text, errs
}

// UnmarshalJSON implements json.Unmarshaler for strings, numbers and booleans.
func (v *Value) UnmarshalJSON(raw []byte) error {
	switch jsontext.Value(raw).Kind() {
	case '{', '[', 'n':
		return errors.New("not a text")
	case '"':
		text, err := jsontext.AppendUnquote(nil, raw)
		*v = Value(text)
		return err
	}
	*v = Value(raw)
	return nil
}

// list is a list. A single text counts as a list of one.
type list []Value

// UnmarshalJSON implements json.Unmarshaler.
func (l *list) UnmarshalJSON(raw []byte) error {
	if jsontext.Value(raw).Kind() == '[' {
		return json.Unmarshal(raw, (*[]Value)(l))
	}
	*l = make(list, 1)
	return json.Unmarshal(raw, &(*l)[0])
}

func (l list) texts() []string {
	all := make([]string, len(l))
	for i, v := range l {
		all[i] = string(v)
	}
	return all
}

type fault struct {
	line int
	text string
}

// scope has everything that intrinsic functions can refer to. It collects the faults, so that one run reports all of
// them.
type scope struct {
	faults     []fault
	parameters map[string]string
	numbers    map[string]bool // parameters that are numbers
	conditions map[string]*yaml.Node
	deciding   map[string]bool // conditions under evaluation, to detect cycles
	// resources has the declaration of each resource. absent has the resources whose condition is false.
	resources map[string]*yaml.Node
	absent    map[string]bool
	// roles has roles' statements, groups the names of log groups, both by logical ID.
	roles  map[string][]Statement
	groups map[string]string
	// later reads the resources that refer to configuration sets.
	later []func()
}

func (s *scope) fault(n *yaml.Node, format string, args ...any) {
	f := fault{line: n.Line, text: fmt.Sprintf(format, args...)}
	if !slices.Contains(s.faults, f) {
		s.faults = append(s.faults, f)
	}
}

// intrinsic returns the name of the intrinsic function at n (Sub for !Sub), or "". It does
// not support long forms (Fn::Sub).
func intrinsic(n *yaml.Node) string {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return n.Tag[1:]
	}
	return ""
}

// settle resolves !If. For AWS::NoValue or nothing, it returns nil.
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

// text returns the text of !Ref, !GetAtt or !Sub, or a plain text.
func (s *scope) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		s.fault(n, "must be a text")
		return ""
	}
	switch name := intrinsic(n); name {
	case "":
		return n.Value
	case "Ref", "GetAtt":
		return s.reference(n, n.Value)
	case "Sub":
		return reference.ReplaceAllStringFunc(n.Value, func(mark string) string {
			return s.reference(n, mark[2:len(mark)-1])
		})
	default:
		s.fault(n, "the local stack does not support !%s", name)
		return ""
	}
}

func (s *scope) reference(n *yaml.Node, name string) string {
	if text, ok := s.parameters[name]; ok {
		return text
	}
	id, _, _ := strings.Cut(name, ".")
	if s.absent[id] {
		s.fault(n, "%s does not exist: its condition is false", id)
	} else if s.resources[id] == nil {
		s.fault(n, "there is no parameter or resource %s", id)
	}
	return "${" + name + "}"
}

// named evaluates the condition with this name.
func (s *scope) named(n *yaml.Node, name string) bool {
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
	defer delete(s.deciding, name)
	return s.condition(condition)
}

// condition evaluates the expression at n.
func (s *scope) condition(n *yaml.Node) bool {
	switch name := intrinsic(n); name {
	case "Condition":
		return s.named(n, n.Value)
	case "Not":
		return s.operands(n, 1, 1) && !s.condition(n.Content[0])
	case "And", "Or":
		isTrue := func(c *yaml.Node) bool { return s.condition(c) == (name == "Or") }
		return s.operands(n, 2, 10) && slices.ContainsFunc(n.Content, isTrue) == (name == "Or")
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

// member is a member of a mapping; node is its key.
type member struct {
	key         string
	node, value *yaml.Node
}

// members returns the members of a mapping in order, without those set to AWS::NoValue.
func (s *scope) members(n *yaml.Node) []member {
	if n = s.settle(n); n == nil {
		return nil
	}
	if intrinsic(n) != "" || n.Kind != yaml.MappingNode {
		s.fault(n, "must be a mapping")
		return nil
	}
	var all []member
	for i := 0; i+1 < len(n.Content); i += 2 {
		if value := s.settle(n.Content[i+1]); value != nil {
			all = append(all, member{key: n.Content[i].Value, node: n.Content[i], value: value})
		}
	}
	return all
}

// elements returns the elements of a list, without AWS::NoValue.
func (s *scope) elements(n *yaml.Node) []*yaml.Node {
	var all []*yaml.Node
	for _, element := range n.Content {
		if element = s.settle(element); element != nil {
			all = append(all, element)
		}
	}
	return all
}

// plain returns the value of a node with its intrinsic functions evaluated. An unsupported one becomes an object,
// which no member allows.
func (s *scope) plain(n *yaml.Node) any {
	switch name := intrinsic(n); {
	case name == "Ref" && s.numbers[n.Value]:
		return jsontext.Value(s.parameters[n.Value])
	case name == "Ref", name == "GetAtt", name == "Sub":
		return s.text(n)
	case name != "":
		return map[string]any{"!" + name: nil}
	case n.Kind == yaml.MappingNode:
		object := map[string]any{}
		for _, m := range s.members(n) {
			object[m.key] = s.plain(m.value)
		}
		return object
	case n.Kind == yaml.SequenceNode:
		all := []any{}
		for _, element := range s.elements(n) {
			all = append(all, s.plain(element))
		}
		return all
	case n.Style == 0 && jsontext.Value(n.Value).IsValid(): // a number or a boolean
		return jsontext.Value(n.Value)
	}
	return n.Value
}

// read reads the mapping at n into a struct. An unknown member is a fault; a missing one leaves its field unchanged.
func (s *scope) read(n *yaml.Node, into any) {
	if n = s.settle(n); n == nil {
		return
	}
	raw, err := json.Marshal(s.plain(n))
	if err == nil {
		err = json.Unmarshal(raw, into, json.RejectUnknownMembers(true))
	}
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		if err != nil {
			s.fault(n, "%v", err)
		}
		return
	}
	path := slices.Collect(wrong.JSONPointer.Tokens())
	at, last := s.child(n, path...), wrong.JSONPointer.LastToken()
	switch name := intrinsic(at); {
	case name != "" && name != "Ref" && name != "GetAtt" && name != "Sub":
		s.fault(at, "the local stack does not support !%s", name)
	case errors.Is(err, json.ErrUnknownName):
		s.fault(at, "the local stack does not support %s", last)
	default:
		s.fault(at, "%s has a value of the wrong kind", last)
	}
}

// child follows the names of members and the indexes of elements, as in plain. It stops at the first missing one.
func (s *scope) child(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		if index, err := strconv.Atoi(name); err == nil && n.Kind == yaml.SequenceNode {
			n = s.elements(n)[index]
			continue
		}
		for _, m := range s.members(n) {
			if m.key == name {
				n = m.value
			}
		}
	}
	return n
}

// resource returns the logical ID in the member with this name. The member must be !GetAtt of the attribute, such as
// ".Arn", or !Ref if attribute is empty. For a missing member, it returns "".
func (s *scope) resource(m member, name string, v Value, attribute string) string {
	id := strings.TrimSuffix(strings.TrimPrefix(string(v), "${"), attribute+"}")
	if v != "" && (string(v) != "${"+id+attribute+"}" || s.resources[id] == nil) {
		wanted := "!GetAtt <resource>" + attribute
		if attribute == "" {
			wanted = "!Ref <resource>"
		}
		s.fault(s.child(m.value, name), "%s must be %s", name, wanted)
	}
	return id
}
