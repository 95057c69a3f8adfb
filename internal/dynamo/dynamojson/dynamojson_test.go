package dynamojson

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// canned gives every call the same response.
type canned struct {
	status  int
	payload string
	closed  int
}

func (c *canned) Do(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: c.status, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}, ContentLength: int64(len(c.payload)),
		Body: struct {
			io.Reader
			io.Closer
		}{strings.NewReader(c.payload), closer(func() { c.closed++ })},
	}, nil
}

type closer func()

func (f closer) Close() error {
	f()
	return nil
}

func client(c *canned, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(aws.Config{
		Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("x", "x", ""), HTTPClient: c,
		Retryer: func() aws.Retryer { return aws.NopRetryer{} },
	}, options...)
}

// both decodes a response with the SDK and with this package, and returns both
// results. The call through this package is the SDK's unless another is given.
func both[Out any](
	t require.TestingT, status int, payload string, ask func(*dynamodb.Client) (*Out, error), own ...func(*dynamodb.Client) (*Out, error),
) (want, got *Out, wantErr, gotErr error) {
	theirs, ours := &canned{status: status, payload: payload}, &canned{status: status, payload: payload}
	want, wantErr = ask(client(theirs))
	got, gotErr = append(own, ask)[0](client(ours, Install))
	require.Equal(t, theirs.closed, ours.closed, "the body is closed as often")
	return want, got, wantErr, gotErr
}

// same compares both ways of decoding a query's response with the SDK's. It returns
// false if the SDK rejects the response: this package need not reject it, because
// DynamoDB does not send it.
func same(t require.TestingT, payload string) bool {
	want, got, wantErr, gotErr := both(t, 200, payload, query)
	if wantErr != nil {
		return false
	}
	require.NoError(t, gotErr)
	require.Equal(t, want, got)
	_, got, _, gotErr = both(t, 200, payload, query, queryRows)
	require.NoError(t, gotErr)
	if len(want.Items) == 0 {
		want.Items = nil
	}
	require.Equal(t, want, got)
	return true
}

func query(c *dynamodb.Client) (*dynamodb.QueryOutput, error) {
	out, err := c.Query(
		context.Background(),
		&dynamodb.QueryInput{TableName: aws.String("t"), KeyConditionExpression: aws.String("pk = :pk")},
	)
	if out != nil {
		out.ResultMetadata = middleware.Metadata{}
	}
	return out, err
}

// queryRows converts the rows of a query's response to items.
func queryRows(c *dynamodb.Client) (*dynamodb.QueryOutput, error) {
	var rows Rows
	out, err := c.Query(
		context.Background(),
		&dynamodb.QueryInput{TableName: aws.String("t"), KeyConditionExpression: aws.String("pk = :pk")},
		rows.Take,
	)
	if err != nil {
		return nil, err
	}
	rows.Filled(out.Items)
	out.Items, out.ResultMetadata = nil, middleware.Metadata{}
	for i := range rows.Len() {
		row := item{}
		for _, a := range rows.Row(i) {
			row[a.Name] = a.Value()
		}
		out.Items = append(out.Items, row)
	}
	return out, nil
}

func get(c *dynamodb.Client) (*dynamodb.GetItemOutput, error) {
	out, err := c.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String("t"), Key: item{}})
	if out != nil {
		out.ResultMetadata = middleware.Metadata{}
	}
	return out, err
}

func batch(c *dynamodb.Client) (*dynamodb.BatchGetItemOutput, error) {
	out, err := c.BatchGetItem(
		context.Background(),
		&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"t": {Keys: []item{{}}}}},
	)
	if out != nil {
		out.ResultMetadata = middleware.Metadata{}
	}
	return out, err
}

