package xs2a

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// maxPages limits one read of an account.
const maxPages = 1000

var errTooMany = errors.New("too many pages")

// page is one page of rows with its address and, if there is one, the next page's. badNext is the error of a link to
// the next page that cannot be followed.
type page struct {
	rows     []pfm.BankTransaction
	at, next string
	badNext  error
}

// Transactions reads booked and pending rows. If the bank does not list both at once, it reads pending rows apart, or
// only booked ones if the bank does not list pending ones at all. It checks a whole page before it yields the first row.
func (c *Client) Transactions(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, resourceID string, from pfm.Date,
) iter.Seq2[pfm.BankTransaction, error] {
	return func(yield func(pfm.BankTransaction, error) bool) {
		if s.NoRows {
			yield(pfm.BankTransaction{}, bankwire.Failure(readTransactions, pfm.SupplierConsentInvalid, nil))
			return
		}
		r := read(bank, s, readTransactions, accountPath(resourceID, "transactions")...)
		r.query = pageQuery("both", from)
		p, err := c.page(ctx, r)
		isApart := refusesRows(err)
		if isApart {
			r.query = pageQuery("booked", from)
			p, err = c.page(ctx, r)
		}
		pages, goesOn := c.yieldPages(ctx, r, p, err, 0, yield)
		if !goesOn || !isApart {
			return
		}
		r.query = pageQuery("pending", from)
		p, err = c.page(ctx, r)
		if e := pfm.FailureOf(err); err != nil && (!e.Temporary() || e.Status == http.StatusNotImplemented) {
			return
		}
		c.yieldPages(ctx, r, p, err, pages, func(row pfm.BankTransaction, err error) bool {
			return err == nil && row.Booked || yield(row, err) // some banks list booked rows whatever they are asked for
		})
	}
}

// ListsPending reports whether the bank lists pending rows, and whether only apart from booked ones.
func (c *Client) ListsPending(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, resourceID string, from pfm.Date,
) (lists, apart bool) {
	r := read(bank, s, readTransactions, accountPath(resourceID, "transactions")...)
	r.query = pageQuery("both", from)
	if _, err := c.page(ctx, r); !refusesRows(err) {
		return err == nil, false
	}
	r.query = pageQuery("pending", from)
	_, err := c.page(ctx, r)
	return err == nil, true
}

// yieldPages yields the rows of a page and of those after it, or an error. It returns how many pages were read, with
// those before, and false if it must yield nothing after that.
func (c *Client) yieldPages(
	ctx context.Context, r request, p page, err error, pages int, yield func(pfm.BankTransaction, error) bool,
) (int, bool) {
	seen := map[string]bool{p.at: true}
	for ; ; pages++ {
		if err != nil {
			yield(pfm.BankTransaction{}, pfm.AfterPages(err, pages))
			return pages, false
		}
		for _, row := range p.rows {
			if !yield(row, nil) {
				return pages, false
			}
		}
		before := p.rows
		r.link = p.next
		switch {
		case p.badNext != nil:
			err = bankwire.Failure(readTransactions, pfm.SupplierInvalidResponse, p.badNext)
		case r.link == "", seen[r.link]: // some banks' last page links to itself or to the first page
			return pages + 1, true
		case len(seen) == maxPages:
			err = bankwire.Failure(readTransactions, pfm.SupplierInvalidResponse, errTooMany)
		default:
			seen[r.link] = true
			p, err = c.page(ctx, r)
			if len(before) > 0 && before[0].ID != "" && slices.EqualFunc(before, p.rows, pfm.BankTransaction.Equal) {
				return pages + 1, true // the same page under another address
			}
			p.rows = p.rows[overlap(before, p.rows):]
		}
	}
}

// overlap returns how many rows without an ID end one page and begin the next. Some banks page by day, and send the
// last rows of a page again.
func overlap(before, after []pfm.BankTransaction) int {
	for n := min(len(before), len(after)); n > 0; n-- {
		if after[0].ID == "" && after[n-1].Booked &&
			slices.EqualFunc(before[len(before)-n:], after[:n], pfm.BankTransaction.Equal) {
			return n
		}
	}
	return 0
}

// withoutMoved drops a booked row that occurs again with its ID, two or three days later: the bank has corrected its
// day. Equal payments with a common ID are further apart, or there are more of them.
func withoutMoved(rows []pfm.BankTransaction) []pfm.BankTransaction {
	const most = 3 * 24 * time.Hour
	under := map[string][]int{}
	for i, row := range rows {
		if row.ID != "" && row.Booked {
			under[row.ID] = append(under[row.ID], i)
		}
	}
	var moved []int
	for _, same := range under {
		if len(same) != 2 {
			continue
		}
		a, b := rows[same[0]], rows[same[1]]
		first, second := a.BookingDate.Time(), b.BookingDate.Time()
		a.BookingDate, a.ValueDate = b.BookingDate, b.ValueDate
		if apart := second.Sub(first).Abs(); !a.Equal(b) || apart == 0 || apart > most {
			continue
		}
		if first.After(second) {
			same[0] = same[1]
		}
		moved = append(moved, same[0])
	}
	slices.Sort(moved)
	for _, i := range slices.Backward(moved) {
		rows = slices.Delete(rows, i, i+1)
	}
	return rows
}

func pageQuery(bookingStatus string, from pfm.Date) string {
	q := url.Values{"bookingStatus": {bookingStatus}}
	if from != "" {
		q.Set("dateFrom", string(from))
	}
	return q.Encode()
}

func (c *Client) page(ctx context.Context, r request) (p page, err error) {
	var body json.RawMessage
	err = c.do(ctx, r, &body, func(at *url.URL) error {
		rows, next, err := decodePage(body)
		if err != nil {
			return err
		}
		p.rows, p.at = withoutMoved(rows), at.String()
		if next == "" {
			return nil
		}
		if to, err := follow(r.bank, at, next); err != nil {
			p.badNext = err
		} else {
			p.next = to.String()
		}
		return nil
	})
	return p, err
}
