package budget

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	aviso "aviso.example/client"
)

// What is moved between a user's own accounts is neither spent nor earned.
const ownTransfers = 590

const (
	monthsShown    = 6
	merchantsShown = 8
)

// group is a category or a merchant with what was spent there in a month.
type group struct {
	ID, Name, URL string
	Amount        aviso.Amount // positive
	Before        aviso.Amount // a month earlier
	Count         int
	Percent       int // of the largest one
	Slice         slice
}

// More reports whether more was spent than a month earlier, and Difference how much.
func (g group) More() bool { return g.Amount.Cmp(g.Before) > 0 }

// Difference is how much more or less than a month earlier was spent.
func (g group) Difference() aviso.Amount {
	if d := g.Amount.Sub(g.Before); d.Sign() >= 0 {
		return d
	}
	return g.Before.Sub(g.Amount)
}

// Same reports whether that difference is too small to be shown.
func (g group) Same() bool { return g.Difference().StringFixed(0) == "0" }

type spendingPage struct {
	Currency, Month     string
	Total, Before, Left aviso.Amount
	Income              aviso.Amount
	IsNow               bool
	Months              []bar
	Axis                []tick
	Categories          []group
	Merchants           []group
}

// Comparison is the total as a group, for its difference.
func (p spendingPage) Comparison() group { return group{Amount: p.Total, Before: p.Before} }

// now is the user's time; in the sandbox it may be ahead.
func (v *visit) now() (time.Time, error) {
	if !v.Sandbox {
		return time.Now(), nil
	}
	clock, err := v.user.Sandbox.GetClock(v.r.Context())
	if err != nil {
		return time.Time{}, err
	}
	return clock.Now, nil
}

