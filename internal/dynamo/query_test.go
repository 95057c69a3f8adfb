package dynamo_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
)

// answers are sent one after the other.
type answers struct{ left, asked []string }

var errNoneLeft = errors.New("there is no answer left")

func (a *answers) Do(r *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if a.asked = append(a.asked, string(asked)); len(a.asked) > len(a.left) {
		return nil, errNoneLeft
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body: io.NopCloser(strings.NewReader(a.left[len(a.asked)-1])),
	}, nil
}

func TestQuery(t *testing.T) {
	t.Parallel()
	const first = `{"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}}],"LastEvaluatedKey":{"sk":{"S":"2"}}}`
	// query returns the rows until stop returns true.
	query := func(a *answers, stop func(sk string) bool) (found []string, err error) {
		db := dynamodb.NewFromConfig(aws.Config{
			Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("x", "x", ""), HTTPClient: a,
			Retryer: func() aws.Retryer { return aws.NopRetryer{} },
		})
		for row, err := range dynamo.NewTable(db, "t").Query(t.Context(), dynamo.Query{Partition: "p"}) {
			if err != nil {
				return found, err
			}
			if found = append(found, dynamo.Text(row, "sk")); stop(dynamo.Text(row, "sk")) {
				break
			}
		}
		return found, nil
	}
	never := func(string) bool { return false }

	t.Run("reads all pages", func(t *testing.T) {
		t.Parallel()
		a := &answers{left: []string{first, `{"Items":[],"LastEvaluatedKey":{"sk":{"S":"5"}}}`, `{"Items":[{"sk":{"S":"6"}}]}`}}
		found, err := query(a, never)
		require.NoError(t, err)
		assert.Equal(t, []string{"1", "2", "6"}, found)
		require.Len(t, a.asked, 3)
		assert.NotContains(t, a.asked[0], "ExclusiveStartKey")
		assert.Contains(t, a.asked[1], `"ExclusiveStartKey":{"sk":{"S":"2"}}`)
		assert.Contains(t, a.asked[2], `"ExclusiveStartKey":{"sk":{"S":"5"}}`)
	})

	t.Run("stops when the caller stops", func(t *testing.T) {
		t.Parallel()
		a := &answers{left: []string{first}}
		found, err := query(a, func(sk string) bool { return sk == "2" })
		require.NoError(t, err)
		assert.Equal(t, []string{"1", "2"}, found)
		assert.Len(t, a.asked, 1)
	})

	t.Run("ends with an error", func(t *testing.T) {
		t.Parallel()
		found, err := query(&answers{left: []string{first}}, never)
		require.ErrorIs(t, err, errNoneLeft)
		assert.Equal(t, []string{"1", "2"}, found)
	})
}
