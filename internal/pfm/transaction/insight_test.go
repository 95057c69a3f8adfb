package transaction_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

// ledger stores rows together with their aggregates, as the real store does.
type ledger struct {
	transaction.Store
	rows       map[string]transaction.Transaction
	aggregates map[transaction.AggregateID]*transaction.Aggregate
}

func newLedger() *ledger {
	return &ledger{rows: map[string]transaction.Transaction{}, aggregates: map[transaction.AggregateID]*transaction.Aggregate{}}
}

func (l *ledger) write(t require.TestingT, next transaction.Transaction) {
	change := transaction.RowChange{New: next}
	if old, ok := l.rows[next.ID]; ok {
		change.Old = &old
	}
	l.rows[next.ID] = next
	for id := range transaction.AggregatesTouched([]transaction.RowChange{change}) {
		a := l.aggregates[id]
		if a == nil {
			a = &transaction.Aggregate{ID: id, Tallies: map[transaction.TallyKey]transaction.Tally{}, Names: map[string]string{}}
			l.aggregates[id] = a
		}
		require.NoError(t, a.Apply([]transaction.RowChange{change}))
	}
}

// Aggregates implements transaction.Store.
func (l *ledger) Aggregates(_ context.Context, _ owner.User, level transaction.Level, from, to string) ([]transaction.Aggregate, error) {
	var list []transaction.Aggregate
	for id, a := range l.aggregates {
		if id.Level == level && (from == "" || id.Month >= from) && (to == "" || id.Month <= to) {
			list = append(list, *a)
		}
	}
	return list, nil
}

func anyRow(t *rapid.T, id string) transaction.Transaction {
	category, _ := pfm.CategoryOf(rapid.SampledFrom([]int{501, 521, 522, 611, 601}).Draw(t, "category"))
	merchant := rapid.SampledFrom([]pfm.Merchant{{}, {ID: pfmtest.ID(1), Name: "Eins"}, {ID: pfmtest.ID(2), Name: "Zwei"}}).Draw(
		t, "merchant",
	)
	return transaction.Transaction{
		Counterparty: rapid.SampledFrom([]string{"", "Drei"}).Draw(t, "counterparty"),
		ID:           id, AccountID: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "account"), Category: category, Merchant: merchant,
		RecordDate: pfm.Date("2025-12-20").AddDays(rapid.IntRange(0, 120).Draw(t, "day")),
		Amount:     money.MustParse(fmt.Sprintf("%d.%02d", rapid.IntRange(-90, 90).Draw(t, "euro"), rapid.IntRange(0, 99).Draw(t, "cent"))),
		Currency:   rapid.SampledFrom([]string{"EUR", "SEK"}).Draw(t, "currency"),
		State: rapid.SampledFrom(
			[]transaction.RecordState{transaction.Cleared, transaction.Uncleared, transaction.Void},
		).Draw(t, "state"),
	}
}

func anyQuery(t *rapid.T) transaction.InsightQuery {
	day := func(name string) pfm.Date {
		return rapid.SampledFrom([]pfm.Date{"", "2026-01-01", "2026-01-31", "2026-02-13", "2026-03-31"}).Draw(t, name)
	}
	return transaction.InsightQuery{
		Type: rapid.SampledFrom([]transaction.RecordType{transaction.Income, transaction.Expense}).Draw(t, "type"),
		Granularity: rapid.SampledFrom([]transaction.Granularity{
			transaction.AllTime, transaction.Daily, transaction.Weekly, transaction.Monthly, transaction.Quarterly, transaction.Yearly,
		}).Draw(t, "granularity"),
		Order: rapid.SampledFrom(
			[]transaction.InsightOrder{transaction.ByAmount, transaction.ByCount, transaction.ByName},
		).Draw(t, "order"),
		From:      day("from"),
		To:        day("to"),
		AccountID: rapid.SampledFrom([]string{"", "a"}).Draw(t, "of account"),
		TopLevel:  rapid.Bool().Draw(t, "top"),
	}
}

// period is an independent implementation by calendar: the week's Monday and so on.
func period(g transaction.Granularity, d pfm.Date) string {
	t := d.Time()
	year, week := t.ISOWeek()
	switch g {
	case transaction.Daily:
		return string(d)
	case transaction.Weekly:
		return fmt.Sprint(year, "w", week)
	case transaction.Monthly:
		return t.Format("2006-01")
	case transaction.Quarterly:
		return fmt.Sprint(t.Year(), "q", (int(t.Month())+2)/3)
	case transaction.Yearly:
		return fmt.Sprint(t.Year())
	default:
		return ""
	}
}

// naive sums all rows one by one.
func naive(
	t require.TestingT, rows map[string]transaction.Transaction, q transaction.InsightQuery, of func(transaction.Transaction) string,
) map[string]string {
	amounts, counts := map[string]money.Amount{}, map[string]int{}
	for _, r := range rows {
		if r.State == transaction.Void || r.Type() != q.Type || of(r) == "" || (q.AccountID != "" && r.AccountID != q.AccountID) ||
			(q.From != "" && r.RecordDate < q.From) || (q.To != "" && r.RecordDate > q.To) {
			continue
		}
		key := of(r) + "/" + r.Currency + "/" + period(q.Granularity, r.RecordDate)
		sum, err := amounts[key].Add(r.Amount)
		require.NoError(t, err)
		amounts[key], counts[key] = sum, counts[key]+1
	}
	out := map[string]string{}
	for key, sum := range amounts {
		out[key] = fmt.Sprint(counts[key], " ", sum.String())
	}
	return out
}