func TestResponsesAreDecodedAsByTheSDK(t *testing.T) {
	t.Parallel()
	const row = `{"pk":{"S":"U"},"n":{"N":"-1.50"},"b":{"B":"AAEC"},"on":{"BOOL":true},"off":{"BOOL":false},"no":{"NULL":true},` +
		`"set":{"SS":["a","b"]},"none":{"SS":[]},"map":{"M":{"in":{"M":{}},"l":{"L":[{"S":"x"},{"L":[]}]}}},"esc":{"S":"a\"\\\n\u00e9\ud83d\ude00 é"},"empty":{"S":""}}`
	for name, payload := range map[string]string{
		"rows":                 `{"Count":2,"Items":[` + row + `,{"pk":{"S":"V"}}],"ScannedCount":3,"LastEvaluatedKey":{"pk":{"S":"V"}}}`,
		"no rows":              `{"Count":0,"Items":[],"ScannedCount":0}`,
		"white space":          " {\n \"Items\" : [ { \"pk\" : { \"S\" : \"U\" } } , { } ] , \"Count\" : 2 }\n",
		"an empty object":      `{}`,
		"units":                `{"Items":[` + row + `],"ConsumedCapacity":{"CapacityUnits":1.5}}`,
		"types of other kinds": `{"Items":[{"a":{"NS":["1","2"]},"b":{"BS":["AAEC"]}}]}`,
		"null":                 `{"Items":null,"Count":0}`,
		"a null attribute":     `{"Items":[{"a":null}]}`,
		"rows of other shapes": `{"Items":[{},{"a":{"S":""}},` + row + `,{"b":{"N":"1"},"a":{"S":"\u00fc"}},{"a":{"BOOL":true},"b":{"S":"x"}}]}`,
		"a name twice":         `{"Items":[{"a":{"S":"1"},"b":{"S":"2"},"a":{"N":"3"}}]}`,
		"escapes in names":     `{"Items":[{"\u0061":{"S":"1"},"\"":{"S":"2"}}]}`,
		"an escape, then none": `{"Items":[{"a":{"S":"\\"},"b":{"S":"x"}},{"a":{"S":"x"},"b":{"S":"\""}}]}`,
	} {
		t.Run("a query's: "+name, func(t *testing.T) {
			require.True(t, same(t, payload))
		})
	}
	for name, payload := range map[string]string{"a row": `{"Item":` + row + `}`, "none": `{}`,
		"more": `{"Item":` + row + `,"ConsumedCapacity":{"CapacityUnits":1}}`} {
		t.Run("a read's: "+name, func(t *testing.T) {
			want, got, wantErr, gotErr := both(t, 200, payload, get)
			require.NoError(t, wantErr)
			require.NoError(t, gotErr)
			assert.Equal(t, want, got)
		})
	}
	for name, payload := range map[string]string{
		"rows of two tables": `{"Responses":{"t":[` + row + `,` + row + `],"u":[]},"UnprocessedKeys":{}}`,
		"keys left over":     `{"Responses":{"t":[` + row + `]},"UnprocessedKeys":{"t":{"Keys":[{"pk":{"S":"U"}}]}}}`,
	} {
		t.Run("a batch's: "+name, func(t *testing.T) {
			want, got, wantErr, gotErr := both(t, 200, payload, batch)
			require.NoError(t, wantErr)
			require.NoError(t, gotErr)
			if len(want.UnprocessedKeys) == 0 { // the SDK gives an empty map for {}
				want.UnprocessedKeys = nil
			}
			assert.Equal(t, want, got)
		})
	}
	for name, tt := range map[string]struct {
		status  int
		payload string
	}{
		"a failure":        {400, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"no table"}`},
		"a throttled call": {400, `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}`},
		"a broken answer":  {200, `{"Items":[{"pk":{"S":"U"}`},
		"an outage":        {500, `<html>`},
	} {
		t.Run(name+" is the SDK's error", func(t *testing.T) {
			for _, ask := range []func(*dynamodb.Client) (*dynamodb.QueryOutput, error){query, queryRows} {
				_, _, wantErr, gotErr := both(t, tt.status, tt.payload, query, ask)
				require.Error(t, wantErr)
				assert.EqualError(t, gotErr, wantErr.Error())
			}
		})
	}
}

// Whatever rows contain, and however they are formatted, they decode the same as
// with the SDK.
func TestRandomRows(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z"\\/<>&\n\t\x00-\x1f€😀]{0,12}`))
	var value *rapid.Generator[map[string]any]
	value = rapid.Custom(func(t *rapid.T) map[string]any {
		kinds := []string{"S", "N", "BOOL", "NULL", "B", "SS", "M", "L"}
		switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
		case "S":
			return map[string]any{kind: text.Draw(t, "text")}
		case "N":
			return map[string]any{kind: fmt.Sprint(rapid.Int64().Draw(t, "number"))}
		case "BOOL":
			return map[string]any{kind: rapid.Bool().Draw(t, "bool")}
		case "NULL":
			return map[string]any{kind: true}
		case "B":
			return map[string]any{kind: rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")}
		case "SS":
			return map[string]any{kind: rapid.SliceOf(text).Draw(t, "set")}
		case "M":
			return map[string]any{
				kind: rapid.MapOfN(text, rapid.Deferred(func() *rapid.Generator[map[string]any] { return value }), 0, 2).Draw(t, "map"),
			}
		default:
			return map[string]any{
				kind: rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[map[string]any] { return value }), 0, 2).Draw(t, "list"),
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.MapOfN(text, value, 0, 6), 0, 4).Draw(t, "rows")
		var payload bytes.Buffer
		e := json.NewEncoder(&payload)
		e.SetEscapeHTML(rapid.Bool().Draw(t, "escaped"))
		if rapid.Bool().Draw(t, "indented") {
			e.SetIndent(" ", "\t")
		}
		require.NoError(t, e.Encode(map[string]any{"Items": rows, "Count": len(rows), "ScannedCount": len(rows)}))
		require.True(t, same(t, payload.String()))
	})
}

// Rows in the usual format are decoded here and not left to the SDK.
func TestUsualRowsAreDecodedHere(t *testing.T) {
	t.Parallel()
	const rows = `{"Items":[{"pk":{"S":"U"},"n":{"N":"1"}}],"Count":1,"ScannedCount":1,"LastEvaluatedKey":{"pk":{"S":"U"}}}`
	assert.True(t, read(rows, &dynamodb.QueryOutput{}, nil))
	assert.True(t, read(rows, &dynamodb.QueryOutput{}, &Rows{}))
	assert.True(t, read(`{"Item":{"pk":{"S":"U"}}}`, &dynamodb.GetItemOutput{}, nil))
	assert.True(t, read(`{"Responses":{"t":[{"pk":{"S":"U"}}]},"UnprocessedKeys":{}}`, &dynamodb.BatchGetItemOutput{}, nil))
}

func FuzzRead(f *testing.F) {
	f.Add(`{"Items":[{"pk":{"S":"U"},"n":{"N":"1"}}],"Count":1}`)
	f.Add(`{"Items":[{"a":{"S":"\\"},"a":{"S":"\u00e9"}},{"b":{"N":"1"},"a":{"S":""}}]}`)
	f.Add(`{"Items":[{"a":{"M":{"b":{"L":[{"BOOL":true}]}}}}],"LastEvaluatedKey":{}}`)
	f.Fuzz(func(t *testing.T, payload string) {
		same(t, payload)
	})
}
