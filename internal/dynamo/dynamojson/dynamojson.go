// Package dynamojson reads DynamoDB's answers faster than the SDK does, which
// spends more on a page of rows than everything else in the request together, and
// what a query has found faster still, as Rows.
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
func Install(o *dynamodb.Options) { o.Protocol = protocol{ClientProtocol: o.Protocol} }

// protocol is the SDK's but for the answers that are read here.
type protocol struct {
	smithyhttp.ClientProtocol
	// rows is where those of a query go; nil for its output.
	rows *Rows
}

// DeserializeResponse is smithyhttp.ClientProtocol's.
func (p protocol) DeserializeResponse(
	ctx context.Context, schema *smithy.OperationSchema, types *smithy.TypeRegistry, resp *smithyhttp.Response, out smithy.Deserializable,
) error {
	if p.rows != nil {
		*p.rows = Rows{} // of an attempt that has failed after all
	}
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
	if utf8.Valid(payload.Bytes()) && read(payload.String(), out, p.rows) {
		return nil
	}
	// The SDK closes the body whoever has read it.
	resp.Body = struct {
		io.Reader
		io.Closer
	}{&payload, resp.Body}
	return p.ClientProtocol.DeserializeResponse(ctx, schema, types, resp, out)
}

// read reads a payload into out, and what a query has found into rows unless that
// is nil. It is false, and both untouched, where there is something in it that it
// does not know.
func read(payload string, out smithy.Deserializable, rows *Rows) bool {
	r := newReader(payload)
	switch out := out.(type) {
	case *dynamodb.QueryOutput:
		var got dynamodb.QueryOutput
		var found Rows
		ok := r.object(func(name string) bool {
			switch name {
			case "Items":
				if rows == nil {
					got.Items = r.items()
				} else {
					found = r.rows()
				}
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
			if rows != nil {
				*rows = found
				rows.read = true
			}
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
