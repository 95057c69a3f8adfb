package blackbox_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nobody else sees a cancellation, or can do anything about it.
func TestCancelIsPrivate(t *testing.T) {
	t.Parallel()
	p := anotherPartner(t, "sandbox")
	c := p.cancel(t, letterTo(p.product(t, "Success Society")))
	for _, other := range []partner{anotherPartner(t, "sandbox"), anotherPartner(t, "sandbox-2")} {
		assert.Empty(t, other.listCancellations(t, "limit=200"))
		for _, r := range []request{
			{method: http.MethodGet, path: cancellations + "/" + c.CancellationID},
			{method: http.MethodGet, path: cancellations + "/" + c.CancellationID + "/letter"},
			{method: http.MethodPost, path: cancellations + "/" + c.CancellationID + "/withdraw"},
		} {
			r.header = other.headers()
			refused(t, r, 404, "not_found")
		}
	}
	p.untilCancellation(t, c.CancellationID, stands("Delivered"))
}

// requestedLongAgo lets an erasure have been asked for an hour ago: nothing is
// deleted in its first minute.
func requestedLongAgo(t *testing.T, erasureID string) {
	t.Helper()
	_, err := tables(t).UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("IdentityTable"),
		Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "ERASURES"},
			"sk": &types.AttributeValueMemberS{Value: erasureID},
		},
		ConditionExpression: aws.String("attribute_exists(requestedAt)"),
		UpdateExpression:    aws.String("SET requestedAt = :past"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":past": &types.AttributeValueMemberS{Value: time.Now().UTC().Add(-time.Hour).Format(time.RFC3339)},
		},
	})
	require.NoError(t, err)
}

// keepHouse calls the function that the clock calls every minute.
func keepHouse(t *testing.T) {
	t.Helper()
	a := send(t, request{
		method: http.MethodPost, path: noted(t, "lambda-endpoint") + "/2015-03-31/functions/housekeeping/invocations", body: "{}",
		header: map[string]string{"Authorization": "AWS4-HMAC-SHA256 Credential=local"},
	})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
}
