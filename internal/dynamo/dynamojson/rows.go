package dynamojson

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Attribute is an attribute of a row. Texts and numbers, which nearly all are,
// need neither a map to lie in nor a box of their own.
type Attribute struct {
	Name string
	Kind Kind
	// Text is the text, or the digits of the number.
	Text string
	// Other is what is neither.
	Other types.AttributeValue
}

// Value is the value as the SDK has it.
func (a *Attribute) Value() types.AttributeValue {
	switch a.Kind {
	case Text:
		return &types.AttributeValueMemberS{Value: a.Text}
	case Number:
		return &types.AttributeValueMemberN{Value: a.Text}
	default:
		return a.Other
	}
}

// Kind is what an attribute is.
type Kind byte

// The kinds of attributes.
const (
	Text Kind = iota
	Number
	Other
)

// attributeOf is an attribute as the SDK has it.
func attributeOf(name string, v types.AttributeValue) Attribute {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return Attribute{Name: name, Kind: Text, Text: v.Value}
	case *types.AttributeValueMemberN:
		return Attribute{Name: name, Kind: Number, Text: v.Value}
	default:
		return Attribute{Name: name, Kind: Other, Other: v}
	}
}

// AttributesOf are those of a row of the SDK's.
func AttributesOf(row map[string]types.AttributeValue) []Attribute {
	return appendAttributes(make([]Attribute, 0, len(row)), row)
}

func appendAttributes(list []Attribute, row item) []Attribute {
	for name, v := range row {
		list = append(list, attributeOf(name, v))
	}
	return list
}

// Rows are what a query has found. Where an answer names an attribute of a row
// twice, both are here, and the last one counts.
type Rows struct {
	attributes []Attribute // of all rows
	ends       []int       // of each row in them
	read       bool
}

// Len is how many there are.
func (r *Rows) Len() int { return len(r.ends) }

// Row has the attributes of the i-th, in no order.
func (r *Rows) Row(i int) []Attribute {
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.attributes[from:r.ends[i]]
}

func (r *Rows) end() { r.ends = append(r.ends, len(r.attributes)) }

// Take is an option of one Query: what it finds goes into r, and not into the
// Items of its output. Call Filled afterwards.
func (r *Rows) Take(o *dynamodb.Options) {
	if p, installed := o.Protocol.(protocol); installed {
		p.rows = r
		o.Protocol = p
	}
}

// Filled takes over the items that the SDK has read, where it has: the answer is
// not one that is known here, or the client's are not read here at all.
func (r *Rows) Filled(items []map[string]types.AttributeValue) {
	if r.read {
		return
	}
	*r = Rows{}
	for _, i := range items {
		r.attributes = appendAttributes(r.attributes, i)
		r.end()
	}
}

// rows reads the rows of a query's answer.
func (r *reader) rows() Rows {
	var rows Rows
	r.list(func() {
		from := r.at
		rows.attributes = r.attributes(rows.attributes)
		if len(rows.ends) == 0 && r.at > from { // the others are much the same
			others := (len(r.text) - r.at) / (r.at - from)
			rows.attributes = slices.Grow(rows.attributes, others*len(rows.attributes))
			rows.ends = make([]int, 0, others+1)
		}
		rows.end()
	})
	return rows
}

// attributes appends those of a row.
func (r *reader) attributes(list []Attribute) []Attribute {
	if !r.skip('{') {
		return list
	}
	if r.next() == '}' {
		r.at++
		return list
	}
	for {
		list = append(list, Attribute{})
		if a := &list[len(list)-1]; !r.usual(a) {
			a.Name = r.string()
			r.skip(':')
			*a = attributeOf(a.Name, r.value())
		}
		if r.next() == ',' {
			r.at++
			continue
		}
		r.skip('}')
		return list
	}
}

// usual reads a text or a number as DynamoDB writes nearly all. It is false, and
// nothing read, for any other attribute.
func (r *reader) usual(a *Attribute) bool {
	const text, number = `":{"S":"`, `":{"N":"`
	all, name := r.text, r.at+1
	if name > len(all) || all[r.at] != '"' {
		return false
	}
	nameEnd := quote(all, name)
	if nameEnd < 0 {
		return false
	}
	kind := Text
	if rest := all[nameEnd:]; strings.HasPrefix(rest, number) {
		kind = Number
	} else if !strings.HasPrefix(rest, text) {
		return false
	}
	value := nameEnd + len(text)
	end := quote(all, value)
	if end < 0 || end+1 == len(all) || all[end+1] != '}' || r.escape < end && r.hasEscape(name, end) {
		return false
	}
	a.Name, a.Kind, a.Text = all[name:nameEnd], kind, all[value:end]
	r.at = end + len(`"}`)
	return true
}
