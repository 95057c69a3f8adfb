package blackbox_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type subscription struct {
	Merchant            struct{ ID, Name string }
	Amount, YearlyCost  float64
	RecurrenceFrequency string
	NextExpectedDate    string
	TransactionIDs      []string
	Cancellable         *struct{ OrganizationID, ProductID string }
}

// What two years at a bank show that the user is bound to, and what it costs.
func TestSubscriptions(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "lindenmark").ID)
	status, _ := outcome(t, visit(t, l.RedirectURL, "anna", "approve"))
	require.Equal(t, "success", status)
	p.until(t, l.ConnectionID, synced)

	var out struct {
		Data struct{ Subscriptions []subscription }
	}
	p.send(t, http.MethodGet, "/openbanking/v1/insights/subscriptions", nil).decode(t, &out)
	found := map[string]subscription{}
	for i, s := range out.Data.Subscriptions {
		found[s.Merchant.Name] = s
		assert.Negative(t, s.Amount, s.Merchant.Name)
		if s.Merchant.Name == "" {
			assert.Nil(t, s.Cancellable, "what the bank itself takes for its account")
		} else if assert.NotNil(t, s.Cancellable, s.Merchant.Name) {
			a := p.send(t, http.MethodGet,
				"/cancellations/v1/organizations/"+s.Cancellable.OrganizationID+"/products/"+s.Cancellable.ProductID,
				nil)
			assert.Equal(t, http.StatusOK, a.status, s.Merchant.Name)
		}
		if i > 0 {
			assert.LessOrEqual(t, s.YearlyCost, out.Data.Subscriptions[i-1].YearlyCost, "the dearest first")
		}
	}
	gym := found["Fitzentra"]
	assert.Equal(t, "Monthly", gym.RecurrenceFrequency)
	assert.InDelta(t, -12*gym.Amount, gym.YearlyCost, 0.001)
	assert.NotEmpty(t, gym.NextExpectedDate)
	assert.Equal(t, "Quarterly", found["Quellhafen Wasser"].RecurrenceFrequency)
	assert.Equal(t, "SemiAnnually", found["Assurelle"].RecurrenceFrequency)

	type row struct {
		RecurrenceFrequency string
		Subscription        bool
	}
	for _, id := range gym.TransactionIDs {
		var one struct{ Data struct{ Transaction row } }
		p.send(t, http.MethodGet, "/openbanking/v1/transactions/"+id, nil).decode(t, &one)
		assert.Equal(t, row{RecurrenceFrequency: "Monthly", Subscription: true}, one.Data.Transaction)
	}
	for category, what := range map[string]string{"501": "rent", "601": "salary"} {
		var list struct{ Data struct{ Transactions []row } }
		p.send(t, http.MethodGet, "/openbanking/v1/transactions?limit=200&categoryId="+category, nil).decode(t, &list)
		require.NotEmpty(t, list.Data.Transactions, what)
		for _, r := range list.Data.Transactions {
			assert.Equal(t, row{RecurrenceFrequency: "Monthly"}, r, what)
		}
	}
}
