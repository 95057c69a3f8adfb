package enablebanking

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/url"
	"slices"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

const (
	// maxPages limits one read of an account. Pages may have as few as two rows.
	maxPages = 1000
	// maxEmptyPages is the maximum number of consecutive pages without rows. Some banks send them while they prepare
	// the history.
	maxEmptyPages = 20
	// recentDays is the number of days of history that banks return without the user, including today.
	recentDays = 89
)

var (
	errLoop      = errors.New("pages form a loop")
	errTooMany   = errors.New("too many pages")
	errNotReady  = errors.New("too many empty pages: the bank prepares the history")
	errNoListing = errors.New("response lists no transactions")
)

// Transactions implements pfm.Supplier. Only a page without a key is the end; a page may have no rows. All pages are
// requested with the same parameters.
func (c *Client) Transactions(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, resourceID string, from pfm.Date,
) iter.Seq2[pfm.BankTransaction, error] {
	return func(yield func(pfm.BankTransaction, error) bool) {
		pages := 0
		fail := func(kind pfm.SupplierErrorKind, cause error) {
			yield(pfm.BankTransaction{}, pfm.AfterPages(bankwire.Failure(readTransactions, kind, cause), pages))
		}
		query := url.Values{}
		if from != "" {
			query.Set("date_from", string(from))
		}
		if from < pfm.DateOf(clock.Now(ctx, c.caller.Now)).AddDays(-recentDays) {
			query.Set("strategy", "longest") // otherwise a bank with a shorter history refuses
		}
		seen, empty, before := map[string]bool{}, 0, []pfm.BankTransaction(nil)
		for ; pages < maxPages; pages++ {
			rows, next, err := c.page(ctx, bank, s, resourceID, query)
			if err != nil {
				yield(pfm.BankTransaction{}, pfm.AfterPages(err, pages))
				return
			}
			isSame := len(rows) > 0 && slices.EqualFunc(rows, before, pfm.BankTransaction.Equal)
			if isSame && (seen[next] || rows[0].EntryReference != "") {
				fail(pfm.SupplierInvalidResponse, errLoop) // the bank ignores the key
				return
			}
			before = rows
			for _, row := range rows {
				if dayOf(row) >= from && !yield(row, nil) {
					return
				}
			}
			if empty++; len(rows) > 0 {
				empty = 0
			}
			switch {
			case next == "":
				return
			case seen[next]:
				pages++
				fail(pfm.SupplierInvalidResponse, errLoop)
				return
			case empty == maxEmptyPages:
				pages++
				fail(pfm.SupplierUnavailable, errNotReady)
				return
			}
			seen[next] = true
			query.Set("continuation_key", next)
		}
		fail(pfm.SupplierInvalidResponse, errTooMany)
	}
}

// dayOf returns the row's day. One without a day counts as recent.
func dayOf(t pfm.BankTransaction) pfm.Date {
	return cmp.Or(t.BookingDate, t.ValueDate, t.TransactionDate, "9999-12-31")
}

func (c *Client) page(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, resourceID string, query url.Values,
) (rows []pfm.BankTransaction, next string, err error) {
	var w struct {
		Transactions *[]bankwire.Object `json:"transactions"`
		Key          string             `json:"continuation_key"`
	}
	address := at(bank, "accounts", resourceID, "transactions") + "?" + query.Encode()
	r := bankwire.Request{Operation: readTransactions, URL: address, Header: userHeader(bank, s)}
	err = c.do(ctx, bank, r, &w, func() error {
		if w.Transactions == nil {
			return errNoListing
		}
		for _, one := range *w.Transactions {
			if row, ok := readRow(one); ok {
				rows = append(rows, row)
			}
		}
		return nil
	})
	return rows, w.Key, err
}
