package transaction

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// Granularity is the length of an insight's period.
type Granularity string

// The granularities.
const (
	AllTime   Granularity = "alltime"
	Daily     Granularity = "daily"
	Weekly    Granularity = "weekly"
	Monthly   Granularity = "monthly"
	Quarterly Granularity = "quarterly"
	Yearly    Granularity = "yearly"
)

// start returns the first day of the period that contains d; empty for all time.
// Weeks start on Monday (ISO 8601).
func (g Granularity) start(d pfm.Date) pfm.Date {
	t := d.Time()
	switch g {
	case Daily:
		return d
	case Weekly:
		return d.AddDays(-(int(t.Weekday()) + 6) % 7)
	case Monthly:
		return pfm.DateOf(time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC))
	case Quarterly:
		return pfm.DateOf(time.Date(t.Year(), (t.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC))
	case Yearly:
		return pfm.DateOf(time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC))
	default:
		return ""
	}
}

// InsightOrder is the sort order of insights.
type InsightOrder string

// The orders: by absolute amount or by number, largest first, or by name.
const (
	ByAmount InsightOrder = "amount"
	ByCount  InsightOrder = "numberOfTransactions"
	ByName   InsightOrder = "name"
)

// InsightQuery selects the transactions to sum, and says how to group them.
type InsightQuery struct {
	Type        RecordType
	Granularity Granularity
	Order       InsightOrder
	// From and To are inclusive; empty means no bound.
	From, To  pfm.Date
	AccountID string
	// TopLevel sums by L1 category instead of L2.
	TopLevel bool
	// Limit is the most elements of a page; 0 means all. After is the last element of the
	// page before.
	Limit int
	After *Insight
}

// Insight is the sum of one category or one merchant, in one currency and
// period.
type Insight struct {
	Category pfm.Category
	Merchant pfm.Merchant
	Amount   money.Amount
	Currency string
	Count    int
	// PeriodStart is empty for all time.
	PeriodStart pfm.Date
}

// MaxInsights is the maximum number of elements in a response.
const MaxInsights = 10_000

// CategoryInsights returns the sums by category. With a limit it returns one more if there is
// another page.
func (s *Reading) CategoryInsights(ctx context.Context, user owner.User, q InsightQuery) ([]Insight, error) {
	return s.sums(ctx, user, q, func(k TallyKey) (Insight, bool) {
		c, known := pfm.CategoryOf(k.Subcategory)
		if q.TopLevel {
			c.SubcategoryID, c.SubcategoryName = 0, ""
		}
		return Insight{Category: c}, known
	})
}

// MerchantInsights returns the sums by merchant, or by counterparty where the merchant is unknown,
// like CategoryInsights. Transactions that name nobody are left out.
func (s *Reading) MerchantInsights(ctx context.Context, user owner.User, q InsightQuery) ([]Insight, error) {
	nobody := pfm.Merchant{}.OrParty("").ID
	return s.sums(ctx, user, q, func(k TallyKey) (Insight, bool) {
		return Insight{Merchant: pfm.Merchant{ID: k.MerchantID}}, k.MerchantID != "" && k.MerchantID != nobody
	})
}

