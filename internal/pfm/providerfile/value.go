package providerfile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// place is where something stands in a line, and takes what is wrong there.
type place struct {
	path string
	note func(path, text string)
}

func (p place) fail(text string) { p.note(p.path, text) }

// below is the place of a member or element (RFC 6901). A name that nobody knows
// is shown only if it is short and plain.
func (p place) below(name string) place {
	const maxShown = 40
	if len(name) <= maxShown && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		p.path += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return p
}

// read reads the one value of a line. It reads by tokens, since encoding/json
// alone takes the last of members that are there twice.
func (p place) read(line []byte) (any, bool) {
	if !json.Valid(line) {
		p.fail("the line is not one JSON object")
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	return p.value(d), true
}

// value reads what is known to be valid, so that no token fails.
func (p place) value(d *json.Decoder) any {
	switch token, _ := d.Token(); token {
	case json.Delim('{'):
		members := map[string]any{}
		for d.More() {
			token, _ := d.Token()
			name, _ := token.(string)
			if _, twice := members[name]; twice {
				p.below(name).fail("the member is there twice")
			}
			members[name] = p.below(name).value(d)
		}
		_, _ = d.Token() // the closing brace
		return members
	case json.Delim('['):
		list := []any{}
		for d.More() {
			list = append(list, p.below(strconv.Itoa(len(list))).value(d))
		}
		_, _ = d.Token() // the closing bracket
		return list
	default:
		return token
	}
}

// members are those of an object, each to be taken once.
type members struct {
	place
	byName map[string]any
}

// members begins to read an object. It has none where it is none.
func (p place) members(v any) members {
	byName, ok := v.(map[string]any)
	if !ok {
		p.fail("must be an object")
	}
	return members{place: p, byName: maps.Clone(byName)}
}

// take requires a member of the kind that T is.
func take[T any](m members, name, kind string) (v T, at place, ok bool) {
	at = m.below(name)
	value, there := m.byName[name]
	delete(m.byName, name)
	if !there {
		if m.byName != nil { // else it was said that it is no object
			at.fail("the member is required")
		}
		return v, at, false
	}
	if v, ok = value.(T); !ok {
		at.fail("must be " + kind)
	}
	return v, at, ok
}

// text requires a text that problem finds nothing wrong with.
func (m members) text(name string, problem func(string) string) string {
	text, at, ok := take[string](m, name, "a string")
	if !ok {
		return ""
	}
	if wrong := problem(text); wrong != "" {
		at.fail(wrong)
	}
	return text
}

// number requires a whole number within bounds.
func (m members) number(name string, least, most int) int {
	text, at, ok := take[json.Number](m, name, "a number")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(text.String())
	if err != nil || n < least || n > most {
		at.fail("must be a whole number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most))
	}
	return n
}

func (m members) truth(name string) bool {
	v, _, _ := take[bool](m, name, "a boolean")
	return v
}

// has tells whether a member that may be left out is there.
func (m members) has(name string) bool {
	_, there := m.byName[name]
	return there
}

// done notes the members that nobody has taken.
func (m members) done() {
	for _, name := range slices.Sorted(maps.Keys(m.byName)) {
		m.below(name).fail("unknown member")
	}
}
