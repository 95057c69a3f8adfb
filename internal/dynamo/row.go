package dynamo

import (
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo/dynamojson"
)

// Row reads a row attribute by attribute: by name, or whatever comes next.
// Unmarshal does it for a whole struct, and takes six times as long. An attribute
// that is not there reads as the zero value.
type Row struct {
	attributes []dynamojson.Attribute
	item       Item // as the SDK has it, where it comes from there
	outer      *Row // where this is a map in a row
	err        error
}

// NewRow reads item.
func NewRow(item Item) *Row { return &Row{attributes: dynamojson.AttributesOf(item), item: item} }

// Decode reads a row into a struct with dynamodbav tags.
func Decode[R any](row *Row) (R, error) {
	var out R
	if err := attributevalue.UnmarshalMap(row.Item(), &out); err != nil {
		return out, fmt.Errorf("unmarshal %T: %w", out, err)
	}
	return out, nil
}

// Item returns the row as the SDK has it.
func (r *Row) Item() Item {
	if r.item != nil {
		return r.item
	}
	item := make(Item, len(r.attributes))
	for i := range r.attributes {
		item[r.attributes[i].Name] = r.attributes[i].Value()
	}
	return item
}

// Key returns the primary key.
func (r *Row) Key() Key { return Key{r.Text("pk"), r.Text("sk")} }

// take reads another row from now on.
func (r *Row) take(attributes []dynamojson.Attribute) {
	r.attributes, r.item, r.err = attributes, nil, nil
}

func (r *Row) attribute(name string) Attribute {
	for i := len(r.attributes) - 1; i >= 0; i-- { // of two of the same name the last counts
		if r.attributes[i].Name == name {
			return Attribute{row: r, at: &r.attributes[i]}
		}
	}
	return Attribute{row: r}
}

// All are the attributes, in no order: for rows of which so many are read that
// looking for each name would show. Of two of the same name the last counts.
func (r *Row) All() iter.Seq[Attribute] {
	return func(yield func(Attribute) bool) {
		for i := range r.attributes {
			if !yield(Attribute{row: r, at: &r.attributes[i]}) {
				return
			}
		}
	}
}

// Err is the first attribute that was of another type than asked for.
func (r *Row) Err() error { return r.err }

// Has is whether there is such an attribute.
func (r *Row) Has(name string) bool { return r.attribute(name).at != nil }

// Text is an attribute of type S.
func (r *Row) Text(name string) string { return r.attribute(name).Text() }

// Int is an attribute of type N that holds a whole number.
func (r *Row) Int(name string) int64 { return r.attribute(name).Int() }

// Bool is an attribute of type BOOL.
func (r *Row) Bool(name string) bool { return r.attribute(name).Bool() }

// Into is an attribute that knows how it is stored; nothing is done where it is
// not there.
func (r *Row) Into(name string, to Unmarshaler) { r.attribute(name).Into(to) }

// Texts is an attribute of type L that holds texts; nil when it is NULL, as
// which a slice without elements may be stored.
func (r *Row) Texts(name string) []string {
	a := r.attribute(name)
	switch v := a.value().(type) {
	case *types.AttributeValueMemberL:
		texts := make([]string, len(v.Value))
		for i, element := range v.Value {
			s, ok := element.(*types.AttributeValueMemberS)
			if !ok {
				a.misread(element)
				return nil
			}
			texts[i] = s.Value
		}
		return texts
	case nil, *types.AttributeValueMemberNULL:
	default:
		a.misread(v)
	}
	return nil
}

// TextsByName is an attribute of type M that holds texts; nil when it is NULL.
func (r *Row) TextsByName(name string) map[string]string {
	a := r.attribute(name)
	members := a.members()
	if members == nil {
		return nil
	}
	texts := make(map[string]string, len(members))
	for key, member := range members {
		s, ok := member.(*types.AttributeValueMemberS)
		if !ok {
			a.misread(member)
			return nil
		}
		texts[key] = s.Value
	}
	return texts
}

// Inner is an attribute of type M, to be read like a row; one without attributes
// when it is NULL. What fails in it is the outer row's Err.
func (r *Row) Inner(name string) *Row {
	inner := NewRow(r.attribute(name).members())
	inner.outer = r
	return inner
}
