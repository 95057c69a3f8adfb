// Package dynamojson decodes DynamoDB's responses faster than the SDK, which spends
// more time on a page of rows than the rest of the request takes. The rows of a query
// can be decoded faster still, into Rows. The package decodes the usual form of Query,
// GetItem and BatchGetItem responses; the SDK decodes everything else, including
// errors.
package dynamojson

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"unicode/utf8"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Install is an option of dynamodb.New that makes a client decode its responses here.
func Install(o *dynamodb.Options) { o.Protocol = protocol{ClientProtocol: o.Protocol} }

// protocol is the SDK's protocol, except for the responses that are decoded here.
type protocol struct {
	smithyhttp.ClientProtocol
	// rows receives the rows of a call; if it is nil they go into the output.
	rows *Rows
}

// DeserializeResponse implements smithyhttp.ClientProtocol.
func (p protocol) DeserializeResponse(
	ctx context.Context, schema *smithy.OperationSchema, types *smithy.TypeRegistry,
	resp *smithyhttp.Response, out smithy.Deserializable,
) error {
	if p.rows != nil {
		*p.rows = Rows{} // drop the rows of a failed attempt
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
	text := unsafe.String(unsafe.SliceData(payload.Bytes()), payload.Len()) //nolint:gosec // nothing writes to it again
	if utf8.ValidString(text) && read(text, out, p.rows) {
		return nil
	}
	// The SDK closes the body, no matter who has read it.
	resp.Body = struct {
		io.Reader
		io.Closer
	}{&payload, resp.Body}
	return p.ClientProtocol.DeserializeResponse(ctx, schema, types, resp, out)
}

// read decodes a payload into out, and its rows into rows unless that is nil. It returns
// false, and changes neither, if the payload has anything that it does not support.
func read(payload string, out smithy.Deserializable, rows *Rows) bool {
	r := newReader(payload)
	var found Rows
	switch out := out.(type) {
	case *dynamodb.QueryOutput:
		var got dynamodb.QueryOutput
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
		return r.done(ok, func() { *out = got }, found, rows)
	case *dynamodb.GetItemOutput:
		var got dynamodb.GetItemOutput
		ok := r.object(func(name string) bool {
			if rows == nil {
				got.Item = r.item()
			} else {
				found.attributes = r.attributes(nil)
				found.end()
			}
			return name == "Item"
		})
		return r.done(ok, func() { *out = got }, found, rows)
	case *dynamodb.BatchGetItemOutput:
		got := dynamodb.BatchGetItemOutput{Responses: map[string][]item{}}
		ok := r.object(func(name string) bool {
			switch name {
			case "Responses":
				return r.object(func(table string) bool {
					if rows == nil {
						got.Responses[table] = r.items()
					} else {
						found = r.rows()
					}
					return true
				})
			case "UnprocessedKeys": // must be empty; else the SDK decodes the response
				return r.object(func(string) bool { return false })
			default:
				return false
			}
		})
		return r.done(ok, func() { *out = got }, found, rows)
	default:
		return false
	}
}

// done hands over what was read, if all of it could be.
func (r *reader) done(ok bool, set func(), found Rows, rows *Rows) bool {
	if !ok || !r.ended() {
		return false
	}
	set()
	if rows != nil {
		*rows = found
		rows.read = true
	}
	return true
}
