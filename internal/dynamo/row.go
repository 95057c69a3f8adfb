package dynamo

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo/dynamojson"
)

// Row reads a row attribute by attribute. Unmarshal does it for a whole struct,
// and takes six times as long; a page of a hundred transactions is worth the
// lines. An attribute that is not there reads as the zero value.
type Row struct {
	attributes []dynamojson.Attribute
	// places is a hash table of attributes: of their indices, counted from 1. It
	// is made anew for each row, since rows have their attributes in any order and
	// leave out what is empty.
	places []int
	outer  *Row // where this is a map in a row
	err    error
}

// NewRow reads item.
func NewRow(item Item) *Row {
	r := &Row{}
	r.take(dynamojson.AttributesOf(item))
	return r
}

// take reads another row from now on.
func (r *Row) take(attributes []dynamojson.Attribute) {
	r.attributes, r.err = attributes, nil
	if room := 2 * len(attributes); len(r.places) < room {
		size := 16
		for size < room {
			size *= 2
		}
		r.places = make([]int, size)
	} else {
		clear(r.places)
	}
	for i := range attributes {
		r.places[r.place(attributes[i].Name)] = i + 1
	}
}

// place is where the table has an attribute, or has room for it. Of the factors
// that were tried, 29 and 49 spread the names of our rows best.
func (r *Row) place(name string) int {
	mask, at := len(r.places)-1, len(name)
	if at > 0 {
		at += 29*int(name[0]) + 49*int(name[at-1])
	}
	for ; ; at++ {
		if i := r.places[at&mask]; i == 0 || r.attributes[i-1].Name == name {
			return at & mask
		}
	}
}

// attribute is nil where there is none of the name.
func (r *Row) attribute(name string) *dynamojson.Attribute {
	if len(r.attributes) == 0 {
		return nil
	}
	i := r.places[r.place(name)]
	if i == 0 {
		return nil
	}
	return &r.attributes[i-1]
}

// Err is the first attribute that was of another type than asked for.
func (r *Row) Err() error { return r.err }

func (r *Row) fail(name string, err error) {
	for r.outer != nil {
		r = r.outer
	}
	if r.err == nil {
		r.err = fmt.Errorf("read row: attribute %s: %w", name, err)
	}
}

// misread fails for an attribute of another type than asked for.
func (r *Row) misread(name string, v types.AttributeValue) { r.fail(name, fmt.Errorf("it is a %T", v)) }

// Text is an attribute of type S.
func (r *Row) Text(name string) string {
	switch a := r.attribute(name); {
	case a == nil:
	case a.Kind == dynamojson.Text:
		return a.Text
	default:
		r.misread(name, a.Value())
	}
	return ""
}

// Int is an attribute of type N that holds a whole number.
func (r *Row) Int(name string) int64 {
	switch a := r.attribute(name); {
	case a == nil:
	case a.Kind == dynamojson.Number:
		// Atoi is three times as fast as ParseInt for what has less than 19 digits.
		n, err := strconv.Atoi(a.Text)
		if err != nil {
			r.misread(name, a.Value())
		}
		return int64(n)
	default:
		r.misread(name, a.Value())
	}
	return 0
}

// Bool is an attribute of type BOOL.
func (r *Row) Bool(name string) bool {
	switch v := r.value(name).(type) {
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case nil:
	default:
		r.misread(name, v)
	}
	return false
}

// Has is whether there is such an attribute.
func (r *Row) Has(name string) bool { return r.attribute(name) != nil }

// Texts is an attribute of type L that holds texts; nil when it is NULL, as
// which a slice without elements may be stored.
func (r *Row) Texts(name string) []string {
	switch v := r.value(name).(type) {
	case *types.AttributeValueMemberL:
		texts := make([]string, len(v.Value))
		for i, element := range v.Value {
			s, ok := element.(*types.AttributeValueMemberS)
			if !ok {
				r.misread(name, element)
				return nil
			}
			texts[i] = s.Value
		}
		return texts
	case nil, *types.AttributeValueMemberNULL:
	default:
		r.misread(name, v)
	}
	return nil
}

// TextsByName is an attribute of type M that holds texts; nil when it is NULL.
func (r *Row) TextsByName(name string) map[string]string {
	members := r.members(name)
	if members == nil {
		return nil
	}
	texts := make(map[string]string, len(members))
	for key, member := range members {
		s, ok := member.(*types.AttributeValueMemberS)
		if !ok {
			r.misread(name, member)
			return nil
		}
		texts[key] = s.Value
	}
	return texts
}

// Inner is an attribute of type M, to be read like a row; one without attributes
// when it is NULL. What fails in it is the outer row's Err.
func (r *Row) Inner(name string) *Row {
	inner := NewRow(r.members(name))
	inner.outer = r
	return inner
}

// members is an attribute of type M; nil when it is NULL.
func (r *Row) members(name string) Item {
	switch v := r.value(name).(type) {
	case *types.AttributeValueMemberM:
		return v.Value
	case nil, *types.AttributeValueMemberNULL:
	default:
		r.misread(name, v)
	}
	return nil
}

// Into is an attribute that knows how it is stored; nothing is done where it is
// not there.
func (r *Row) Into(name string, to interface {
	UnmarshalDynamoDBAttributeValue(types.AttributeValue) error
},
) {
	if v := r.value(name); v != nil {
		if err := to.UnmarshalDynamoDBAttributeValue(v); err != nil {
			r.fail(name, err)
		}
	}
}

// value is an attribute's value as the SDK has it; nil where it is not there.
func (r *Row) value(name string) types.AttributeValue {
	if a := r.attribute(name); a != nil {
		return a.Value()
	}
	return nil
}
