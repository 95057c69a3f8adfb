package bankcheck_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/money"
)

// Account is an account as partners see it.
type Account struct{ Name, Type, IBAN, Currency, Balance string }

// Transaction is a transaction as partners see it.
type Transaction struct {
	ID, Account, Amount, Currency, State, Day, Note, Merchant, Payee string
	// Categorised: the category is the one that the user has chosen.
	Categorised bool
}

// View is what a partner sees after a fetch.
type View struct {
	Accounts []Account
	Rows     []Transaction
	// Changes is how many changes there were since the fetch before.
	Changes int
	// Partial: the connection says that some rows could not be read.
	Partial bool
	// Status and Reason of the connection, and the day on which its consent ends.
	Status, Reason, ConsentUntil string
	// Day is that of the fetch, as the service's clock has it.
	Day time.Time
}

// Check compares the views after each fetch with what is wanted. d is the day of the
// last fetch.
func (s Scenario) Check(views []View, d time.Time) []string {
	if len(views) != len(s.Fetches) {
		return []string{fmt.Sprintf("%d of %d fetches were read", len(views), len(s.Fetches))}
	}
	c := checker{views: views, day: d}
	c.check(s.Expect, len(views)-1)
	for fetch, expect := range s.Expect.After {
		c.check(expect, fetch)
	}
	for _, fetch := range s.Expect.Quiet {
		if n := views[fetch].Changes; n > 0 {
			c.fail(fetch, "%d changes, want none", n)
		}
	}
	return c.problems
}

type checker struct {
	views    []View
	day      time.Time
	problems []string
}

func (c *checker) fail(fetch int, format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf("after fetch %d: ", fetch)+fmt.Sprintf(format, args...))
}

func (c *checker) check(e Expect, fetch int) {
	v := c.views[fetch]
	live := 0
	for _, row := range v.Rows {
		if row.State != "Void" {
			live++
		}
	}
	if e.Live != nil && live != *e.Live {
		c.fail(fetch, "%d live rows, want %d: %+v", live, *e.Live, v.Rows)
	}
	if e.Accounts != nil && len(v.Accounts) != *e.Accounts {
		c.fail(fetch, "%d accounts, want %d", len(v.Accounts), *e.Accounts)
	}
	if e.Partial != nil && v.Partial != *e.Partial {
		c.fail(fetch, "PartialData is %t, want %t", v.Partial, *e.Partial)
	}
	c.oneOf(fetch, "status", v.Status, e.Status)
	c.oneOf(fetch, "reason", v.Reason, e.Reason)
	if e.ConsentUntil != "" && !c.isDay(v.ConsentUntil, e.ConsentUntil, fetch) {
		c.fail(fetch, "the consent ends on %s, want %s", v.ConsentUntil, e.ConsentUntil)
	}
	c.all(fetch, "names", e.Names, func(a Account) string { return a.Name })
	c.all(fetch, "currencies", e.Currencies, func(a Account) string { return a.Currency })
	c.all(fetch, "ibans", e.IBANs, func(a Account) string { return a.IBAN })
	c.some(fetch, "balance", e.Balance != "", func(a Account) bool { return sameAmount(a.Balance, e.Balance) })
	c.some(fetch, "type", e.AccountType != "", func(a Account) bool { return a.Type == e.AccountType })
	c.some(fetch, "iban", e.IBAN != nil, func(a Account) bool { return a.IBAN == *e.IBAN })
	if missing := c.assign(fetch, e.Rows, map[string]bool{}); missing != "" {
		c.fail(fetch, "%s; there are %+v", missing, v.Rows)
	}
}

func (c *checker) oneOf(fetch int, what, got string, wanted []string) {
	if wanted != nil && !slices.Contains(wanted, got) {
		c.fail(fetch, "the %s is %q, want one of %q", what, got, wanted)
	}
}

func (c *checker) all(fetch int, what string, wanted []string, of func(Account) string) {
	var got []string
	for _, a := range c.views[fetch].Accounts {
		got = append(got, of(a))
	}
	if slices.Sort(got); wanted != nil && !slices.Equal(got, wanted) {
		c.fail(fetch, "the %s are %q, want %q", what, got, wanted)
	}
}