// sums returns the sums by the group that groupOf returns. groupOf returns false for
// tallies that do not count.
func (s *Reading) sums(
	ctx context.Context, user owner.User, q InsightQuery, groupOf func(TallyKey) (Insight, bool),
) ([]Insight, error) {
	level := q.level()
	list, err := owner.Read(ctx, s.gate, user, func(ctx context.Context) ([]Aggregate, error) {
		return s.store.Aggregates(ctx, user, level, month(q.From), month(q.To))
	})
	if err != nil {
		return nil, err
	}
	sums := map[Insight]Tally{} // by insight without amount, count and name
	names := map[string]string{}
	for _, a := range list {
		maps.Copy(names, a.Names)
		if q.AccountID != "" && a.ID.AccountID != q.AccountID {
			continue
		}
		for key, tally := range a.Tallies {
			group, counts := groupOf(key)
			day := a.day(key)
			// At the other levels, the store has read only what is in the range.
			if !counts || key.Type != q.Type || level == LevelDay && !q.contains(day) {
				continue
			}
			group.Currency, group.PeriodStart = key.Currency, q.Granularity.start(day)
			sum := sums[group]
			if sum.Amount, err = sum.Amount.Add(tally.Amount); err != nil {
				return nil, fmt.Errorf("sum insights: %w", err)
			}
			sum.Count += tally.Count
			sums[group] = sum
		}
	}
	maps.DeleteFunc(sums, func(_ Insight, sum Tally) bool { return sum.Count == 0 })
	if len(sums) > MaxInsights {
		return nil, apierror.New(apierror.RangeTooLarge,
			"The response would have more than 10,000 elements. Ask for fewer days or a coarser granularity.")
	}
	insights := make([]Insight, 0, len(sums))
	for insight, sum := range sums {
		insight.Amount, insight.Count, insight.Merchant.Name = sum.Amount, sum.Count, names[insight.Merchant.ID]
		insights = append(insights, insight)
	}
	slices.SortFunc(insights, q.Order.compare)
	return q.page(insights), nil
}

// page returns what follows After, up to one element more than Limit.
func (q InsightQuery) page(insights []Insight) []Insight {
	if q.After != nil {
		insights = slices.DeleteFunc(insights, func(i Insight) bool { return q.Order.compare(i, *q.After) <= 0 })
	}
	if q.Limit > 0 && len(insights) > q.Limit {
		return insights[:q.Limit+1]
	}
	return insights
}

// level returns the coarsest level that can answer the query.
func (q InsightQuery) level() Level {
	switch {
	case q.Granularity == Daily, q.Granularity == Weekly, !q.wholeMonths():
		return LevelDay
	case q.Granularity == AllTime && q.From == "" && q.To == "":
		return LevelAllTime
	default:
		return LevelMonth
	}
}

// wholeMonths reports whether the range consists of whole months.
func (q InsightQuery) wholeMonths() bool {
	return (q.From == "" || q.From.Time().Day() == 1) && (q.To == "" || q.To.AddDays(1).Time().Day() == 1)
}

// contains reports whether a day is in the range.
func (q InsightQuery) contains(day pfm.Date) bool {
	return (q.From == "" || day >= q.From) && (q.To == "" || day <= q.To)
}

// day returns the day of a tally, or the first of its month if tallies have no day.
func (a Aggregate) day(k TallyKey) pfm.Date {
	if a.ID.Month == "" {
		return ""
	}
	return pfm.Date(fmt.Sprintf("%s-%02d", a.ID.Month, max(k.Day, 1)))
}

func month(d pfm.Date) string {
	if d == "" {
		return ""
	}
	return string(d)[:len("2006-01")]
}

// compare is a total order, so that equal queries get equal responses.
func (o InsightOrder) compare(a, b Insight) int {
	byAmount, byCount := -absolute(a.Amount).Cmp(absolute(b.Amount)), cmp.Compare(b.Count, a.Count)
	byName := cmp.Or(
		strings.Compare(textfold.Name(a.name()), textfold.Name(b.name())), strings.Compare(a.name(), b.name()),
	)
	rest := cmp.Or(
		strings.Compare(string(a.PeriodStart), string(b.PeriodStart)), strings.Compare(a.Currency, b.Currency),
		cmp.Compare(a.Category.ID, b.Category.ID), cmp.Compare(a.Category.SubcategoryID, b.Category.SubcategoryID),
		strings.Compare(a.Merchant.ID, b.Merchant.ID),
	)
	switch o {
	case ByCount:
		return cmp.Or(byCount, byAmount, byName, rest)
	case ByName:
		return cmp.Or(byName, byAmount, rest)
	default:
		return cmp.Or(byAmount, byCount, byName, rest)
	}
}

func (i Insight) name() string {
	return cmp.Or(i.Merchant.Name, i.Category.SubcategoryName, i.Category.Name)
}

func absolute(a money.Amount) money.Amount {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}
