package xs2a

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/pfm"
)

const rowsRoute = "GET /v1/accounts/a/transactions?bookingStatus=both&dateFrom=2026-01-01"

// rowsBody returns a page of booked rows with the link to the next one, if any.
func rowsBody(next string, ids ...string) string {
	rows := make([]string, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, `{"transactionId":"`+id+`","transactionAmount":{"currency":"EUR","amount":"-1.00"}}`)
	}
	link := ""
	if next != "" {
		link = `,"next":{"href":"` + next + `"}`
	}
	return `{"transactions":{"booked":[` + strings.Join(rows, ",") + `],"_links":{"account":{"href":"/v1/accounts/a"}` + link + `}}}`
}

// collect reads all rows. Nothing may follow an error.
func collect(t require.TestingT, c *Client, bank pfm.BankEndpoint) (ids []string, err error) {
	for row, e := range c.Transactions(context.Background(), bank, session, "a", "2026-01-01") {
		require.NoError(t, err, "something follows an error")
		if err = e; err != nil {
			require.Equal(t, pfm.BankTransaction{}, row)
			continue
		}
		ids = append(ids, row.ID)
	}
	return ids, err
}

func TestTransactions(t *testing.T) {
	t.Run("follows both forms of page links", func(t *testing.T) {
		p := newPeer(t)
		p.on(rowsRoute, 200, rowsBody(p.bank.BaseURL+"/v1/accounts/a/transactions?page=2", "1", "2"))
		p.on("GET /v1/accounts/a/transactions?page=2", 200, rowsBody("/psd2/v1/accounts/a/transactions?page=3"))
		p.on("GET /v1/accounts/a/transactions?page=3", 200, rowsBody("/v1/accounts/a/transactions?page=4", "3"))
		p.on("GET /v1/accounts/a/transactions?page=4", 200, rowsBody("?page=5#top", "4"))
		p.on("GET /v1/accounts/a/transactions?page=5", 200, rowsBody("", "5"))

		ids := must(collect(t, client(), p.bank))
		assert.Equal(t, []string{"1", "2", "3", "4", "5"}, ids)
		for _, call := range p.calls {
			assert.Equal(t, "c-1", call.header.Get("Consent-ID"))
		}
	})

	t.Run("finds the link to the next page outside the report", func(t *testing.T) {
		p := newPeer(t).on(rowsRoute, 200, `{"transactions":{"booked":[]},"_links":{"next":{"href":"?page=2"}}}`)
		p.on("GET /v1/accounts/a/transactions?page=2", 200, rowsBody("", "1"))

		ids := must(collect(t, client(), p.bank))
		assert.Equal(t, []string{"1"}, ids)
	})

	t.Run("knows rows that a page repeats, with their balances", func(t *testing.T) {
		row := func(amount, balance string) string {
			return `{"bookingDate":"2026-01-02","transactionAmount":{"currency":"EUR","amount":"` + amount + `"},` +
				`"balanceAfterTransaction":{"balanceType":"interimBooked","balanceAmount":{"currency":"EUR","amount":"` + balance + `"}}}`
		}
		p := newPeer(t).on(rowsRoute, 200, `{"transactions":{"booked":[`+row("-1", "9")+`,`+row("-2", "7")+`],"_links":{"next":{"href":"?page=2"}}}}`)
		p.on("GET /v1/accounts/a/transactions?page=2", 200, `{"transactions":{"booked":[`+row("-2", "7")+`,`+row("-2", "5")+`]}}`)

		var balances []string
		for row, err := range client().Transactions(t.Context(), p.bank, session, "a", "2026-01-01") {
			require.NoError(t, err)
			balances = append(balances, row.BalanceAfter.String())
		}
		assert.Equal(t, []string{"9", "7", "5"}, balances)
	})

	t.Run("yields booked rows before pending ones", func(t *testing.T) {
		p := newPeer(t).on(rowsRoute, 200, `{"transactions":{
			"pending":[{"transactionId":"p","transactionAmount":{"currency":"EUR","amount":"-1"}}],
			"information":[{"transactionId":"standing order"}],
			"booked":[{"transactionId":"b","transactionAmount":{"currency":"EUR","amount":"-1"}}]}}`)

		var got []string
		for row, err := range client().Transactions(t.Context(), p.bank, session, "a", "2026-01-01") {
			require.NoError(t, err)
			got = append(got, fmt.Sprint(row.ID, row.Booked))
		}
		assert.Equal(t, []string{"btrue", "pfalse"}, got)
	})

	t.Run("requests only booked rows if the bank supports no others", func(t *testing.T) {
		for refusal, status := range map[string]int{
			tppMessage("PARAMETER_NOT_SUPPORTED"): 400, tppMessage("FORMAT_ERROR"): 400, tppMessage("SERVICE_BLOCKED"): 403,
			tppMessage("RESOURCE_UNKNOWN"): 404, `{"error":"bad request"}`: 400, ``: 406, `not here`: 501,
		} {
			p := newPeer(t).on(rowsRoute, status, refusal)
			p.on(strings.Replace(rowsRoute, "both", "booked", 1), 200, rowsBody("", "1"))
			p.on(strings.Replace(rowsRoute, "both", "pending", 1), status, refusal)

			ids := must(collect(t, client(), p.bank))
			assert.Equal(t, []string{"1"}, ids)
		}
	})

	t.Run("requests pending rows apart if the bank does not list both at once", func(t *testing.T) {
		for _, answer := range []string{
			strings.Replace(rowsBody("", "2"), `"booked"`, `"pending"`, 1),
			strings.Replace(rowsBody("", "2"), `"booked":`,
				`"booked":[{"transactionAmount":{"currency":"EUR","amount":"-1"}}],"pending":`, 1),
		} {
			p := newPeer(t).on(rowsRoute, 400, tppMessage("PARAMETER_NOT_SUPPORTED"))
			p.on(strings.Replace(rowsRoute, "both", "booked", 1), 200, rowsBody("", "1"))
			p.on(strings.Replace(rowsRoute, "both", "pending", 1), 200, answer)

			ids := must(collect(t, client(), p.bank))
			assert.Equal(t, []string{"1", "2"}, ids)
		}
		p := newPeer(t).on(rowsRoute, 400, tppMessage("PARAMETER_NOT_SUPPORTED"))
		p.on(strings.Replace(rowsRoute, "both", "booked", 1), 200, rowsBody("", "1"))
		p.on(strings.Replace(rowsRoute, "both", "pending", 1), 503, "")

		ids, err := collect(t, client(), p.bank)
		assert.Equal(t, 1, requireKind(t, err, pfm.SupplierUnavailable).Pages, "pending rows have not vanished")
		assert.Equal(t, []string{"1"}, ids)
	})

	t.Run("returns a refused period to the caller", func(t *testing.T) {
		p := newPeer(t).on(rowsRoute, 400, tppMessage("PERIOD_INVALID"))

		_, err := collect(t, client(), p.bank)

		assert.Equal(t, "PERIOD_INVALID", requireKind(t, err, pfm.SupplierRejected).BankCode)
	})

	t.Run("sends no start day if none is given", func(t *testing.T) {
		p := newPeer(t).on("GET /v1/accounts/a%2F..%2Fb%3F/transactions?bookingStatus=both", 200, rowsBody(""))

		for _, err := range client().Transactions(t.Context(), p.bank, session, "a/../b?", "") {
			require.NoError(t, err)
		}
	})

	t.Run("makes no call for an invalid ID", func(t *testing.T) {
		p := newPeer(t)
		for _, err := range client().Transactions(t.Context(), p.bank, session, "..", "") {
			requireKind(t, err, pfm.SupplierRejected)
		}
	})

	t.Run("makes no call before the first row is requested or after the last", func(t *testing.T) {
		p := newPeer(t)
		rows := client().Transactions(t.Context(), p.bank, session, "a", "2026-01-01")
		assert.Empty(t, p.calls)
		p.on(rowsRoute, 200, rowsBody("?page=2", "1", "2"))
		for row, err := range rows {
			require.NoError(t, err)
			assert.Equal(t, "1", row.ID)
			break
		}
	})

	t.Run("can be read again", func(t *testing.T) {
		p := newPeer(t)
		rows := client().Transactions(t.Context(), p.bank, session, "a", "2026-01-01")
		for range 2 {
			p.on(rowsRoute, 200, rowsBody("", "1"))
			n := 0
			for _, err := range rows {
				require.NoError(t, err)
				n++
			}
			assert.Equal(t, 1, n)
		}
	})

	t.Run("yields the rows before a failing page, then the failure", func(t *testing.T) {
		p := newPeer(t).on(rowsRoute, 200, rowsBody("?page=2", "1"))
		p.on("GET /v1/accounts/a/transactions?page=2", 503, "")

		ids, err := collect(t, client(), p.bank)

		requireKind(t, err, pfm.SupplierUnavailable)
		assert.Equal(t, []string{"1"}, ids)
	})

	t.Run("reads a report that is offered as a download", func(t *testing.T) {
		p := newPeer(t).on(rowsRoute, 200, `{"_links":{"download":{"href":"/v1/accounts/a/transactions/download/7"}}}`)
		p.on("GET /v1/accounts/a/transactions/download/7", 200, rowsBody("", "1"))

		ids := must(collect(t, client(), p.bank))
		assert.Equal(t, []string{"1"}, ids)
	})

	t.Run("takes path and query of a link to another host", func(t *testing.T) {
		for _, next := range []string{
			"https://internal.example/psd2/v1/accounts/a/transactions?page=2", "//internal.example/v1/accounts/a/transactions?page=2",
			"http://127.0.0.1:1/gateway/v1/accounts/a/transactions?page=2#top", "/v1/accounts/a/transactions?page=2",
		} {
			p := newPeer(t).on(rowsRoute, 200, rowsBody(next, "1"))
			p.on("GET /v1/accounts/a/transactions?page=2", 200, rowsBody("", "2"))

			ids := must(collect(t, client(), p.bank))
			assert.Equal(t, []string{"1", "2"}, ids)
		}
	})

	t.Run("stays at a bank behind TLS whose links are those of its gateway", func(t *testing.T) {
		for _, next := range []string{
			"http://internal:8080/berlin/v1/accounts/a/transactions?page=2", "http://b.example/v1/accounts/a/transactions?page=2",
			"/v1/accounts/a/transactions?page=2", "https://b.example/v1/accounts/a/transactions?page=2",
		} {
			var called []string
			two := roundTrip(func(r *http.Request) (*http.Response, error) {
				if called = append(called, r.URL.String()); len(called) == 1 {
					return jsonResponse(rowsBody(next, "1")), nil
				}
				return jsonResponse(rowsBody("", "2")), nil
			})
			bank := pfm.BankEndpoint{BaseURL: "https://b.example/berlin"}

			ids := must(collect(t, client(func(o *Options) { o.Transport = two }), bank))

			assert.Equal(t, []string{"1", "2"}, ids)
			assert.Equal(t, "https://b.example/berlin/v1/accounts/a/transactions?page=2", called[1], next)
		}
	})

	t.Run("ends where pages link to one seen before", func(t *testing.T) {
		for name, last := range map[string]string{"itself": "?page=2", "the first": strings.TrimPrefix(rowsRoute, "GET ")} {
			p := newPeer(t).on(rowsRoute, 200, rowsBody("?page=2", "1"))
			p.on("GET /v1/accounts/a/transactions?page=2", 200, rowsBody(last, "2"))

			ids, err := collect(t, client(), p.bank)

			require.NoError(t, err, name)
			assert.Equal(t, []string{"1", "2"}, ids, name)
		}
		p := newPeer(t).on(rowsRoute, 200, rowsBody("?page=2", "1"))
		p.on("GET /v1/accounts/a/transactions?page=2", 200, rowsBody("?page=3", "1"))

		ids, err := collect(t, client(), p.bank)

		require.NoError(t, err, "the same page under another address")
		assert.Equal(t, []string{"1"}, ids)
	})
}

