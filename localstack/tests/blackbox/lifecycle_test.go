package blackbox_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// connected is a connection whose data has been read.
func (p partner) connected(t *testing.T, slug string) link {
	t.Helper()
	l := p.connect(t, p.bank(t, slug).ID)
	status, _ := outcome(t, visit(t, l.RedirectURL, "anna", "approve"))
	require.Equal(t, "success", status)
	p.until(t, l.ConnectionID, synced)
	return l
}

// age moves the last success an hour into the past.
func age(t *testing.T, p partner, connectionID string) {
	t.Helper()
	ageBy(t, p, connectionID, time.Hour)
}

func ageBy(t *testing.T, p partner, connectionID string, by time.Duration) {
	t.Helper()
	_, err := tables(t).UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("PfmTable"),
		Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{
				Value: "P#" + p.id + "#U#" + p.user,
			},
			"sk": &types.AttributeValueMemberS{Value: "C#" + connectionID},
		},
		ConditionExpression: aws.String("attribute_exists(lastSuccessAt)"),
		UpdateExpression:    aws.String("SET lastSuccessAt = :past"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":past": &types.AttributeValueMemberN{Value: strconv.FormatInt(time.Now().Add(-by).UnixMilli(), 10)},
		},
	})
	require.NoError(t, err)
}

func TestRefresh(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	refresh := "/openbanking/v1/connections/" + l.ConnectionID + "/refresh"

	was := p.connection(t, l.ConnectionID)
	early := p.refused(t, http.MethodPost, refresh, nil, 429, "refresh_too_early")
	var told struct{ NextRefreshPossibleAt time.Time }
	early.decode(t, &told)
	assert.Equal(t, was.LastSuccessAt.Add(5*time.Minute), told.NextRefreshPossibleAt)
	wait, err := strconv.Atoi(early.header.Get("Retry-After"))
	require.NoError(t, err)
	assert.InDelta(t, time.Until(told.NextRefreshPossibleAt).Seconds(), float64(wait), 5)

	accounts, rows := p.accounts(t), p.transactions(t, "200")
	age(t, p, l.ConnectionID)
	old := p.connection(t, l.ConnectionID)
	accepted := p.send(t, http.MethodPost, refresh, nil, "X-Psu-Ip-Address", "203.0.113.7")
	require.Equal(t, http.StatusAccepted, accepted.status, string(accepted.body))
	twice := p.send(t, http.MethodPost, refresh, nil)
	assert.Contains(t, []int{http.StatusAccepted, http.StatusConflict, http.StatusTooManyRequests}, twice.status,
		"not begun yet, under way, or just done")
	p.until(t, l.ConnectionID, func(c connection) bool { return c.LastSuccessAt.After(old.LastSuccessAt) })
	again := p.accounts(t)
	require.Len(t, again, len(accounts))
	for i := range again {
		assert.Equal(t, accounts[i].AccountID, again[i].AccountID)
	}
	known := map[string]bool{}
	for _, row := range p.transactions(t, "200") {
		known[row.ID] = true
	}
	for _, row := range rows {
		assert.True(t, known[row.ID], "row %s is gone", row.ID)
	}

	t.Run("of an inactive connection is rejected", func(t *testing.T) {
		pending := p.connect(t, p.bank(t, "lindenmark").ID)
		p.refused(t, http.MethodPost, "/openbanking/v1/connections/"+pending.ConnectionID+"/refresh", nil, 409, "connection_not_active")
	})
	t.Run("rejects an invalid address", func(t *testing.T) {
		h := p.headers()
		h["X-Psu-Ip-Address"] = marker
		refused(t, request{method: http.MethodPost, path: refresh, header: h}, 422, "validation_failed")
	})
}

