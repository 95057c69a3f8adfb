package app_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/enrich"
	"aviso/internal/pfm/transaction"
	"aviso/internal/sandbox/persona"
)

// Of all that the sandbox's personas pay, only the line of the family becomes dearer.
func TestPersonasHaveNoFalsePriceRises(t *testing.T) {
	branch := persona.Branch{Bank: "one", Country: "DE", Currency: "EUR", Language: "de"}
	var simulations persona.Simulations
	for _, p := range persona.All()[:5] { // the others live as the first does
		for _, date := range []string{"2024-06-20", "2026-11-20", "2027-12-31"} {
			day, err := persona.ParseDay(date)
			require.NoError(t, err)
			contracts, found := 0, []string{}
			for key, s := range simulations.Statements(p, branch, day) {
				groups := map[string]*contract.Record{}
				for i, e := range s.Booked {
					amount, err := money.Parse(e.Amount.String())
					require.NoError(t, err)
					row := transaction.Transaction{
						ID: fmt.Sprintf("%s-%05d", key, i), AccountID: key, Amount: amount, Currency: "EUR", State: transaction.Cleared,
						RecordDate: pfm.Date(e.Booked.String()), Counterparty: e.Party, MandateID: e.Mandate,
						BankTransactionCode: e.Code, CreditorID: e.Creditor, Note: e.Text,
						MerchantCategoryCode: e.MCC, PurposeCode: e.Purpose,
					}
					row = enrich.Transaction(row, "DE")
					id, ok := contract.KeyOf(row)
					if !ok {
						continue
					}
					if groups[id] == nil {
						groups[id] = &contract.Record{Currency: "EUR", Name: e.Party}
					}
					groups[id].Group.Add(contract.RowOf(row))
				}
				for _, g := range groups {
					list, err := g.Subscriptions()
					require.NoError(t, err)
					contracts += len(list)
					for _, c := range list {
						for _, change := range c.PriceChanges {
							found = append(found,
								fmt.Sprintf("%s %s to %s since %s", g.Name, change.Old.Neg(), change.New.Neg(), change.Since))
						}
					}
				}
			}
			want := map[string][]string{
				"family 2026-11-20": {"Fibrano 39.95 to 41.95 since 2026-09-14"},
				"family 2027-12-31": {"Fibrano 39.95 to 41.95 since 2026-09-14", "Fibrano 41.95 to 43.95 since 2027-09-13"},
			}[p.ID+" "+date]
			assert.ElementsMatch(t, want, found, "%s on %s", p.ID, date)
			assert.True(t, contracts > 0 || p.ID == "newcomer", p.ID)
		}
	}
}
