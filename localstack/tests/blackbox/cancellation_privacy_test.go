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

// After an erasure nothing is left, neither here nor at the carriers.
func TestCancelErased(t *testing.T) {
	t.Parallel()
	p := newPartner(t, "sandbox")
	sent := p.cancel(t, letterTo(p.product(t, "Nur Fax")))
	mailed := p.cancel(t, letterTo(p.product(t, "Nur E-Mail")))
	p.untilCancellation(t, sent.CancellationID, stands("Delivered"))
	p.untilCancellation(t, mailed.CancellationID, stands("Delivered"))
	// The post office has checked this one, and it has not been handed in. While
	// it is being checked it cannot be deleted, and is asked for a minute later.
	waiting := p.cancel(t, letterTo(p.product(t, "Nur Post")))
	var kept []carrierLetter
	eventually(t, func() bool {
		kept = append(wentOut(t, sent.CancellationID), wentOut(t, mailed.CancellationID)...)
		kept = append(kept, wentOut(t, waiting.CancellationID)...)
		return len(kept) == 3 && kept[2].State == "valid"
	}, patience, 100*time.Millisecond)
	for _, l := range kept {
		require.Equal(t, http.StatusOK, browse(t, http.MethodGet, service.baseURL+l.File, nil).status)
	}

	a := p.send(t, http.MethodDelete, "/identity/v1/users/"+p.user, nil)
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
	var out struct {
		Data struct {
			Erasure struct {
				ErasureID, Status string
				Counts            map[string]int
			}
		}
	}
	a.decode(t, &out)
	for _, path := range []string{cancellations, cancellations + "/" + sent.CancellationID,
		cancellations + "/" + sent.CancellationID + "/letter"} {
		refused(t, request{method: http.MethodGet, path: path, header: p.headers()}, 404, "user_not_found")
	}
	requestedLongAgo(t, out.Data.Erasure.ErasureID)
	eventually(t, func() bool {
		keepHouse(t)
		p.send(t, http.MethodGet, "/identity/v1/erasures/"+out.Data.Erasure.ErasureID, nil).decode(t, &out)
		return out.Data.Erasure.Status == "Completed"
	}, 4*patience, 500*time.Millisecond, "the erasure does not end")
	assert.Equal(t, 3, out.Data.Erasure.Counts["cancellations"])
	assert.Equal(t, 3, out.Data.Erasure.Counts["letters"])
	for _, l := range kept {
		assert.Equal(
			t,
			http.StatusNotFound,
			browse(t, http.MethodGet, service.baseURL+l.File, nil).status,
			"the carrier keeps a letter by %s",
			l.How,
		)
	}
	for _, c := range []cancellation{sent, mailed, waiting} {
		assert.Equal(t, http.StatusNotFound, reply(t, c.CancellationID, "Confirmed").status, "nobody knows it")
	}
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
