package jsonlines

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// object is a JSON object. Unlike a map, it keeps the order of its members and the
// names that occur more than once.
type object struct {
	names      []string
	members    map[string]any
	duplicates []string
}

// maxDepth limits the nesting of a line. No valid line needs half of it.
const maxDepth = 20

var errTooDeep = errors.New("nested too deeply")

// parse returns the value of a line, which is an *object, []any, string, json.Number,
// bool or nil, or the problem with the line.
func parse(line []byte) (value any, problem string) {
	if !utf8.Valid(line) {
		return nil, "the line is not valid UTF-8"
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	v, err := readValue(d, 0)
	if errors.Is(err, errTooDeep) {
		return nil, "the line is nested too deeply"
	}
	if err != nil {
		return nil, "the line is not valid JSON"
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, "the line contains more than one object"
	}
	return v, ""
}

func readValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return readObject(d, depth)
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := readValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token() // the closing bracket
		return list, err
	default:
		return token, nil
	}
}

func readObject(d *json.Decoder, depth int) (any, error) {
	o := &object{members: map[string]any{}}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // the decoder accepts only strings as names
		v, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		if _, exists := o.members[name]; exists {
			o.duplicates = append(o.duplicates, name)
		} else {
			o.names = append(o.names, name)
		}
		o.members[name] = v
	}
	_, err := d.Token() // the closing brace
	return o, err
}
