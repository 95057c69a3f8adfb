package dynamo

import (
	"fmt"
	"iter"
	"maps"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"aviso/internal/dynamo/dynamojson"
)

// Row reads a row attribute by attribute: by name, or with All. Decode reads a whole
// struct, and takes six times as long. A missing attribute reads as the zero value.
type Row struct {
	attributes []dynamojson.Attribute
	item       Item // the SDK's row, if the SDK has decoded it
	outer      *Row // the row that has this one as a map, if any
	err        error
}

// NewRow returns a Row that reads item.
func NewRow(item Item) *Row { return &Row{attributes: dynamojson.AttributesOf(item), item: item} }

// Decode reads a row into a struct with dynamodbav tags.
func Decode[R any](row *Row) (R, error) {
	var out R
	if err := attributevalue.UnmarshalMap(row.Item(), &out); err != nil {
		return out, fmt.Errorf("unmarshal %T: %w", out, err)
	}
	return out, nil
}

// Numbers decodes a row whose attributes have no fixed names: apart from its key, all are
// whole numbers.
func Numbers(row *Row) (map[string]int64, error) {
	numbers := maps.Clone(row.Item())
	delete(numbers, "pk")
	delete(numbers, "sk")
	return Decode[map[string]int64](NewRow(numbers))
}

// Item returns the row as an SDK type.
func (r *Row) Item() Item {
	if r.item != nil {
		return r.item
	}
	return dynamojson.ItemOf(r.attributes)
}

// Key returns the primary key.
func (r *Row) Key() Key { return Key{r.Text("pk"), r.Text("sk")} }

// take makes r read another row.
func (r *Row) take(attributes []dynamojson.Attribute) {
	r.attributes, r.item, r.err = attributes, nil, nil
}

// Attribute returns the attribute of that name.
func (r *Row) Attribute(name string) Attribute {
	for i := len(r.attributes) - 1; i >= 0; i-- { // if a name occurs twice, the last counts
		if r.attributes[i].Name == name {
			return Attribute{row: r, at: &r.attributes[i]}
		}
	}
	return Attribute{row: r}
}

// All iterates over the attributes, in no order. Use it if so many rows are read that
// looking up each name would be too slow. If a name occurs twice, the last counts.
func (r *Row) All() iter.Seq[Attribute] {
	return func(yield func(Attribute) bool) {
		for i := range r.attributes {
			if !yield(Attribute{row: r, at: &r.attributes[i]}) {
				return
			}
		}
	}
}

// Err returns an error for the first attribute that had an unexpected type.
func (r *Row) Err() error { return r.err }

// Has reports whether the row has the attribute.
func (r *Row) Has(name string) bool { return r.Attribute(name).at != nil }

// Text returns an attribute of type S.
func (r *Row) Text(name string) string { return r.Attribute(name).Text() }

// Int returns an attribute of type N that is a whole number.
func (r *Row) Int(name string) int64 { return r.Attribute(name).Int() }

// Bool returns an attribute of type BOOL.
func (r *Row) Bool(name string) bool { return r.Attribute(name).Bool() }

// Bytes returns an attribute of type B.
func (r *Row) Bytes(name string) []byte { return r.Attribute(name).Bytes() }

// Texts returns an attribute of type L with strings; nil if it is NULL, which is how
// an empty slice may be stored.
func (r *Row) Texts(name string) []string {
	a := r.Attribute(name)
	list, ok := a.inner(dynamojson.List)
	if !ok {
		return nil
	}
	texts := make([]string, len(list))
	for i := range list {
		if list[i].Kind != dynamojson.Text {
			a.misread(list[i].Value())
			return nil
		}
		texts[i] = list[i].Text
	}
	return texts
}

// TextsByName returns an attribute of type M with strings; nil if it is NULL.
func (r *Row) TextsByName(name string) map[string]string {
	a := r.Attribute(name)
	members, ok := a.inner(dynamojson.Map)
	if !ok {
		return nil
	}
	texts := make(map[string]string, len(members))
	for i := range members {
		if members[i].Kind != dynamojson.Text {
			a.misread(members[i].Value())
			return nil
		}
		texts[members[i].Name] = members[i].Text
	}
	return texts
}

// Inner returns an attribute of type M as a row, which is empty if the attribute is
// NULL. Its errors are reported by the outer row's Err.
func (r *Row) Inner(name string) *Row {
	members, _ := r.Attribute(name).inner(dynamojson.Map)
	return &Row{attributes: members, outer: r}
}
