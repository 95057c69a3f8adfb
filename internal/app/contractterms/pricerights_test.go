package contractterms

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/clocktest"
)

func TestSpecialRights(t *testing.T) {
	clock := clocktest.New()
	var asked [][]cancellationdb.ProductKey
	var failed error
	d := New(nil, func(
		_ context.Context, keys []cancellationdb.ProductKey,
	) (map[cancellationdb.ProductKey]catalogue.Product, error) {
		asked = append(asked, keys)
		return map[cancellationdb.ProductKey]catalogue.Product{{OrganizationID: "o", ProductID: "line"}: {
			Locales: []cancellation.Locale{"de-DE", "nl-NL"}, Terms: []deadline.Terms{{Sector: deadline.Telecom}},
		}}, failed
	}, clock.Now)
	rise := func(category int, product *contract.Cancellable) contract.PriceChange {
		c, _ := pfm.CategoryOf(category)
		return contract.PriceChange{
			OldAmount: money.MustParse("-39.95"), NewAmount: money.MustParse("-41.95"), Since: "2026-01-12",
			Contract: contract.Subscription{Category: c, Cancellable: product},
		}
	}
	ask := func(q contract.PriceQuery, c contract.PriceChange) contract.SpecialRight {
		t.Helper()
		changes := []contract.PriceChange{c}
		require.NoError(t, d.SpecialRights(t.Context(), changes, q))
		return changes[0].SpecialRight
	}
	line := &contract.Cancellable{OrganizationID: "o", ProductID: "line"}

	t.Run("follow the product, in its first country and language", func(t *testing.T) {
		got := ask(contract.PriceQuery{NoticeDate: "2025-12-01"}, rise(pfm.MediaStreaming, line))
		assert.Equal(t, "Yes", got.Answer)
		assert.Contains(t, got.Source, "§ 57 Abs. 1 TKG")
		assert.Equal(t, pfm.Date("2026-03-01"), got.LastDay)
		assert.Contains(t, got.Text, "01.03.2026")
	})

	t.Run("follow the country of the query if the product is sold there", func(t *testing.T) {
		got := ask(contract.PriceQuery{Country: "NL", Language: "en"}, rise(pfm.MediaStreaming, line))
		assert.Contains(t, got.Source, "artikel 7.2 Telecommunicatiewet")
		got = ask(contract.PriceQuery{Country: "GB", Language: "en"}, rise(pfm.MediaStreaming, line))
		assert.Contains(t, got.Source, "§ 57 Abs. 1 TKG")
		assert.Len(t, asked, 1, "the product is cached")
	})

	t.Run("follow the category and the query without a product", func(t *testing.T) {
		got := ask(contract.PriceQuery{Country: "DE", Language: "de"}, rise(pfm.HousingTelecom, nil))
		assert.Equal(t, "Yes", got.Answer)
		got = ask(contract.PriceQuery{Country: "DE"}, rise(pfm.HousingInsurance, nil))
		assert.Equal(t, []string{"reason", "noticeDate"}, got.Missing)
		got = ask(contract.PriceQuery{Country: "DE"}, rise(pfm.HousingUtilities, nil))
		assert.Equal(t, []string{"product"}, got.Missing, "power, or water")
		got = ask(contract.PriceQuery{}, rise(pfm.HousingTelecom, nil))
		assert.Equal(t, []string{"product"}, got.Missing)
	})

	t.Run("return the catalogue's error", func(t *testing.T) {
		clock.Advance(remembered + 1)
		failed = errors.New("no table")
		err := d.SpecialRights(t.Context(), []contract.PriceChange{rise(pfm.HousingTelecom, line)}, contract.PriceQuery{})
		require.ErrorIs(t, err, failed)
	})
}