func (c *checker) some(fetch int, what string, wanted bool, holds func(Account) bool) {
	if wanted && !slices.ContainsFunc(c.views[fetch].Accounts, holds) {
		c.fail(fetch, "no account has the wanted %s: %+v", what, c.views[fetch].Accounts)
	}
}

// assign finds a row of its own for each wanted one. It returns what is missing.
func (c *checker) assign(fetch int, wanted []Row, used map[string]bool) string {
	if len(wanted) == 0 {
		return ""
	}
	first := ""
	for _, row := range c.views[fetch].Rows {
		if used[row.ID] || !sameAmount(row.Amount, wanted[0].Amount) {
			continue
		}
		problem := c.differs(fetch, row, wanted[0])
		if problem == "" {
			used[row.ID] = true
			if problem = c.assign(fetch, wanted[1:], used); problem == "" {
				return ""
			}
			delete(used, row.ID)
		}
		if first == "" {
			first = problem
		}
	}
	if first == "" {
		first = "no row of " + wanted[0].Amount
	}
	return first
}

// differs returns in what a row is not the wanted one, or "".
func (c *checker) differs(fetch int, row Transaction, want Row) string {
	texts := strings.ToLower(row.Note + "\n" + row.Merchant + "\n" + row.Payee)
	switch {
	case want.State == "" && row.State == "Void", want.State != "" && row.State != want.State:
		return fmt.Sprintf("%s is %s, want %q", want.Amount, row.State, want.State)
	case want.Currency != "" && row.Currency != want.Currency:
		return want.Amount + " is in " + row.Currency
	case len(want.Date) > 0 && !slices.ContainsFunc(want.Date, func(d string) bool { return c.isDay(row.Day, d, fetch) }):
		return fmt.Sprintf("%s is of %s, want %v", want.Amount, row.Day, want.Date)
	case !strings.Contains(texts, strings.ToLower(want.Has)):
		return fmt.Sprintf("%s has no %q", want.Amount, want.Has)
	case want.Not != "" && strings.Contains(texts, strings.ToLower(want.Not)):
		return fmt.Sprintf("%s has %q", want.Amount, want.Not)
	case !strings.Contains(row.Merchant, want.Merchant):
		return fmt.Sprintf("%s has the merchant %q, want %q", want.Amount, row.Merchant, want.Merchant)
	case want.Account != "" && row.Account != want.Account:
		return fmt.Sprintf("%s is in %q, want %q", want.Amount, row.Account, want.Account)
	case want.Categorised != nil && row.Categorised != *want.Categorised:
		return fmt.Sprintf("%s is categorised: %t", want.Amount, row.Categorised)
	}
	return c.origin(fetch, row, want)
}

// origin checks from which fetch the row's ID stems.
func (c *checker) origin(fetch int, row Transaction, want Row) string {
	had := func(v View, amount string) bool {
		return slices.ContainsFunc(v.Rows, func(old Transaction) bool {
			return old.ID == row.ID && (amount == "" || sameAmount(old.Amount, amount))
		})
	}
	if want.Kept != nil {
		was := want.Amount
		if want.Was != "" {
			was = want.Was
		}
		if !had(c.views[*want.Kept], was) {
			return fmt.Sprintf("%s has not kept its ID of fetch %d", want.Amount, *want.Kept)
		}
	}
	if want.Fresh && slices.ContainsFunc(c.views[:fetch], func(v View) bool { return had(v, "") }) {
		return want.Amount + " has an ID seen before"
	}
	return ""
}

// isDay reports whether a day is the wanted one. What is wanted after an earlier fetch
// may be relative to the day of that fetch.
func (c *checker) isDay(day, want string, fetch int) bool {
	before := strings.HasPrefix(want, "<=")
	m := bareDay.FindStringSubmatch(strings.TrimPrefix(want, "<="))
	if m == nil {
		return day == want
	}
	for _, d := range []time.Time{c.day, c.views[fetch].Day} {
		if wanted := resolveDay(d, m[1], ""); day == wanted || before && day < wanted {
			return true
		}
	}
	return false
}

func sameAmount(a, b string) bool {
	x, errX := money.Parse(a)
	y, errY := money.Parse(b)
	return errX == nil && errY == nil && x.Equal(y)
}