func startOfMonth(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

func (v *visit) spending() error {
	if ok, err := v.connected(); !ok {
		return err
	}
	now, err := v.now()
	if err != nil {
		return err
	}
	newest := startOfMonth(now)
	month, err := time.Parse("2006-01", v.r.URL.Query().Get("month"))
	if err != nil || month.After(newest) {
		month = newest
	}
	oldest := newest.AddDate(0, 1-monthsShown, 0)
	if month.Before(oldest.AddDate(0, 1, 0)) {
		oldest = month.AddDate(0, -1, 0)
	}
	params := &aviso.ListCategoryInsightsParams{
		Granularity: "monthly", TransactionType: "Expense", DateFrom: oldest.Format(time.DateOnly),
		DateTo: newest.AddDate(0, 1, -1).Format(time.DateOnly),
	}
	spent, err := v.user.Insights.ListCategories(v.r.Context(), params)
	if err != nil {
		return err
	}
	params.TransactionType = "Income"
	earned, err := v.user.Insights.ListCategories(v.r.Context(), params)
	if err != nil {
		return err
	}
	last := month.AddDate(0, 1, -1)
	merchants, err := v.user.Insights.ListMerchants(v.r.Context(), &aviso.ListMerchantInsightsParams{
		DateFrom: month.Format(time.DateOnly), DateTo: last.Format(time.DateOnly), Limit: 3 * merchantsShown,
	})
	if err != nil {
		return err
	}
	page := v.summarize(spent.Data.Insights, earned.Data.Insights, month, oldest, newest)
	for _, m := range merchants.Data.Insights {
		if m.CurrencyCode != page.Currency || m.Merchant.Name == v.who.Name || len(page.Merchants) == merchantsShown {
			continue
		}
		page.Merchants = append(page.Merchants, group{
			ID: m.Merchant.ID, Name: m.Merchant.Name, Amount: m.Amount.Neg(), Count: m.NumberOfTransactions,
			URL: v.rowsOf(month, url.Values{"merchant": {m.Merchant.ID}}),
		})
	}
	scale(page.Merchants)
	return v.show("spending", page)
}

func (v *visit) rowsOf(month time.Time, query url.Values) string {
	query.Set("month", month.Format("2006-01"))
	return v.prefix + "/rows?" + query.Encode()
}

// summarize makes the page of a month from the sums of all months. Amounts in other currencies are
// left out, because they cannot be added.
func (v *visit) summarize(spent, earned []aviso.CategoryInsight, month, oldest, newest time.Time) spendingPage {
	page := spendingPage{Currency: mostUsed(spent), Month: month.Format(time.DateOnly), IsNow: month.Equal(newest)}
	totals := map[string]aviso.Amount{}
	byCategory := map[int]*group{}
	this, before := page.Month, month.AddDate(0, -1, 0).Format(time.DateOnly)
	for _, s := range spent {
		if s.CurrencyCode != page.Currency || s.Category.ID == ownTransfers {
			continue
		}
		totals[s.PeriodStart] = totals[s.PeriodStart].Sub(s.Amount)
		g := byCategory[s.Category.ID]
		if g == nil {
			id := strconv.Itoa(s.Category.ID)
			g = &group{ID: id, Name: s.Category.Name, URL: v.rowsOf(month, url.Values{"category": {id}})}
			byCategory[s.Category.ID] = g
		}
		switch s.PeriodStart {
		case this:
			g.Amount, g.Count = g.Amount.Sub(s.Amount), s.NumberOfTransactions
		case before:
			g.Before = g.Before.Sub(s.Amount)
		}
	}
	for _, s := range earned {
		if s.PeriodStart == this && s.CurrencyCode == page.Currency && s.Category.ID != ownTransfers {
			page.Income = page.Income.Add(s.Amount)
		}
	}
	page.Total, page.Before = totals[this], totals[before]
	page.Left = page.Income.Sub(page.Total)
	for _, g := range byCategory {
		if g.Amount.Sign() > 0 {
			page.Categories = append(page.Categories, *g)
		}
	}
	slices.SortFunc(page.Categories, func(a, b group) int { return cmp.Or(b.Amount.Cmp(a.Amount), cmp.Compare(a.Name, b.Name)) })
	scale(page.Categories)
	divide(page.Categories, page.Total)
	page.Months, page.Axis = bars(v, totals, page.Currency, oldest, newest, month)
	return page
}

// mostUsed is the currency of most sums.
func mostUsed(sums []aviso.CategoryInsight) string {
	count, best := map[string]int{}, "EUR"
	for _, s := range sums {
		count[s.CurrencyCode] += s.NumberOfTransactions
	}
	for currency, n := range count {
		if n > count[best] {
			best = currency
		}
	}
	return best
}

type rowsPage struct {
	Query, Month, Category, Merchant, More string
	Categories                             []aviso.TopCategory
	Days                                   []rowsOfDay
}

type rowsOfDay struct {
	Date string
	Rows []aviso.Transaction
}

// rows lists what was paid, a page at a time. Aviso says with which token the next one begins.
func (v *visit) rows() error {
	if ok, err := v.connected(); !ok {
		return err
	}
	query := v.r.URL.Query()
	page := rowsPage{Query: query.Get("q"), Month: query.Get("month"), Category: query.Get("category"), Merchant: query.Get("merchant")}
	params := &aviso.ListTransactionsParams{Text: page.Query, MerchantID: page.Merchant, NextToken: query.Get("next"), Limit: 50}
	params.CategoryID, _ = strconv.Atoi(page.Category)
	if month, err := time.Parse("2006-01", page.Month); err == nil {
		params.DateFrom, params.DateTo = month.Format(time.DateOnly), month.AddDate(0, 1, -1).Format(time.DateOnly)
	}
	found, err := v.user.Transactions.ListPage(v.r.Context(), params)
	if err != nil {
		return err
	}
	if page.Categories, err = v.client.Transactions.ListCategories(v.r.Context()); err != nil {
		return err
	}
	for _, row := range found.Items {
		date := row.RecordDate.Format(time.DateOnly)
		if n := len(page.Days); n == 0 || page.Days[n-1].Date != date {
			page.Days = append(page.Days, rowsOfDay{Date: date})
		}
		day := &page.Days[len(page.Days)-1]
		day.Rows = append(day.Rows, row)
	}
	if found.NextToken != "" {
		query.Set("next", found.NextToken)
		page.More = v.prefix + "/rows?" + query.Encode()
	}
	return v.show("rows", page)
}
