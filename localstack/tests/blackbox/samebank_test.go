package blackbox_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shares is a user's browser like visit, with a customer number, and with the accounts that
// the user shares; none means all.
func shares(t *testing.T, redirectURL, persona, customer string, accounts ...string) string {
	t.Helper()
	address := open(t, redirectURL)
	page := browse(t, http.MethodGet, address, nil)
	page = browse(t, http.MethodPost, resolve(t, address, action(t, page)),
		url.Values{"persona": {persona}, "customer": {customer}})
	require.Equal(t, http.StatusSeeOther, page.status, string(page.body))
	address = resolve(t, address, page.header.Get("Location"))
	page = browse(t, http.MethodGet, address, nil)
	if len(accounts) == 0 {
		for _, m := range accountBox.FindAllSubmatch(page.body, -1) {
			accounts = append(accounts, string(m[1]))
		}
	}
	page = browse(t, http.MethodPost, resolve(t, address, action(t, page)),
		url.Values{"decision": {"approve"}, "account[]": accounts})
	require.Equal(t, http.StatusSeeOther, page.status, string(page.body))
	return page.header.Get("Location")
}

// shared is a new connection under which the user shares accounts, and that has been read.
func (p partner) shared(t *testing.T, persona, customer string, accounts ...string) link {
	t.Helper()
	l := p.connect(t, p.bank(t, "lindenmark").ID)
	status, _ := outcome(t, shares(t, l.RedirectURL, persona, customer, accounts...))
	require.Equal(t, "success", status)
	p.until(t, l.ConnectionID, synced)
	return l
}

// holders are the connections of the user's accounts, by account.
func (p partner) holders(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, a := range p.accounts(t) {
		all[a.AccountID] = a.ConnectionInfo.ConnectionID
	}
	return all
}

// sums are the insights and contracts of the user, as they are answered.
func (p partner) sums(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, path := range []string{
		"/openbanking/v1/insights/categories?transactionType=Expense&categoryLevel=L2",
		"/openbanking/v1/insights/merchants?transactionType=Expense",
		"/openbanking/v1/insights/subscriptions",
	} {
		var out struct{ Data json.RawMessage }
		a := p.send(t, http.MethodGet, path, nil)
		require.Equal(t, http.StatusOK, a.status, string(a.body))
		a.decode(t, &out)
		all[path] = string(out.Data)
	}
	return all
}

// deletionIsOver reports whether nothing is left of a connection that was deleted.
func deletionIsOver(t *testing.T, connectionID string) bool {
	t.Helper()
	row, err := tables(t).GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("PfmTable"), ConsistentRead: aws.Bool(true),
		Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "CONNECTION#" + connectionID},
			"sk": &types.AttributeValueMemberS{Value: "OWNER"},
		},
	})
	require.NoError(t, err)
	return row.Item == nil
}

func TestSameBankAgain(t *testing.T) {
	t.Parallel()
	for name, customer := range map[string]string{
		"by a customer whose former consent the bank ends": "same", "by a customer who may have several consents": "other",
	} {
		t.Run(name, func(t *testing.T) {
			p, r := newPartner(t, "sandbox-2"), newReceiver(t, nil)
			p.subscribe(t, r, "connection.expired")
			number := uuid.NewString()[:8]
			older := p.shared(t, "anna", number)
			rows := p.transactions(t, "200")
			chosen := p.send(t, http.MethodPatch, "/openbanking/v1/transactions/"+rows[0].ID, map[string]any{"categoryId": 568})
			require.Equal(t, http.StatusOK, chosen.status, string(chosen.body))
			accounts, rows, sums := p.holders(t), p.transactions(t, "200"), p.sums(t)

			if customer == "other" {
				number = uuid.NewString()[:8]
			}
			newer := p.shared(t, "anna", number)

			holders := p.holders(t)
			require.Len(t, holders, len(accounts))
			for id := range accounts {
				assert.Equal(t, newer.ConnectionID, holders[id])
			}
			assert.Equal(t, rows, p.transactions(t, "200"))
			assert.Equal(t, sums, p.sums(t))
			was := p.connection(t, older.ConnectionID)
			assert.Equal(t, "Expired", was.ConnectionStatus)
			assert.Equal(t, "ConsentReplaced", was.StatusReason)
			assert.WithinDuration(t, time.Now(), was.ConsentExpiresAt, time.Minute)
			var told struct {
				ConnectionID, StatusReason string
				ConsentExpiresAt           time.Time
			}
			r.await(t, "connection.expired", about(p, "connection.expired")).decode(t, &told)
			assert.Equal(t, older.ConnectionID, told.ConnectionID)
			assert.Equal(t, "ConsentReplaced", told.StatusReason)
			assert.Equal(t, was.ConsentExpiresAt, told.ConsentExpiresAt)

			// The history belongs to the newer connection.
			a := p.send(t, http.MethodDelete, "/openbanking/v1/connections/"+older.ConnectionID, nil)
			require.Equal(t, http.StatusNoContent, a.status, string(a.body))
			eventually(t, func() bool { return deletionIsOver(t, older.ConnectionID) }, patience, 100*time.Millisecond)
			assert.Equal(t, holders, p.holders(t))
			assert.Equal(t, rows, p.transactions(t, "200"))
			a = p.send(t, http.MethodDelete, "/openbanking/v1/connections/"+newer.ConnectionID, nil)
			require.Equal(t, http.StatusNoContent, a.status, string(a.body))
			eventually(t, func() bool { return len(p.transactions(t, "200")) == 0 }, patience, 100*time.Millisecond)
			assert.Empty(t, p.holders(t))
		})
	}
}
