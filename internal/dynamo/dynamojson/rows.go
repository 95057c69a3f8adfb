package dynamojson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Attribute is an attribute of a row or a map, or an element of a list, which has no name.
// Strings and numbers, which nearly all are, need no memory of their own.
type Attribute struct {
	Name string
	Kind Kind
	// Text is the string, the digits of the number, or the boolean's name.
	Text string
	// other has the attributes of a map or the elements of a list, or the value of any other
	// type as the SDK's.
	other any
}

// Kind is the type of an attribute.
type Kind byte

// The kinds of attributes.
const (
	Text Kind = iota
	Number
	Bool
	Null
	List
	Map
	Other
)

// Inner returns the attributes of a map or the elements of a list.
func (a *Attribute) Inner() []Attribute {
	inner, _ := a.other.([]Attribute)
	return inner
}

// Value returns the value as an SDK type.
func (a *Attribute) Value() types.AttributeValue {
	switch a.Kind {
	case Text:
		return &types.AttributeValueMemberS{Value: a.Text}
	case Number:
		return &types.AttributeValueMemberN{Value: a.Text}
	case Bool:
		return &types.AttributeValueMemberBOOL{Value: a.Text == "true"}
	case Null:
		return &types.AttributeValueMemberNULL{Value: a.Text == "true"}
	case List:
		list := make([]types.AttributeValue, len(a.Inner()))
		for i := range list {
			list[i] = a.Inner()[i].Value()
		}
		return &types.AttributeValueMemberL{Value: list}
	case Map:
		return &types.AttributeValueMemberM{Value: ItemOf(a.Inner())}
	default:
		value, _ := a.other.(types.AttributeValue)
		return value
	}
}

// ItemOf converts attributes to a row of the SDK.
func ItemOf(attributes []Attribute) map[string]types.AttributeValue {
	row := make(item, len(attributes))
	for i := range attributes {
		row[attributes[i].Name] = attributes[i].Value()
	}
	return row
}

// attributeOf converts an attribute of the SDK.
func attributeOf(name string, v types.AttributeValue) Attribute {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return Attribute{Name: name, Kind: Text, Text: v.Value}
	case *types.AttributeValueMemberN:
		return Attribute{Name: name, Kind: Number, Text: v.Value}
	case *types.AttributeValueMemberBOOL:
		return Attribute{Name: name, Kind: Bool, Text: strconv.FormatBool(v.Value)}
	case *types.AttributeValueMemberNULL:
		return Attribute{Name: name, Kind: Null, Text: strconv.FormatBool(v.Value)}
	case *types.AttributeValueMemberL:
		list := make([]Attribute, len(v.Value))
		for i, element := range v.Value {
			list[i] = attributeOf("", element)
		}
		return Attribute{Name: name, Kind: List, other: list}
	case *types.AttributeValueMemberM:
		return Attribute{Name: name, Kind: Map, other: AttributesOf(v.Value)}
	default:
		return Attribute{Name: name, Kind: Other, other: v}
	}
}

// AttributesOf returns the attributes of an SDK row.
func AttributesOf(row map[string]types.AttributeValue) []Attribute {
	return appendAttributes(make([]Attribute, 0, len(row)), row)
}

func appendAttributes(list []Attribute, row item) []Attribute {
	for name, v := range row {
		list = append(list, attributeOf(name, v))
	}
	return list
}

// Rows has the rows that a call found. If a response names an attribute of a row
// twice, both are included, and the last one counts.
type Rows struct {
	attributes []Attribute // of all rows
	ends       []int       // where each row ends in attributes
	read       bool
}

// Len returns the number of rows.
func (r *Rows) Len() int { return len(r.ends) }

// Row returns the attributes of the i-th row, in no order.
func (r *Rows) Row(i int) []Attribute {
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.attributes[from:r.ends[i]]
}

func (r *Rows) end() { r.ends = append(r.ends, len(r.attributes)) }

// Take is an option of one call of Query, GetItem or BatchGetItem for one table: its rows go
// into r, and not into the output. Call Filled afterwards.
func (r *Rows) Take(o *dynamodb.Options) {
	if p, installed := o.Protocol.(protocol); installed {
		p.rows = r
		o.Protocol = p
	}
}

// Filled converts the items if the SDK has decoded the response, because this package
// does not support it or is not installed in the client.
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

// rows reads the rows of a query's response.
func (r *reader) rows() Rows {
	var rows Rows
	r.list(func() {
		from := r.at
		rows.attributes = r.attributes(rows.attributes)
		if len(rows.ends) == 0 && r.at > from { // the other rows have about the same size
			others := (len(r.text) - r.at) / (r.at - from)
			rows.attributes = slices.Grow(rows.attributes, others*len(rows.attributes))
			rows.ends = make([]int, 0, others+1)
		}
		rows.end()
	})
	return rows
}

// attributes appends the attributes of a row.
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
			name := r.string()
			r.skip(':')
			*a = r.value()
			a.Name = name
		}
		if r.next() == ',' {
			r.at++
			continue
		}
		r.skip('}')
		return list
	}
}

// usual reads an attribute that is a string or a number in DynamoDB's usual format,
// as nearly all are. For any other attribute it returns false and reads nothing.
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
