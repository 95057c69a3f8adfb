package deadline

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func withdrawalQuery(c map[string]string) Query {
	return Query{
		Facts: Facts{
			CancelledOn: Date(c["asked"]), ConcludedOn: Date(c["concludedOn"]), ContractStart: Date(c["concludedOn"]),
			Customer: Customer(c["customer"]),
		},
		Agreed: Terms{
			Sector: Sector(c["sector"]), ConcludedAt: ConcludedAt(c["concludedAt"]), MinimumTerm: "P12M", NoticePeriod: "P1M",
			Renewal: RenewalFixed, RenewalTerm: "P12M",
		},
		Channels: []Channel{Email}, Law: c["law"], Recipient: "DE", Language: "en",
	}
}

// The days of testdata/withdrawals.csv were counted from the sources that they name.
func TestEveryWithdrawal(t *testing.T) {
	t.Parallel()
	all := table(t, "testdata/withdrawals.csv")
	assert.GreaterOrEqual(t, len(all), 70)
	for i, c := range all {
		t.Run(fmt.Sprintf("line %d %s %s %s", i+2, c["law"], c["sector"], c["concludedAt"]), func(t *testing.T) {
			a := Compute(withdrawalQuery(c))
			assert.Equal(t, Date(c["until"]), a.Withdrawal.Until, c["why"])
			assert.Equal(t, Requirement(c["form"]), a.Withdrawal.Form.Requirement, c["why"])
			if c["missing"] != "" {
				assert.Contains(t, a.Missing, c["missing"], c["why"])
			} else {
				assert.NotContains(t, a.Missing, MissingConcludedAt, c["why"])
			}
			if c["until"] != "" {
				require.NotEmpty(t, a.Steps)
				assert.Equal(t, "withdrawal", a.Steps[0].Rule, "the answer begins with it")
				assert.Contains(t, a.Steps[0].Source, "https://", c["why"])
			}
		})
	}
}

// What the answer says of the exceptions is in its steps.
func TestAWithdrawalNamesItsExceptions(t *testing.T) {
	t.Parallel()
	rules := func(sector Sector, at ConcludedAt) (all []string) {
		q := withdrawalQuery(map[string]string{"law": "PL", "asked": "2026-12-01", "concludedOn": "2026-11-25"})
		q.Agreed.Sector, q.Agreed.ConcludedAt = sector, at
		for _, s := range Compute(q).Steps {
			all = append(all, s.Rule)
		}
		return all[:3]
	}
	assert.Equal(t, []string{"withdrawal", "withdrawal_exceptions"}, rules("Services", Distance)[:2])
	assert.Equal(t, []string{"withdrawal", "withdrawal", "withdrawal_exceptions"}, rules("Services", Doorstep), "if uninvited")
	assert.Equal(t, []string{"withdrawal", "withdrawal_exceptions"}, rules(HomeInsurance, Shop)[:2])
}

// Without terms nothing else is known, but the right to withdraw is.
func TestAWithdrawalNeedsNoTerms(t *testing.T) {
	t.Parallel()
	q := withdrawalQuery(map[string]string{"law": "FR", "asked": "2026-12-01", "concludedOn": "2026-11-25"})
	q.Agreed = Terms{ConcludedAt: Distance}
	a := Compute(q)
	assert.Equal(t, []string{MissingTerms}, a.Missing)
	assert.Equal(t, Date("2026-12-09"), a.Withdrawal.Until)
}

// The right changes no end, never ends before it began, and lasts longest if nobody asks for the place.
func TestAWithdrawalChangesNoEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		q.ConcludedOn = dateOf(addDays(q.CancelledOn.Day(), -rapid.IntRange(0, 40).Draw(t, "days ago")))
		q.Agreed.ConcludedAt = rapid.SampledFrom([]ConcludedAt{"", Distance, Doorstep, Shop}).Draw(t, "at")
		a := Compute(q)
		assert.Equal(t, endOf(q), a.EarliestFreeEnd)
		if until := a.Withdrawal.Until; until != "" {
			assert.GreaterOrEqual(t, until, q.CancelledOn)
			assert.GreaterOrEqual(t, until, dateOf(addDays(q.ConcludedOn.Day(), 14)))
			assert.LessOrEqual(t, until, LongestWithdrawal(q).Until)
		}
	})
}
