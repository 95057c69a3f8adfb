package cataloguefile

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// node is a JSON value. It is read by tokens, since encoding/json takes members
// in any case and the last of those that are there twice.
type node struct {
	kind    kind
	text    string // of a string
	truth   bool   // of a boolean
	items   []node // of an array
	members map[string]node
	order   []string // of members
	// repeated are members that are there twice.
	repeated []string
}

type kind string

const (
	kindObject kind = "an object"
	kindArray  kind = "an array"
	kindString kind = "a string"
	kindBool   kind = "a boolean"
	kindOther  kind = "a number or null"
)

// maxDepth is how deep a line may be nested; what is valid takes eight.
const maxDepth = 20

var (
	errTooDeep = errors.New("nested too deeply")
	errBroken  = errors.New("not JSON")
)

// decode reads the one value of a line, or says what is wrong with it.
func decode(line []byte) (node, string) {
	if !utf8.Valid(line) {
		return node{}, "the line is not UTF-8"
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	v, err := readNode(d, 0)
	if errors.Is(err, errTooDeep) {
		return node{}, "the line is nested too deeply"
	}
	if err != nil {
		return node{}, "the line is not JSON"
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return node{}, "the line holds more than one object"
	}
	return v, ""
}

func readNode(d *json.Decoder, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, errTooDeep
	}
	token, err := d.Token()
	if err != nil {
		return node{}, err
	}
	switch v := token.(type) {
	case string:
		return node{kind: kindString, text: v}, nil
	case bool:
		return node{kind: kindBool, truth: v}, nil
	case json.Delim:
		if v == '{' {
			return readObject(d, depth)
		}
		return readArray(d, depth)
	default:
		return node{kind: kindOther}, nil
	}
}

func readObject(d *json.Decoder, depth int) (node, error) {
	n := node{kind: kindObject, members: map[string]node{}}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return node{}, err
		}
		name, ok := token.(string)
		if !ok {
			return node{}, errBroken
		}
		v, err := readNode(d, depth+1)
		if err != nil {
			return node{}, err
		}
		if _, there := n.members[name]; there {
			n.repeated = append(n.repeated, name)
		} else {
			n.order = append(n.order, name)
		}
		n.members[name] = v
	}
	_, err := d.Token() // the closing brace
	return n, err
}

func readArray(d *json.Decoder, depth int) (node, error) {
	n := node{kind: kindArray}
	for d.More() {
		v, err := readNode(d, depth+1)
		if err != nil {
			return node{}, err
		}
		n.items = append(n.items, v)
	}
	_, err := d.Token() // the closing bracket
	return n, err
}

// isCorrupt tells that compressed data does not make sense.
func isCorrupt(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt)
}
