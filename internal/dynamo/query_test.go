package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/dynamojson"
)

// answers are sent one after the other; one that starts with ! breaks off at its end.
type answers struct {
	mu    sync.Mutex
	left  []string
	asked []string
}

func (a *answers) Do(r *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, string(asked))
	if len(a.left) == 0 {
		return nil, errors.New("there is no answer left")
	}
	answer, broken := strings.CutPrefix(a.left[0], "!")
	a.left = a.left[1:]
	var body io.Reader = strings.NewReader(answer)
	if broken {
		body = io.MultiReader(body, brokenOff{})
	}
	return &http.Response{
		StatusCode:    http.StatusOK,
		Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		ContentLength: -1,
		Body:          io.NopCloser(body),
	}, nil
}

type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// client asks twice at most.
func client(a dynamodb.HTTPClient, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(aws.Config{
		Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("x", "x", ""), HTTPClient: a,
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.Backoff = 2, retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
				o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
					return aws.BoolTernary(errors.Is(err, io.ErrUnexpectedEOF))
				}))
			})
		},
	}, options...)
}

// readers are the clients that rows may come from.
func readers() map[string]func(*dynamodb.Options) {
	return map[string]func(*dynamodb.Options){"our reader's": dynamojson.Install, "the SDK's": func(*dynamodb.Options) {}}
}

func question() dynamo.Query { return dynamo.Query{Partition: "p"} }

func tableOf(db *dynamodb.Client) dynamo.Table { return dynamo.NewTable(db, "t") }

// list reads an attribute of each row.
func list(t *testing.T, db *dynamodb.Client) []string {
	t.Helper()
	var all []string
	for row, err := range tableOf(db).Query(t.Context(), question()) {
		require.NoError(t, err)
		all = append(all, row.Text("sk"))
		require.NoError(t, row.Err())
	}
	return all
}

func TestQuery(t *testing.T) {
	t.Parallel()
	for name, read := range readers() {
		t.Run("gives "+name+" rows of any order and width, each for itself", func(t *testing.T) {
			const page = `{"Count":4,"Items":[{"sk":{"S":"1"},"n":{"N":"1"},"on":{"BOOL":true}},{"n":{"S":"x"}},{},{"on":{"BOOL":false},"n":{"N":"4"},"more":{"S":"m"},"sk":{"S":"4"}}],` +
				`"LastEvaluatedKey":{"sk":{"S":"4"}}}`
			found, err := tableOf(client(&answers{left: []string{page}}, read)).Page(t.Context(), question())
			require.NoError(t, err)
			assert.Equal(t, dynamo.Item{"sk": dynamo.S("4")}, found.Last)
			var got []string
			for row := range found.Rows() {
				got = append(
					got,
					fmt.Sprintf("%q %d %t %q %t", row.Text("sk"), row.Int("n"), row.Bool("on"), row.Text("more"), row.Err() == nil),
				)
			}
			assert.Equal(t, []string{`"1" 1 true "" true`, `"" 0 false "" false`, `"" 0 false "" true`, `"4" 4 false "m" true`}, got)
		})

		t.Run("reads all pages, "+name, func(t *testing.T) {
			a := &answers{left: []string{
				`{"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}}],"LastEvaluatedKey":{"sk":{"S":"2"}}}`,
				`{"Items":[],"LastEvaluatedKey":{"sk":{"S":"5"}}}`, `{"Items":[{"sk":{"S":"6"}}]}`,
			}}
			assert.Equal(t, []string{"1", "2", "6"}, list(t, client(a, read)))
			require.Len(t, a.asked, 3)
			assert.NotContains(t, a.asked[0], "ExclusiveStartKey")
			assert.Contains(t, a.asked[1], `"ExclusiveStartKey":{"sk":{"S":"2"}}`)
			assert.Contains(t, a.asked[2], `"ExclusiveStartKey":{"sk":{"S":"5"}}`)
		})

		t.Run("stops when the caller stops, "+name, func(t *testing.T) {
			a := &answers{left: []string{`{"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}}],"LastEvaluatedKey":{"sk":{"S":"2"}}}`}}
			for _, err := range tableOf(client(a, read)).Query(t.Context(), question()) {
				require.NoError(t, err)
				break
			}
			assert.Len(t, a.asked, 1)
		})

		t.Run("returns each row once after an interrupted response, "+name, func(t *testing.T) {
			a := &answers{
				left: []string{`!{"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}},{"sk"`, `{"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}}]}`},
			}
			assert.Equal(t, []string{"1", "2"}, list(t, client(a, read)))
			assert.Len(t, a.asked, 2)
		})

		// The first answer is read, and refused by what looks at it afterwards; the
		// second one is not of the form that our reader knows.
		t.Run("drops the rows of a failed attempt, "+name, func(t *testing.T) {
			a := &answers{
				left: []string{
					`{"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}}]}`,
					`{"Items":[{"sk":{"S":"3"},"set":{"NS":["1"]}}],"ConsumedCapacity":{}}`,
				},
			}
			assert.Equal(t, []string{"3"}, list(t, client(a, read, refuseFirst)))
		})

		t.Run("ends with an error, "+name, func(t *testing.T) {
			a := &answers{left: []string{`{"Items":[{"sk":{"S":"1"}}],"LastEvaluatedKey":{"sk":{"S":"1"}}}`, "!", "!"}}
			var rows, failures int
			for _, err := range tableOf(client(a, read)).Query(t.Context(), question()) {
				if err != nil {
					require.ErrorIs(t, err, io.ErrUnexpectedEOF)
					failures++
					continue
				}
				rows++
			}
			assert.Equal(t, []int{1, 1}, []int{rows, failures})
		})
	}
}

// refuseFirst fails the first attempt of a client after its response was read.
func refuseFirst(o *dynamodb.Options) {
	refused := false
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc(
			"RefuseFirst",
			func(ctx context.Context, in middleware.DeserializeInput,
				next middleware.DeserializeHandler) (middleware.DeserializeOutput, middleware.Metadata, error) {
				out, metadata, err := next.HandleDeserialize(ctx, in)
				if err == nil && !refused {
					refused, err = true, io.ErrUnexpectedEOF
				}
				return out, metadata, err
			},
		), middleware.Before)
	})
}

// echo returns its request, so that mixed-up responses show.
type echo struct{}

func (echo) Do(r *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(asked), `"TableName":"`)
	table, _, _ := strings.Cut(rest, `"`)
	rows := strings.Repeat(`,{"other":{"N":"1"},"sk":{"S":"`+table+`"}}`, 50)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}, ContentLength: -1,
		Body: io.NopCloser(strings.NewReader(`{"Items":[` + rows[1:] + `]}`)),
	}, nil
}

func TestQueriesAtTheSameTimeKeepTheirRows(t *testing.T) {
	t.Parallel()
	db := client(echo{}, dynamojson.Install)
	var group errgroup.Group
	for i := range 8 {
		group.Go(func() error {
			for n := range 20 {
				table := fmt.Sprintf("table-%d-%d", i, n)
				found, err := dynamo.NewTable(db, table).Page(t.Context(), question())
				if err != nil {
					return err
				}
				rows := 0
				for row := range found.Rows() {
					if rows++; row.Text("sk") != table {
						return fmt.Errorf("%s was given a row of %s", table, row.Text("sk"))
					}
				}
				if rows != 50 {
					return fmt.Errorf("%s was given %d rows", table, rows)
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
}
