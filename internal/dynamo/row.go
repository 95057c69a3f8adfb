package dynamo

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Row reads a row attribute by attribute. Unmarshal does it for a whole struct,
// and takes six times as long; a page of a hundred transactions is worth the
// lines. An attribute that is not there reads as the zero value.
type Row struct {
	item Item
	err  error
}

// NewRow reads item.
func NewRow(item Item) *Row { return &Row{item: item} }

// Err is the first attribute that was of another type than asked for.
func (r *Row) Err() error { return r.err }

func (r *Row) fail(name string, v types.AttributeValue) {
	if r.err == nil {
		r.err = fmt.Errorf("read row: attribute %s is a %T", name, v)
	}
}

// Text is an attribute of type S.
func (r *Row) Text(name string) string {
	switch v := r.item[name].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case nil:
	default:
		r.fail(name, v)
	}
	return ""
}

// Int is an attribute of type N that holds a whole number.
func (r *Row) Int(name string) int64 {
	switch v := r.item[name].(type) {
	case *types.AttributeValueMemberN:
		n, err := strconv.ParseInt(v.Value, 10, 64)
		if err != nil {
			r.fail(name, v)
		}
		return n
	case nil:
	default:
		r.fail(name, v)
	}
	return 0
}

// Bool is an attribute of type BOOL.
func (r *Row) Bool(name string) bool {
	switch v := r.item[name].(type) {
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case nil:
	default:
		r.fail(name, v)
	}
	return false
}

// Has is whether there is such an attribute.
func (r *Row) Has(name string) bool {
	_, there := r.item[name]
	return there
}

// Texts is an attribute of type L that holds texts; nil when it is NULL, as
// which a slice without elements may be stored.
func (r *Row) Texts(name string) []string {
	switch v := r.item[name].(type) {
	case *types.AttributeValueMemberL:
		texts := make([]string, len(v.Value))
		for i, element := range v.Value {
			s, ok := element.(*types.AttributeValueMemberS)
			if !ok {
				r.fail(name, element)
				return nil
			}
			texts[i] = s.Value
		}
		return texts
	case nil, *types.AttributeValueMemberNULL:
	default:
		r.fail(name, v)
	}
	return nil
}

// TextsByName is an attribute of type M that holds texts; nil when it is NULL.
func (r *Row) TextsByName(name string) map[string]string {
	switch v := r.item[name].(type) {
	case *types.AttributeValueMemberM:
		texts := make(map[string]string, len(v.Value))
		for key, member := range v.Value {
			s, ok := member.(*types.AttributeValueMemberS)
			if !ok {
				r.fail(name, member)
				return nil
			}
			texts[key] = s.Value
		}
		return texts
	case nil, *types.AttributeValueMemberNULL:
	default:
		r.fail(name, v)
	}
	return nil
}

// Into is an attribute that knows how it is stored; nothing is done where it is
// not there.
func (r *Row) Into(name string, to interface {
	UnmarshalDynamoDBAttributeValue(types.AttributeValue) error
},
) {
	if v, ok := r.item[name]; ok {
		if err := to.UnmarshalDynamoDBAttributeValue(v); err != nil && r.err == nil {
			r.err = fmt.Errorf("read row: attribute %s: %w", name, err)
		}
	}
}
