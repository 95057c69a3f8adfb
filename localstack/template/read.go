package template

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// ignored is the type of a field whose tag cfn lists members that make no difference
// locally.
type ignored struct{}

// read reads the mapping at n into a struct, as encoding/json does, and evaluates intrinsic
// functions. A member goes into the field with its name, or with that name in the tag cfn;
// an unknown member is a fault. A missing member leaves its field unchanged. A field with
// the tag attribute gets the logical ID of the resource in a !GetAtt of that attribute.
// If the mapping is missing, faults are reported at around.
//
// A field of type *yaml.Node gets the node, to be read later or not at all.
func (s *scope) read(n, around *yaml.Node, into any) {
	if n = s.settle(n); n == nil {
		n = &yaml.Node{Kind: yaml.MappingNode, Line: around.Line}
	}
	s.readValue(n, reflect.ValueOf(into).Elem())
}

// place returns where a field was read from, or else otherwise.
func (s *scope) place(field any, otherwise *yaml.Node) *yaml.Node {
	if n, ok := s.places[field]; ok {
		return n
	}
	return otherwise
}

func (s *scope) readValue(n *yaml.Node, v reflect.Value) {
	s.places[v.Addr().Interface()] = n
	switch into := v.Addr().Interface().(type) {
	case **yaml.Node:
		*into = n
		return
	case *Value:
		*into = s.value(n)
		return
	case *json.RawMessage:
		*into = s.json(n)
		return
	case *time.Duration:
		*into = time.Duration(parse(s, n, "a whole number", strconv.Atoi)) * time.Second
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		s.readValue(n, v.Elem())
	case reflect.Struct:
		s.readStruct(n, v)
	case reflect.Slice:
		list := s.list(n)
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, element := range list {
			s.readValue(element, v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for _, m := range s.members(n) {
			element := reflect.New(v.Type().Elem()).Elem()
			s.readValue(m.value, element)
			v.SetMapIndex(reflect.ValueOf(m.key), element)
		}
	case reflect.Int:
		v.SetInt(int64(parse(s, n, "a whole number", strconv.Atoi)))
	case reflect.Float64:
		float := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
		v.SetFloat(parse(s, n, "a number", float))
	case reflect.Bool:
		v.SetBool(parse(s, n, "true or false", strconv.ParseBool))
	default:
		v.SetString(s.text(n))
	}
}

// parse reads a text and converts it.
func parse[T any](s *scope, n *yaml.Node, wanted string, read func(string) (T, error)) T {
	value, err := read(s.text(n))
	if err != nil {
		s.fault(n, "must be %s", wanted)
	}
	return value
}

func (s *scope) readStruct(n *yaml.Node, v reflect.Value) {
	fields := map[string]reflect.StructField{}
	var ignoredMembers []string
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Type == reflect.TypeFor[ignored]() {
			ignoredMembers = append(ignoredMembers, strings.Split(f.Tag.Get("cfn"), ",")...)
		}
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.IsExported() {
			fields[cmp.Or(f.Tag.Get("cfn"), f.Name)] = f
		}
	}
	for _, m := range s.members(n) {
		f, known := fields[m.key]
		switch {
		case known && f.Tag.Get("attribute") != "":
			v.FieldByIndex(f.Index).SetString(s.resource(m, f.Tag.Get("attribute")))
		case known:
			s.readValue(m.value, v.FieldByIndex(f.Index))
		case !slices.Contains(ignoredMembers, m.key):
			s.fault(m.value, "the local stack does not support %s", m.key)
		}
		delete(fields, m.key)
	}
	for name, f := range fields {
		if f.Tag.Get("required") != "" {
			s.fault(n, "%s is missing", name)
		}
	}
}

// resource returns the logical ID in a member that must be !GetAtt of the attribute, or !Ref
// if the attribute is Ref.
func (s *scope) resource(m member, attribute string) string {
	wanted := "!GetAtt <resource>." + attribute
	if attribute == "Ref" {
		attribute, wanted = "", "!Ref <resource>"
	}
	id, got, ok := s.value(m.value).resource()
	if !ok || got != attribute {
		s.fault(m.value, "%s must be %s", m.key, wanted)
	}
	return id
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

// list returns the elements of a list, without AWS::NoValue. Anything else counts as a
// list of one.
func (s *scope) list(n *yaml.Node) []*yaml.Node {
	if intrinsic(n) != "" || n.Kind != yaml.SequenceNode {
		return []*yaml.Node{n}
	}
	var all []*yaml.Node
	for _, element := range n.Content {
		if element = s.settle(element); element != nil {
			all = append(all, element)
		}
	}
	return all
}

// json returns the JSON in a text, or YAML converted to JSON.
func (s *scope) json(n *yaml.Node) json.RawMessage {
	var raw []byte
	if n.Kind == yaml.ScalarNode {
		raw = []byte(s.text(n))
	} else {
		raw, _ = json.Marshal(s.plain(n)) // only plain YAML values
	}
	if !json.Valid(raw) {
		s.fault(n, "not JSON")
	}
	return raw
}

// plain returns the value of a node, with its intrinsic functions evaluated.
func (s *scope) plain(n *yaml.Node) (value any) {
	switch {
	case intrinsic(n) != "":
		return s.text(n)
	case n.Kind == yaml.MappingNode:
		object := map[string]any{}
		for _, m := range s.members(n) {
			object[m.key] = s.plain(m.value)
		}
		return object
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for _, element := range s.list(n) {
			list = append(list, s.plain(element))
		}
		return list
	}
	if err := n.Decode(&value); err != nil {
		s.fault(n, "%v", err)
	}
	return value
}