func TestTransactionsRejectsInvalidPages(t *testing.T) {
	for name, next := range map[string]string{
		"of another scheme": "https:/psd2/v1/accounts/a/transactions", "that is a script": "javascript:alert(1)",
		"with credentials": "http://u@127.0.0.1/", "that cannot be read": "http://[::1",
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t).on(rowsRoute, 200, rowsBody(next, "1"))

			ids, err := collect(t, client(), p.bank)

			assert.Equal(t, 1, requireKind(t, err, pfm.SupplierInvalidResponse).Pages)
			assert.Equal(t, []string{"1"}, ids, "the page that was read")
			assert.NotContains(t, err.Error(), "evil")
		})
	}

	t.Run("without end", func(t *testing.T) {
		calls := 0
		endless := roundTrip(func(*http.Request) (*http.Response, error) {
			calls++
			return jsonResponse(rowsBody(fmt.Sprintf("?page=%d", calls+1), strconv.Itoa(calls))), nil
		})

		ids, err := collect(t, client(func(o *Options) { o.Transport = endless }), pfm.BankEndpoint{BaseURL: "https://b.example"})

		assert.ErrorIs(t, requireKind(t, err, pfm.SupplierInvalidResponse), errTooMany)
		assert.Len(t, ids, maxPages)
		assert.Equal(t, maxPages, calls)
	})
}

