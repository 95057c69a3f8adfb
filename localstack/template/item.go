package template

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// item is a place in the template. Reading it applies the intrinsic functions
// that stand there, and only there: what nobody reads need not be understood.
// One without a node stands for something absent.
type item struct {
	s *scope
	n *yaml.Node
	// around is where an absent item would stand, for its faults.
	around *yaml.Node
}

func (i item) where() *yaml.Node {
	if i.n != nil {
		return i.n
	}
	return i.around
}

type entry struct {
	key  string
	node *yaml.Node // of the key
	item item
}

// object is a mapping whose members are known by name.
type object struct {
	item
	members map[string]item
}

// settle follows aliases and !If until something else stands there; it gives nil
// for what is absent or AWS::NoValue.
func (i item) settle() *yaml.Node {
	n := i.n
	for n != nil {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
			continue
		}
		name, arg := intrinsic(n)
		switch {
		case name == "If":
			n = i.s.choose(arg)
		case name == "Ref" && arg.Value == "AWS::NoValue":
			return nil
		default:
			return n
		}
	}
	return nil
}

// entries are the members of a mapping, in order.
func (i item) entries() []entry {
	n := i.settle()
	if n == nil {
		return nil
	}
	if name, _ := intrinsic(n); name != "" || n.Kind != yaml.MappingNode {
		i.s.fault(n, "want a mapping here")
		return nil
	}
	list := make([]entry, 0, len(n.Content)/2)
	for k := 0; k+1 < len(n.Content); k += 2 {
		list = append(list, entry{key: n.Content[k].Value, node: n.Content[k], item: i.s.at(n.Content[k+1])})
	}
	return list
}

// object reads a mapping; a member that is not among known is a fault.
func (i item) object(known ...string) object {
	o := object{item: i, members: map[string]item{}}
	for _, e := range i.entries() {
		if !slices.Contains(known, e.key) {
			i.s.fault(e.item.where(), "%s is not understood by the local stack", e.key)
			continue
		}
		if e.item.settle() != nil {
			o.members[e.key] = e.item
		}
	}
	return o
}

// lookup finds one member without looking at the others.
func (i item) lookup(key string) item {
	for _, e := range i.entries() {
		if e.key == key {
			return e.item
		}
	}
	return item{s: i.s, around: i.where()}
}

func (i item) list() []item {
	n := i.settle()
	if n == nil {
		return nil
	}
	if name, _ := intrinsic(n); name != "" || n.Kind != yaml.SequenceNode {
		i.s.fault(n, "want a list here")
		return nil
	}
	var list []item
	for _, c := range n.Content {
		if child := i.s.at(c); child.settle() != nil {
			list = append(list, child)
		}
	}
	return list
}

func (i item) value() Value {
	n := i.settle()
	if n == nil {
		return nil
	}
	return i.s.value(n)
}

func (i item) text() string {
	text, ok := i.value().fixed()
	if !ok {
		i.s.fault(i.where(), "the name of a resource cannot stand here")
	}
	return text
}

func (i item) texts() []string {
	var out []string
	for _, c := range i.list() {
		out = append(out, c.text())
	}
	return out
}

func (o object) has(key string) bool { _, ok := o.members[key]; return ok }

func (o object) get(key string) item {
	if member, ok := o.members[key]; ok {
		return member
	}
	return item{s: o.s, around: o.where()}
}

func (o object) text(key, fallback string) string {
	if !o.has(key) {
		return fallback
	}
	return o.get(key).text()
}

// want is the text of a member that must be there.
func (o object) want(key string) string {
	text := o.text(key, "")
	if text == "" {
		o.s.fault(o.where(), "%s is missing", key)
	}
	return text
}

func (o object) int(key string, fallback int) int {
	if !o.has(key) {
		return fallback
	}
	n, err := strconv.Atoi(o.get(key).text())
	if err != nil {
		o.s.fault(o.get(key).where(), "%s: want a whole number", key)
	}
	return n
}

func (o object) seconds(key string, fallback time.Duration) time.Duration {
	return time.Duration(o.int(key, int(fallback/time.Second))) * time.Second
}

func (o object) bool(key string, fallback bool) bool {
	if !o.has(key) {
		return fallback
	}
	b, err := strconv.ParseBool(o.get(key).text())
	if err != nil {
		o.s.fault(o.get(key).where(), "%s: want true or false", key)
	}
	return b
}

// resource is the logical id in a member that must be a reference with the given
// attribute.
func (o object) resource(key, attribute string) string {
	if !o.has(key) {
		o.s.fault(o.where(), "%s is missing", key)
		return ""
	}
	id, got, ok := o.get(key).value().resource()
	if !ok || got != attribute {
		o.s.fault(o.get(key).where(), "%s: want !GetAtt <resource>.%s", key, attribute)
	}
	return id
}

// plain is the node with what its intrinsic functions stand for.
func (s *scope) plain(n *yaml.Node) (any, error) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return s.at(n).text(), nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := s.plain(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			m[n.Content[i].Value] = v
		}
		return m, nil
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, c := range n.Content {
			v, err := s.plain(c)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	default:
		var v any
		err := n.Decode(&v)
		return v, err
	}
}

// json is a member as JSON: a text that holds JSON, or YAML that is turned into
// it.
func (o object) json(key string) json.RawMessage {
	n := o.get(key).settle()
	if n == nil {
		o.s.fault(o.where(), "%s is missing", key)
		return nil
	}
	var raw []byte
	if n.Kind == yaml.ScalarNode {
		raw = []byte(o.get(key).text())
	} else {
		plain, err := o.s.plain(n)
		if err != nil {
			o.s.fault(n, "%s: %v", key, err)
			return nil
		}
		raw, _ = json.Marshal(plain)
	}
	if !json.Valid(raw) {
		o.s.fault(n, "%s: not JSON", key)
	}
	return raw
}
