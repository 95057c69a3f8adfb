// Package dynamo wraps DynamoDB for all stores: tables and their rows, queries that yield rows, and transactions with
// conditions.
package dynamo

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is a row in the SDK's form.
type Item = map[string]types.AttributeValue

// S returns a string attribute.
func S(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

// N returns a whole-number attribute.
func N(v int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
}

// Time formats t as RFC 3339 in UTC with nanoseconds of fixed width, so that the text sorts by time.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

// Millis returns t as milliseconds since 1970, and 0 for the zero time.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// FromMillis is the reverse of Millis. The result is in UTC.
func FromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Expiry returns the value of a time-to-live attribute: whole seconds since 1970.
func Expiry(t time.Time) int64 { return t.Unix() }

// Encode turns a struct with dynamodbav tags into a row. Times are stored as Millis.
func Encode(row any) (Item, error) {
	item, err := attributevalue.MarshalMapWithOptions(row, encoding)
	if err != nil {
		return nil, fmt.Errorf("marshal %T: %w", row, err)
	}
	return item, nil
}

// encoding is that of rows and of the arguments of expressions.
func encoding(o *attributevalue.EncoderOptions) {
	o.OmitEmptyTime = true
	o.EncodeTime = func(t time.Time) (types.AttributeValue, error) { return N(Millis(t)), nil }
}

// marshal turns a struct with dynamodbav tags, or an Item, into a row with its key.
func marshal(key Key, row any) (Item, error) {
	item, isItem := row.(Item)
	if isItem {
		item = maps.Clone(item)
	} else {
		var err error
		if item, err = Encode(row); err != nil {
			return nil, err
		}
	}
	maps.Copy(item, key.item())
	return item, nil
}

// Position returns a key as text, or "" for no key. All attributes must be strings.
func Position(key Item) (string, error) {
	if len(key) == 0 {
		return "", nil
	}
	flat := make(map[string]string, len(key))
	for name, av := range key {
		s, ok := av.(*types.AttributeValueMemberS)
		if !ok {
			return "", fmt.Errorf("position: key attribute %s is not a string", name)
		}
		flat[name] = s.Value
	}
	b, err := json.Marshal(flat)
	return string(b), err
}

// StartKey is the reverse of Position.
func StartKey(position string) (Item, error) {
	if position == "" {
		return nil, nil
	}
	var flat map[string]string
	if err := json.Unmarshal([]byte(position), &flat); err != nil {
		return nil, fmt.Errorf("start key: %w", err)
	}
	return attributevalue.MarshalMap(flat)
}
