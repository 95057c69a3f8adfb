// Package dynamojson reads DynamoDB's answers faster than the SDK does, which
// spends more on a page of rows than everything else in the request together.
// It knows the answers of Query, GetItem and BatchGetItem in the form that they
// usually have, and leaves all others, failures among them, to the SDK.
package dynamojson

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Install makes a client read its answers here: an option of dynamodb.New.
func Install(o *dynamodb.Options) { o.Protocol = protocol{o.Protocol} }

// protocol is the SDK's but for the answers that are read here.
type protocol struct{ smithyhttp.ClientProtocol }

// DeserializeResponse is smithyhttp.ClientProtocol's.
func (p protocol) DeserializeResponse(
	ctx context.Context, schema *smithy.OperationSchema, types *smithy.TypeRegistry, resp *smithyhttp.Response, out smithy.Deserializable,
) error {
	known := false
	switch out.(type) {
	case *dynamodb.QueryOutput, *dynamodb.GetItemOutput, *dynamodb.BatchGetItemOutput:
		known = resp.StatusCode == http.StatusOK
	}
	if !known {
		return p.ClientProtocol.DeserializeResponse(ctx, schema, types, resp, out)
	}
	var payload bytes.Buffer
	payload.Grow(int(max(resp.ContentLength, 0)) + bytes.MinRead)
	if _, err := payload.ReadFrom(resp.Body); err != nil {
		return &smithy.DeserializationError{Err: err}
	}
	if utf8.Valid(payload.Bytes()) && read(payload.String(), out) {
		return nil
	}
	// The SDK closes the body whoever has read it.
	resp.Body = struct {
		io.Reader
		io.Closer
	}{&payload, resp.Body}
	return p.ClientProtocol.DeserializeResponse(ctx, schema, types, resp, out)
}

// read reads a payload into out. It is false, and out untouched, where there is
// something in it that it does not know.
func read(payload string, out smithy.Deserializable) bool {
	r := newReader(payload)
	switch out := out.(type) {
	case *dynamodb.QueryOutput:
		var got dynamodb.QueryOutput
		ok := r.object(func(name string) bool {
			switch name {
			case "Items":
				got.Items = r.items()
			case "Count":
				got.Count = r.count()
			case "ScannedCount":
				got.ScannedCount = r.count()
			case "LastEvaluatedKey":
				got.LastEvaluatedKey = r.item()
			default:
				return false
			}
			return true
		})
		if ok = ok && r.ended(); ok {
			*out = got
		}
		return ok
	case *dynamodb.GetItemOutput:
		var got dynamodb.GetItemOutput
		ok := r.object(func(name string) bool {
			got.Item = r.item()
			return name == "Item"
		})
		if ok = ok && r.ended(); ok {
			*out = got
		}
		return ok
	case *dynamodb.BatchGetItemOutput:
		got := dynamodb.BatchGetItemOutput{Responses: map[string][]item{}}
		ok := r.object(func(name string) bool {
			switch name {
			case "Responses":
				return r.object(func(table string) bool {
					got.Responses[table] = r.items()
					return true
				})
			case "UnprocessedKeys": // none, or the SDK reads them
				return r.object(func(string) bool { return false })
			default:
				return false
			}
		})
		if ok = ok && r.ended(); ok {
			*out = got
		}
		return ok
	default:
		return false
	}
}