func TestReconnect(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	accounts, rows := p.accounts(t), p.transactions(t, "200")
	before := p.connection(t, l.ConnectionID)
	var out struct{ Data link }
	a := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/reconnect", map[string]any{"returnUrl": returnURL})
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
	a.decode(t, &out)
	assert.Equal(t, l.ConnectionID, out.Data.ConnectionID)
	assert.Equal(t, before, p.connection(t, l.ConnectionID), "the connection stays as it is")

	status, id := outcome(t, visit(t, out.Data.RedirectURL, "anna", "approve"))
	assert.Equal(t, "success", status)
	assert.Equal(t, l.ConnectionID, id)
	c := p.until(t, l.ConnectionID, func(c connection) bool { return c.LastSuccessAt.After(before.LastSuccessAt) })
	assert.Equal(t, "Active", c.ConnectionStatus)
	ids := map[string]bool{}
	for _, account := range p.accounts(t) {
		ids[account.AccountID] = true
	}
	assert.Len(t, ids, len(accounts))
	for _, account := range accounts {
		assert.True(t, ids[account.AccountID], "another id for %s", account.AccountName)
	}
	again := p.transactions(t, "200")
	assert.Len(t, again, len(rows))
	for i := range rows {
		assert.Equal(t, rows[i].ID, again[i].ID)
	}
}

func TestDelete(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	require.NotEmpty(t, p.transactions(t, "200"))
	address := "/openbanking/v1/connections/" + l.ConnectionID
	a := p.send(t, http.MethodDelete, address, nil)
	require.Equal(t, http.StatusNoContent, a.status, string(a.body))
	assert.Empty(t, a.body)
	p.refused(t, http.MethodGet, address, nil, 404, "not_found")
	p.refused(t, http.MethodDelete, address, nil, 404, "not_found")
	assert.Empty(t, p.accounts(t))
	assert.Equal(t, http.StatusNotFound, browse(t, http.MethodGet, l.RedirectURL, nil).status)
	within := 20 * time.Second // as partners are promised
	if service.samLocal {
		within = patience // an answer alone takes a second there
	}
	eventually(t, func() bool { return len(p.transactions(t, "200")) == 0 }, within, 100*time.Millisecond,
		"the transactions are still there")
}

func TestListConnections(t *testing.T) {
	p := newPartner(t, "sandbox")
	bank := p.bank(t, "lindenmark").ID
	want := map[string]bool{}
	for range 3 {
		want[p.connect(t, bank).ConnectionID] = true
	}
	got := map[string]bool{}
	for next := ""; ; {
		var out struct {
			Data struct {
				Connections []struct{ ConnectionID string }
			}
			Meta struct{ Pagination struct{ NextToken string } }
		}
		p.send(t, http.MethodGet, "/openbanking/v1/connections?limit=2&nextToken="+next, nil).decode(t, &out)
		for _, c := range out.Data.Connections {
			got[c.ConnectionID] = true
		}
		if next = out.Meta.Pagination.NextToken; next == "" {
			break
		}
	}
	assert.Equal(t, want, got)
}

func TestClients(t *testing.T) {
	t.Parallel()
	one, two := anotherPartner(t, "sandbox"), anotherPartner(t, "sandbox")
	id := func(p partner) string {
		a := p.send(t, http.MethodPost, "/openbanking/v1/clients", map[string]any{"countryCode": "DE", "languageCode": "de"})
		require.Equal(t, http.StatusCreated, a.status, string(a.body))
		assert.Regexp(t, `^@\d+$`, a.header.Get("Deprecation"))
		_, err := http.ParseTime(a.header.Get("Sunset"))
		require.NoError(t, err)
		assert.Contains(t, a.header.Get("Link"), `rel="deprecation"`)
		var out struct {
			Data struct{ Client struct{ ID string } }
		}
		a.decode(t, &out)
		require.NoError(t, uuid.Validate(out.Data.Client.ID))
		return out.Data.Client.ID
	}
	first, again := id(one), id(one)
	assert.Equal(t, first, again)
	assert.NotEqual(t, first, id(two))
}
