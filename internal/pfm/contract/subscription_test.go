package contract_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/pfmtest"
)

// listed is a store with these subscriptions.
type listed struct {
	contract.Store
	list  []contract.Subscription
	notes contract.Notes
}

func (f listed) Subscriptions(context.Context, owner.User) ([]contract.Subscription, error) {
	return f.list, nil
}

func (f listed) ContractNotes(context.Context, owner.User) (contract.Notes, error) {
	return f.notes, nil
}

func noCancellables(context.Context, []contract.Subscription) error {
	return errors.New("no catalogue")
}

func TestCancellableSubscriptions(t *testing.T) {
	yearlyOf := func(merchant string, yearly string) contract.Subscription {
		return contract.Subscription{
			Merchant:   pfm.Merchant{ID: merchant, Name: "Merchant " + merchant},
			YearlyCost: money.MustParse(yearly), Overdue: "2026-12-31", TransactionIDs: []string{yearly},
		}
	}
	store := listed{list: []contract.Subscription{yearlyOf("a", "30"), yearlyOf("b", "20"), yearlyOf("a", "10"), yearlyOf("", "5")}}
	clock := pfmtest.NewClock()

	t.Run("have a product if the catalogue has the merchant", func(t *testing.T) {
		what := contract.Cancellable{OrganizationID: "o", ProductID: "p"}
		list, err := contract.NewSubscriptions(
			store, pfmtest.Cancellables{"a": what}.Find, pfmtest.Deadlines{}.Find, nil, pfmtest.Gate{}, clock.Now,
		).List(t.Context(), pfmtest.User())
		require.NoError(t, err)
		require.Len(t, list, 4)
		assert.Equal(t, &what, list[0].Cancellable)
		assert.Nil(t, list[1].Cancellable)
		assert.Equal(t, &what, list[2].Cancellable)
		assert.Nil(t, list[3].Cancellable, "without an ID there is no organization")
	})

	t.Run("fail if the catalogue fails", func(t *testing.T) {
		_, err := contract.NewSubscriptions(
			store, noCancellables, pfmtest.Deadlines{}.Find, nil, pfmtest.Gate{}, clock.Now,
		).List(t.Context(), pfmtest.User())
		assert.ErrorContains(t, err, "no catalogue")
	})

	t.Run("have not ended", func(t *testing.T) {
		clock.Advance(365 * 24 * time.Hour)
		list, err := contract.NewSubscriptions(
			store, pfmtest.Cancellables{}.Find, pfmtest.Deadlines{}.Find, nil, pfmtest.Gate{}, clock.Now,
		).List(t.Context(), pfmtest.User())
		require.NoError(t, err)
		assert.Empty(t, list, "all have ended")
	})
}
