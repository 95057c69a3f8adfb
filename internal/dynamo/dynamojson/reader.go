package dynamojson

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/bits"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type item = map[string]types.AttributeValue

// reader reads JSON from start to end. The strings it returns are slices of the input,
// not copies. It fails at anything that it does not support. After that it stays
// failed, and the values it returns are meaningless.
type reader struct {
	text   string
	at     int
	failed bool
	// escape is the position of the first backslash at or after at. A string that
	// ends before it has no escapes.
	escape int
	// depth is the nesting of lists and maps, which DynamoDB limits.
	depth int
	// open are the attributes and elements of the maps and lists that are being read.
	open []Attribute
}

const maxDepth = 32

func newReader(text string) *reader { return &reader{text: text, escape: -1} }

// fail marks the reader as failed and moves to the end, so nothing more is read.
func (r *reader) fail() bool {
	r.failed, r.at = true, len(r.text)
	return false
}

// next returns the next character that is not white space, or 0 at the end.
func (r *reader) next() byte {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\n', '\r', '\t':
			r.at++
		default:
			return c
		}
	}
	return 0
}

// skip consumes c, which must be the next character.
func (r *reader) skip(c byte) bool {
	if r.at < len(r.text) && r.text[r.at] == c || r.next() == c {
		r.at++
		return true
	}
	return r.fail()
}

// ended reports whether everything was read without a failure.
func (r *reader) ended() bool { return !r.failed && r.next() == 0 && r.at == len(r.text) }

// object reads an object. member reads the value of each name, and returns false for
// a name that it does not support.
func (r *reader) object(member func(name string) bool) bool {
	if !r.skip('{') {
		return false
	}
	if r.next() == '}' {
		r.at++
		return true
	}
	for {
		name := r.string()
		if !r.skip(':') || !member(name) || r.failed {
			return r.fail()
		}
		if r.next() == ',' {
			r.at++
			continue
		}
		return r.skip('}')
	}
}

// list reads a list; element reads one of its elements.
func (r *reader) list(element func()) {
	if !r.skip('[') {
		return
	}
	if r.next() == ']' {
		r.at++
		return
	}
	for {
		if element(); r.failed {
			return
		}
		if r.next() == ',' {
			r.at++
			continue
		}
		r.skip(']')
		return
	}
}

// string reads a string.
func (r *reader) string() string {
	if !r.skip('"') {
		return ""
	}
	return r.opened()
}

// opened reads the rest of a string after its opening quote.
func (r *reader) opened() string {
	from, end := r.at, quote(r.text, r.at)
	if end < 0 {
		r.fail()
		return ""
	}
	if r.escape < end && r.hasEscape(from, end) {
		return r.escaped(r.text[from:])
	}
	r.at = end + 1
	return r.text[from:end]
}

// hasEscape reports whether there is a backslash between from and end.
func (r *reader) hasEscape(from, end int) bool {
	if r.escape < from {
		if r.escape = strings.IndexByte(r.text[from:], '\\'); r.escape < 0 {
			r.escape = len(r.text)
		} else {
			r.escape += from
		}
	}
	return r.escape < end
}

// quote returns the position of the first quote from at on, or -1. Most strings are
// short, so it first compares eight characters at a time. The library is faster, but
// calling it takes longer, so it searches only the rest.
func quote(text string, at int) int {
	const (
		words  = 2
		quotes = 0x2222222222222222
		ones   = 0x0101010101010101
		highs  = 0x8080808080808080
	)
	for range words {
		if len(text)-at < 8 {
			break
		}
		// A quote becomes a zero byte, and a zero byte gets its high bit set.
		word := load(text[at:at+8]) ^ quotes
		if found := (word - ones) &^ word & highs; found != 0 {
			return at + bits.TrailingZeros64(found)>>3
		}
		at += 8
	}
	end := strings.IndexByte(text[at:], '"')
	if end < 0 {
		return end
	}
	return at + end
}

// load returns eight characters, the first in the lowest byte. The compiler turns it
// into one instruction.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// escaped reads a string with escapes, which is rare.
func (r *reader) escaped(rest string) string {
	for end := 0; end < len(rest); end++ {
		switch rest[end] {
		case '\\':
			end++
		case '"':
			var text string
			if json.Unmarshal([]byte(`"`+rest[:end+1]), &text) != nil {
				r.fail()
				return ""
			}
			r.at += end + 1
			return text
		}
	}
	r.fail()
	return ""
}

// count reads a number of rows.
func (r *reader) count() int32 {
	r.next()
	n, digits := 0, 0
	for ; r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9'; r.at++ {
		n, digits = n*10+int(r.text[r.at]-'0'), digits+1
		if n > math.MaxInt32 {
			r.fail()
			return 0
		}
	}
	if digits == 0 {
		r.fail()
	}
	return int32(n)
}

// bool reads a boolean and returns its name.
func (r *reader) bool() string {
	r.next()
	for _, name := range []string{"true", "false"} {
		if strings.HasPrefix(r.text[r.at:], name) {
			r.at += len(name)
			return name
		}
	}
	r.fail()
	return ""
}

func (r *reader) items() []item {
	rows := []item{}
	r.list(func() { rows = append(rows, r.item()) })
	return rows
}

func (r *reader) item() item { return ItemOf(r.attributes(nil)) }

// value reads an attribute's value, without its name: an object with one member, which names
// the type.
func (r *reader) value() (a Attribute) {
	if !r.skip('{') {
		return a
	}
	kind := r.string()
	if !r.skip(':') {
		return a
	}
	switch kind {
	case "S":
		a.Kind, a.Text = Text, r.string()
	case "N":
		a.Kind, a.Text = Number, r.string()
	case "BOOL":
		a.Kind, a.Text = Bool, r.bool()
	case "NULL":
		a.Kind, a.Text = Null, r.bool()
	case "L":
		a.Kind, a.other = List, r.inner(func() { r.list(func() { r.element("") }) })
	case "M":
		a.Kind, a.other = Map, r.inner(func() {
			r.object(func(name string) bool {
				r.element(name)
				return true
			})
		})
	case "B":
		a.Kind, a.other = Other, r.bytes()
	case "SS":
		set := &types.AttributeValueMemberSS{Value: []string{}}
		r.list(func() { set.Value = append(set.Value, r.string()) })
		a.Kind, a.other = Other, set
	default:
		r.fail()
	}
	r.skip('}')
	return a
}

func (r *reader) bytes() types.AttributeValue {
	content, err := base64.StdEncoding.DecodeString(r.string())
	if err != nil {
		r.fail()
	}
	return &types.AttributeValueMemberB{Value: content}
}

// inner returns what read reads with element.
func (r *reader) inner(read func()) []Attribute {
	if r.depth++; r.depth > maxDepth {
		r.fail()
		return nil
	}
	from := len(r.open)
	read()
	r.depth--
	all := make([]Attribute, len(r.open)-from)
	copy(all, r.open[from:])
	r.open = r.open[:from]
	return all
}

// element reads an attribute of a map, or an element of a list.
func (r *reader) element(name string) {
	a := r.value()
	a.Name = name
	r.open = append(r.open, a)
}
