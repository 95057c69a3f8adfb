package dynamo

import (
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Decode decodes a row that Encode has written.
func Decode[R any](row Item) (R, error) {
	var out R
	err := attributevalue.UnmarshalMapWithOptions(row, &out, func(o *attributevalue.DecoderOptions) {
		o.DecodeTime.N = func(text string) (time.Time, error) {
			ms, err := strconv.ParseInt(text, 10, 64)
			return FromMillis(ms), err
		}
	})
	if err != nil {
		return out, fmt.Errorf("unmarshal %T: %w", out, err)
	}
	return out, nil
}

// Numbers decodes a row with arbitrary attribute names. Apart from the key, all values are whole numbers.
func Numbers(row Item) (map[string]int64, error) {
	numbers := maps.Clone(row)
	delete(numbers, "pk")
	delete(numbers, "sk")
	return Decode[map[string]int64](numbers)
}

// KeyOf returns the primary key of a row. If a query finds rows of several kinds, the key says which kind a row is.
func KeyOf(row Item) Key { return Key{Text(row, "pk"), Text(row, "sk")} }

// ByKey returns rows by their keys.
func ByKey(rows []Item) map[Key]Item {
	all := make(map[Key]Item, len(rows))
	for _, row := range rows {
		all[KeyOf(row)] = row
	}
	return all
}

// Text returns a string attribute, or "" if the row does not have it.
func Text(row Item, name string) string {
	s, ok := row[name].(*types.AttributeValueMemberS)
	if !ok {
		return ""
	}
	return s.Value
}