func jsonResponse(body string) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)),
	}
}

// However a bank splits its rows into pages, each arrives once and in order.
func TestTransactionsPagingProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 20).Draw(t, "page sizes")
		var want []string
		pages := make([][]string, len(sizes))
		for i, size := range sizes {
			for range size {
				id := fmt.Sprintf("t%d", len(want))
				want, pages[i] = append(want, id), append(pages[i], id)
			}
		}
		styles := rapid.SliceOfN(rapid.SampledFrom([]string{
			"https://b.example/psd2/v1/accounts/a/transactions?p=%d", "HTTPS://B.EXAMPLE:443/psd2/v1/accounts/a/transactions?p=%d",
			"/psd2/v1/accounts/a/transactions?p=%d", "/v1/accounts/a/transactions?p=%d", "transactions?p=%d", "?p=%d",
		}), len(sizes), len(sizes)).Draw(t, "link forms")
		served := 0
		bank := roundTrip(func(r *http.Request) (*http.Response, error) {
			next := ""
			if served+1 < len(pages) {
				next = fmt.Sprintf(styles[served], served+1)
			}
			if served > 0 {
				require.Equal(t, fmt.Sprintf("/psd2/v1/accounts/a/transactions?p=%d", served), r.URL.RequestURI())
			}
			served++
			return jsonResponse(rowsBody(next, pages[served-1]...)), nil
		})

		ids, err := collect(t, client(func(o *Options) { o.Transport = bank }), pfm.BankEndpoint{BaseURL: "https://b.example/psd2/"})

		require.NoError(t, err)
		require.Equal(t, want, ids)
		require.Equal(t, len(pages), served)
	})
}