func told(insights []transaction.Insight, q transaction.InsightQuery, of func(transaction.Insight) string) map[string]string {
	out := map[string]string{}
	for _, i := range insights {
		start := ""
		if i.PeriodStart != "" {
			start = period(q.Granularity, i.PeriodStart)
		}
		out[of(i)+"/"+i.Currency+"/"+start] = fmt.Sprint(i.Count, " ", i.Amount.String())
	}
	return out
}

// After any sequence of adds, changes, moves, voids and overrides, the insights equal
// the sums of the rows.
func TestInsightsEqualNaiveSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLedger()
		for range rapid.IntRange(0, 60).Draw(t, "writes") {
			l.write(t, anyRow(t, fmt.Sprint("r", rapid.IntRange(0, 25).Draw(t, "row"))))
		}
		insights := transaction.NewReading(l, pfmtest.Gate{}, nil)
		q := anyQuery(t)
		byCategory, err := insights.CategoryInsights(context.Background(), pfmtest.User(), q)
		require.NoError(t, err)
		assert.Equal(t, naive(t, l.rows, q, func(r transaction.Transaction) string {
			if q.TopLevel {
				return r.Category.Name
			}
			return r.Category.SubcategoryName
		}), told(byCategory, q, func(i transaction.Insight) string {
			if q.TopLevel {
				return i.Category.Name
			}
			return i.Category.SubcategoryName
		}))
		byMerchant, err := insights.MerchantInsights(context.Background(), pfmtest.User(), q)
		require.NoError(t, err)
		assert.Equal(t, naive(t, l.rows, q, func(r transaction.Transaction) string {
			if r.Party() == "" {
				return ""
			}
			return r.MerchantOrParty().ID
		}),
			told(byMerchant, q, func(i transaction.Insight) string { return i.Merchant.ID }))

		top, both := q, q
		top.TopLevel, both.TopLevel = true, false
		assert.Equal(t, total(t, insights, top), total(t, insights, both), "L2 sums equal L1")
	})
}

func total(t require.TestingT, s *transaction.Reading, q transaction.InsightQuery) map[string]string {
	list, err := s.CategoryInsights(context.Background(), pfmtest.User(), q)
	require.NoError(t, err)
	sums := map[string]money.Amount{}
	for _, i := range list {
		key := fmt.Sprint(i.Category.ID, i.Currency, i.PeriodStart)
		sum, err := sums[key].Add(i.Amount)
		require.NoError(t, err)
		sums[key] = sum
	}
	out := map[string]string{}
	for key, sum := range sums {
		out[key] = sum.String()
	}
	return out
}

func TestInsightOrders(t *testing.T) {
	l := newLedger()
	for i, amount := range []string{"-5.00", "-70.00", "-6.00", "-6.00"} {
		c, _ := pfm.CategoryOf([]int{521, 501, 541, 541}[i])
		l.write(t, transaction.Transaction{
			ID: fmt.Sprint(i), AccountID: "a", Category: c, RecordDate: "2026-01-05",
			Amount: money.MustParse(amount), Currency: "EUR", State: transaction.Cleared,
		})
	}
	for order, want := range map[transaction.InsightOrder][]int{transaction.ByAmount: {500, 540, 520}, transaction.ByCount: {540, 500, 520},
		transaction.ByName: {520, 500, 540}} {
		list, err := transaction.NewReading(l, pfmtest.Gate{}, nil).CategoryInsights(
			t.Context(), pfmtest.User(),
			transaction.InsightQuery{Type: transaction.Expense, Granularity: transaction.AllTime, Order: order, TopLevel: true},
		)
		require.NoError(t, err)
		var got []int
		for _, i := range list {
			got = append(got, i.Category.ID)
		}
		assert.Equal(t, want, got, order)
	}
}

func TestTooManyInsights(t *testing.T) {
	l := newLedger()
	for i := range transaction.MaxInsights + 1 {
		l.write(t, transaction.Transaction{
			ID: fmt.Sprint(i), AccountID: "a", Category: pfm.Uncategorised(), RecordDate: "2026-01-05",
			Amount: money.MustParse("-1"), Currency: "EUR",
			Merchant: pfm.Merchant{ID: pfmtest.ID(i), Name: "M"}, State: transaction.Cleared,
		})
	}
	_, err := transaction.NewReading(l, pfmtest.Gate{}, nil).MerchantInsights(
		t.Context(), pfmtest.User(),
		transaction.InsightQuery{Type: transaction.Expense, Granularity: transaction.AllTime},
	)
	assert.True(t, apierror.Is(err, apierror.RangeTooLarge), "%v", err)
}
