package pfmapi_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bankclient"
	"aviso/internal/identity"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/pfmtest"
)

// eventTokens seals tokens as the bank-sync function does: from the root, without the router.
func (s *service) eventTokens() connection.ChangesToken {
	s.Helper()
	sealer, err := keyring.Root{Current: apitest.SealingRoot}.Sealer("page")
	require.NoError(s, err)
	return bankclient.ChangesToken(sealer, s.clock.Now)
}

func TestChangesTokenOfAnEvent(t *testing.T) {
	s := newService(t)
	row := func(id string) pfm.BankTransaction {
		return pfm.BankTransaction{
			ID: id, Booked: true, Amount: money.MustParse("-1.00"), Currency: "EUR",
			BookingDate: "2026-03-01", Remittance: id,
		}
	}
	s.bank.Listed = []pfm.BankAccount{{ResourceID: "r1", IBAN: "DE1", Currency: "EUR"}}
	s.bank.Rows = map[string][]pfm.BankTransaction{"r1": {row("t1"), row("t2")}}
	c := s.active()

	var token string
	made := s.eventTokens()
	noted := func(user owner.User, since transaction.ChangePosition) string {
		token = made(user, since)
		return token
	}
	syncer := connection.NewSyncer(
		s.store, contract.NewWatches(s.store, s.clock.Now), s.bank.Of, pfmtest.Enrich, noted, s.clock.Now, uuid.NewString,
	)
	s.clock.Advance(time.Hour)
	changed := row("t1")
	changed.MerchantCategoryCode = "5411" // the same payment with more detail
	s.bank.Rows["r1"] = []pfm.BankTransaction{changed, row("t2"), row("t3"), row("t4")}
	c.SyncRequestedAt = s.clock.Now()
	require.NoError(t, s.store.SaveConnection(t.Context(), c, nil))
	require.NoError(t, syncer.Sync(t.Context(), connection.SyncJob{Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID}, 1))
	require.NotEmpty(t, token)

	kinds := func() map[string]int {
		a := s.ok("/transactions/changes?since=" + url.QueryEscape(token))
		counted := map[string]int{}
		for _, change := range a.List("data", "changes") {
			kind, _ := change["change"].(string)
			counted[kind]++
		}
		return counted
	}
	assert.Equal(t, map[string]int{"Added": 2, "Modified": 1}, kinds(), "only what this sync has changed")

	t.Run("is rejected for another user", func(t *testing.T) {
		other := owner.User{Partner: c.Owner.Partner, ID: "2b4e28ba-2fa1-4d1e-883f-0016d3cca427"}
		s.edge.AddUser(other, identity.TermsOperator, identity.TermsBankingSupplier)
		a := s.send(http.MethodGet, prefix+"/transactions/changes?since="+url.QueryEscape(token), map[string]string{
			"Authorization": s.edge.Token("sandbox", "pfm"), "X-User-Id": string(other.ID),
		}, "")
		assert.Equal(t, http.StatusBadRequest, a.StatusCode)
		assert.Equal(t, "invalid_next_token", a.Member("code"))
	})

	t.Run("is valid for 30 days", func(t *testing.T) {
		s.clock.Advance(30 * 24 * time.Hour)
		assert.NotEmpty(t, kinds())
		s.clock.Advance(2 * time.Second)
		a := s.call(http.MethodGet, "/transactions/changes?since="+url.QueryEscape(token), "")
		assert.Equal(t, "invalid_next_token", a.Member("code"))
		assert.Contains(t, a.Body, "Use the since of the previous response")
	})
}
