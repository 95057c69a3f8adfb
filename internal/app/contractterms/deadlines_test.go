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
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/clocktest"
)

func TestDeadlines(t *testing.T) {
	key := cancellationdb.ProductKey{OrganizationID: "o", ProductID: "gym"}
	products := map[cancellationdb.ProductKey]catalogue.Product{
		key: {
			ID: "gym", OrganizationID: "o", Locales: []cancellation.Locale{"de-DE"},
			Channels: []cancellation.Channel{{Kind: cancellation.ChannelEmail, Email: "post@example.org"}},
			Terms: []deadline.Terms{{
				Sector: "Services", MinimumTerm: "P1Y", NoticePeriod: "P3M", Renewal: deadline.RenewalFixed,
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
	d := New(nil, func(
		_ context.Context, keys []cancellationdb.ProductKey,
	) (map[cancellationdb.ProductKey]catalogue.Product, error) {
		asked = append(asked, keys)
		found := map[cancellationdb.ProductKey]catalogue.Product{}
		for _, k := range keys {
			if p, ok := products[k]; ok {
				found[k] = p
			}
		}
		return found, failed
	}, clock.Now)
	dated := func(product string, start pfm.Date) contract.Subscription {
		return contract.Subscription{Cancellable: &contract.Cancellable{OrganizationID: "o", ProductID: product}, Start: start}
	}

	t.Run("follow the product's terms and the start of each contract", func(t *testing.T) {
		found := []contract.Subscription{
			dated("gym", "2021-08-01"), dated("none", "2021-08-01"), dated("bare", "2021-08-01"),
			dated("gym", "2021-07-01"), {Start: "2021-07-01"},
		}
		require.NoError(t, d.Deadlines(t.Context(), found))
		// Before March 2022, contracts could renew for a year. Three months before 31 July
		// is 30 April, so the e-mail must be sent a working day earlier.
		assert.Equal(t, pfm.Date("2026-07-31"), found[0].Deadline.EarliestEnd)
		assert.Equal(t, []pfm.ContractSendBy{{Channel: "Email", Date: "2026-04-29"}}, found[0].Deadline.SendBy)
		assert.Equal(t, pfm.Date("2027-07-31"), found[0].Deadline.NextChance)
		assert.Nil(t, found[1].Deadline, "the catalogue does not have it")
		assert.Empty(t, found[2].Deadline.EarliestEnd, "without terms")
		assert.Equal(t, pfm.Date("2026-06-30"), found[3].Deadline.EarliestEnd)
		assert.Nil(t, found[4].Deadline, "no product")
		require.Len(t, asked, 1)
		assert.Len(t, asked[0], 3, "each product once")
	})

	t.Run("are those of the free end by what is certain", func(t *testing.T) {
		terms := deadline.Terms{
			MinimumTerm: "P24M", NoticePeriod: "P1M", Renewal: deadline.RenewalFixed, RenewalTerm: "P1Y", Source: "Terms",
		}
		of := func(locale cancellation.Locale, sector deadline.Sector) *pfm.ContractDeadline {
			terms.Sector = sector
			return toDeadline(catalogue.Product{
				Locales: []cancellation.Locale{locale}, Terms: []deadline.Terms{terms},
				Channels: []cancellation.Channel{{Kind: cancellation.ChannelEmail}},
			}.Deadline("2025-01-10", clock.Now()))
		}
		// Italian law allows any day for a fee, and Dutch law any day after a year, which is not confirmed.
		italian, dutch := of("it-IT", deadline.Telecom), of("nl-NL", "Services")
		assert.Equal(t, []pfm.Date{"2026-04-02", "2027-01-09"}, []pfm.Date{italian.EarliestEnd, italian.EarliestFreeEnd})
		assert.Equal(t, []pfm.Date{"2026-04-03", "2027-01-09"}, []pfm.Date{dutch.EarliestEnd, dutch.EarliestFreeEnd})
		assert.Equal(t, []bool{true, false}, []bool{italian.Costs, dutch.Costs})
		for _, d := range []*pfm.ContractDeadline{italian, dutch} {
			assert.GreaterOrEqual(t, d.SendBy[0].Date, pfm.Date("2026-12-01"), "a month before that")
			assert.Nil(t, d.Form)
		}
		belgian := of("nl-BE", deadline.HomeInsurance)
		assert.Equal(t, "Registered", belgian.Form.Requirement)
		assert.NotEmpty(t, belgian.Form.Reason)
		assert.Equal(t, "RegisteredMail", belgian.SendBy[0].Channel, "not by the product's e-mail")
		british := of("en-GB", "Services")
		assert.NotEmpty(t, british.SendBy, "reminders go by the contract where no law is known")
		assert.Empty(t, british.Shown().SendBy, "but nobody sees a day that looks like the last chance")
		assert.Empty(t, british.Shown().NextChance)
		assert.Equal(t, british.EarliestFreeEnd, british.Shown().EarliestFreeEnd)
		assert.Equal(t, italian, italian.Shown())
	})

	t.Run("ask again for products that are not known, and for all after a while", func(t *testing.T) {
		for range 2 {
			err := d.Deadlines(t.Context(), []contract.Subscription{dated("gym", "2021-08-01"), dated("none", "2021-08-01")})
			require.NoError(t, err)
		}
		assert.Len(t, asked, 3)
		assert.Equal(t, "none", asked[2][0].ProductID)
		clock.Advance(remembered + 1)
		failed = errors.New("no table")
		err := d.Deadlines(t.Context(), []contract.Subscription{dated("gym", "2021-08-01")})
		require.ErrorIs(t, err, failed)
	})
}
