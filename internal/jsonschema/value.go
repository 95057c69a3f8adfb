package jsonschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
)

// Object is a JSON object. Unlike a map, it keeps the order of its members.
type Object struct {
	Names   []string
	Members map[string]any
}

var (
	// ErrTooDeep is returned by Parse for text that is nested too deeply.
	ErrTooDeep = errors.New("nested too deeply")
	// ErrTrailing is returned by Parse for text with more than one value.
	ErrTrailing = errors.New("more than one value")
)

// Parse parses text with one JSON value: an *Object, []any, string, json.Number, bool or
// nil. duplicates are the paths of members that occur more than once; the last one
// counts.
func Parse(text []byte, maxDepth int) (value any, duplicates [][]string, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	p := parser{decoder: d, maxDepth: maxDepth}
	if value, err = p.value(); err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, ErrTrailing
	}
	return value, p.duplicates, nil
}

type parser struct {
	decoder    *json.Decoder
	maxDepth   int
	path       []string // of the current value
	duplicates [][]string
}

func (p *parser) value() (any, error) {
	if len(p.path) > p.maxDepth {
		return nil, ErrTooDeep
	}
	token, err := p.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return p.object()
	case json.Delim('['):
		return p.array()
	default:
		return token, nil
	}
}

// member parses the value of a member or of an array's element.
func (p *parser) member(name string) (any, error) {
	p.path = append(p.path, name)
	v, err := p.value()
	p.path = p.path[:len(p.path)-1]
	return v, err
}

func (p *parser) array() (any, error) {
	list := []any{}
	for p.decoder.More() {
		v, err := p.member(strconv.Itoa(len(list)))
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := p.decoder.Token() // the closing bracket
	return list, err
}

func (p *parser) object() (any, error) {
	o := &Object{Members: map[string]any{}}
	for p.decoder.More() {
		token, err := p.decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // the decoder accepts only strings as names
		v, err := p.member(name)
		if err != nil {
			return nil, err
		}
		if _, exists := o.Members[name]; exists {
			p.duplicates = append(p.duplicates, append(slices.Clone(p.path), name))
		} else {
			o.Names = append(o.Names, name)
		}
		o.Members[name] = v
	}
	_, err := p.decoder.Token() // the closing brace
	return o, err
}
