package contractterms

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/clock/clocktest"
	"aviso/internal/pfm"
)

func TestDeadlines(t *testing.T) {
	key := cancellationdb.ProductKey{OrganizationID: "o", ProductID: "gym"}
	products := map[cancellationdb.ProductKey]cancellation.Product{
		key: {
			ID: "gym", OrganizationID: "o", Locales: []cancellation.Locale{"de-DE"},
			Channels: []cancellation.Channel{{Kind: cancellation.ChannelEmail, Email: "post@example.org"}},
			Terms: []deadline.Terms{{
				Sector: deadline.Services, MinimumTerm: "P1Y", NoticePeriod: "P3M", Renewal: deadline.RenewalFixed,
				RenewalTerm: "P1Y", Source: "Terms",
			}},
		},
		{OrganizationID: "o", ProductID: "bare"}: {
			ID: "bare", OrganizationID: "o", Locales: []cancellation.Locale{"de-DE"},
			Channels: []cancellation.Channel{{Kind: cancellation.ChannelEmail}},
		},
	}
	var asked [][]cancellationdb.ProductKey
	var failed error
	clock := clocktest.New() // 2 March 2026
	d := NewDeadlines(func(
		_ context.Context, keys []cancellationdb.ProductKey,
	) (map[cancellationdb.ProductKey]cancellation.Product, error) {
		asked = append(asked, keys)
		found := map[cancellationdb.ProductKey]cancellation.Product{}
		for _, k := range keys {
			if p, ok := products[k]; ok {
				found[k] = p
			}
		}
		return found, failed
	}, clock.Now)
	contract := func(product string, start pfm.Date) pfm.DatedProduct {
		return pfm.DatedProduct{Cancellable: pfm.Cancellable{OrganizationID: "o", ProductID: product}, Start: start}
	}

	t.Run("follow the product's terms and the start of each contract", func(t *testing.T) {
		found, err := d.Find(t.Context(), []pfm.DatedProduct{
			contract("gym", "2021-08-01"), contract("none", "2021-08-01"), contract("bare", "2021-08-01"),
			contract("gym", "2021-07-01"),
		})
		require.NoError(t, err)
		require.Len(t, found, 4)
		// Before March 2022, contracts could renew for a year. Three months before 31 July
		// is 30 April, so the e-mail must be sent a working day earlier.
		assert.Equal(t, pfm.Date("2026-07-31"), found[0].EarliestEnd)
		assert.Equal(t, []pfm.SendBy{{Channel: "Email", Date: "2026-04-29"}}, found[0].SendBy)
		assert.Equal(t, pfm.Date("2027-07-31"), found[0].NextChance)
		assert.Nil(t, found[1], "the catalogue does not have it")
		assert.Empty(t, found[2].EarliestEnd, "without terms")
		assert.Equal(t, pfm.Date("2026-06-30"), found[3].EarliestEnd)
		require.Len(t, asked, 1)
		assert.Len(t, asked[0], 3, "each product once")
	})

	t.Run("ask again for products that are not known, and for all after a while", func(t *testing.T) {
		for range 2 {
			_, err := d.Find(t.Context(), []pfm.DatedProduct{contract("gym", "2021-08-01"), contract("none", "2021-08-01")})
			require.NoError(t, err)
		}
		assert.Len(t, asked, 3)
		assert.Equal(t, "none", asked[2][0].ProductID)
		clock.Advance(rememberCancellable + 1)
		failed = errors.New("no table")
		_, err := d.Find(t.Context(), []pfm.DatedProduct{contract("gym", "2021-08-01")})
		require.ErrorIs(t, err, failed)
	})
}
