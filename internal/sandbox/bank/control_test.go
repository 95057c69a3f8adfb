package bank_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const recent = "2026-10-01"

// contents returns rows without their IDs.
func contents(rows []row) []row {
	out := make([]row, len(rows))
	for i, r := range rows {
		r.TransactionID, r.EntryReference = "", ""
		out[i] = r
	}
	return out
}

// content returns what stays when a pending row is booked.
func content(r row) string {
	r.TransactionID, r.EntryReference, r.BookingDate, r.ValueDate = "", "", "", ""
	return fmt.Sprint(r)
}

func cents(t *testing.T, amount string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.Replace(amount, ".", "", 1))
	require.NoError(t, err)
	return n
}

// authorise adds another approval after the others.
func authorise(t *testing.T, p *TPP, persona string, accounts ...string) string {
	t.Helper()
	p.Now = p.Now.Add(time.Second)
	return p.Authorise(t, ConsentBody, persona, accounts...)
}

func ids(rows []row) map[string]bool {
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r.TransactionID], seen[r.EntryReference] = true, true
	}
	delete(seen, "")
	return seen
}

// amounts returns the balances of an account by type.
func amounts(t *testing.T, p *TPP, consentID string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, b := range accounts(t, p, consentID, "?withBalance=true")[0].Balances {
		out[b.BalanceType] = b.BalanceAmount.Amount
	}
	return out
}

func readAccounts(t *testing.T, p *TPP, consentID string) *http.Response {
	t.Helper()
	return p.Do(t, "GET", "/v1/accounts", With(consentID, Attended), "")
}

func TestConsentCommands(t *testing.T) {
	for action, want := range map[string]struct{ status, code string }{
		"expire":      {"expired", "CONSENT_EXPIRED"},
		"revoke":      {"revokedByPsu", "CONSENT_INVALID"},
		"require-sca": {"valid", "CONSENT_INVALID"},
	} {
		t.Run(action, func(t *testing.T) {
			p, id, _ := open(t, "lindenmark")
			p.Tell(t, action)
			for range 2 {
				res := readAccounts(t, p, id)
				assert.Equal(t, 401, res.StatusCode)
				assert.Equal(t, want.code, Code(t, res))
			}
			assert.Equal(t, want.status, status(t, p, id))
			assert.Equal(t, want.status, p.Newest(t).Status)

			anew := p.Authorise(t, ConsentBody, "anna", "current")
			assert.Equal(t, 200, readAccounts(t, p, anew).StatusCode, "the next consent works")
		})
	}
	t.Run("an expired consent shows its last day", func(t *testing.T) {
		p, id, _ := open(t, "lindenmark")
		p.Tell(t, "expire")
		assert.Equal(t, "2026-11-19", consent(t, p, id).ValidUntil)
	})
	t.Run("a consent with SCA due can be deleted", func(t *testing.T) {
		p, id, _ := open(t, "lindenmark")
		p.Tell(t, "require-sca")
		assert.True(t, p.Newest(t).SCADue)
		assert.Equal(t, 204, p.Do(t, "DELETE", "/v1/consents/"+id, nil, "").StatusCode)
		assert.Equal(t, "terminatedByTpp", status(t, p, id))
	})
	t.Run("back to normal ends SCA", func(t *testing.T) {
		p, id, _ := open(t, "lindenmark")
		p.Tell(t, "require-sca")
		p.Tell(t, "normal")
		assert.Equal(t, 200, readAccounts(t, p, id).StatusCode)
	})
}

func TestFaultCommands(t *testing.T) {
	for action, want := range map[string]int{"throttle": 429, "fail": 500, "garble": 200, "block": 403} {
		t.Run(action, func(t *testing.T) {
			p, id, a := open(t, "lindenmark")
			p.Tell(t, action, "minutes", "5")
			for _, path := range []string{"/v1/accounts", "/v1/accounts/" + a.ResourceID + "/balances"} {
				res := p.Do(t, "GET", path, With(id, Attended), "")
				assert.Equal(t, want, res.StatusCode)
				switch action {
				case "throttle":
					assert.Equal(t, "ACCESS_EXCEEDED", Code(t, res))
					assert.NotEmpty(t, res.Header.Get("Retry-After"))
				case "block":
					assert.Equal(t, "SERVICE_BLOCKED", Code(t, res))
				case "garble":
					assert.NotContains(t, Text(t, res), "]")
				}
			}
			assert.Equal(t, "valid", status(t, p, id), "the consent itself works")
			assert.NotEmpty(t, p.Newest(t).Trouble)

			p.Now = p.Now.Add(5 * time.Minute)
			assert.Empty(t, p.Newest(t).Trouble)
			assert.Equal(t, a, accounts(t, p, id, "")[0], "it ends on its own")
		})
	}
	t.Run("hang", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, id, _ := open(t, "lindenmark")
			p.Tell(t, "hang")
			start := time.Now()
			assert.Equal(t, 408, readAccounts(t, p, id).StatusCode)
			assert.Equal(t, 10*time.Second, time.Since(start))
		})
	})
	t.Run("back to normal", func(t *testing.T) {
		p, id, a := open(t, "lindenmark")
		p.Tell(t, "fail")
		p.Now = p.Now.Add(9 * time.Minute)
		assert.Equal(t, 500, readAccounts(t, p, id).StatusCode)
		p.Tell(t, "normal")
		assert.Equal(t, a, accounts(t, p, id, "")[0])
	})
	t.Run("the persona's own fault stays", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id := p.Authorise(t, ConsentBody, "failing", "current")
		p.Tell(t, "throttle")
		assert.Equal(t, 429, readAccounts(t, p, id).StatusCode)
		p.Tell(t, "normal")
		assert.Equal(t, 500, readAccounts(t, p, id).StatusCode)
	})
	t.Run("applies to one consent", func(t *testing.T) {
		p, id, _ := open(t, "lindenmark")
		authorise(t, p, "family", "joint")
		p.Tell(t, "fail")
		assert.Equal(t, 200, readAccounts(t, p, id).StatusCode)
	})
}

func TestReissuedIDsKeepTheContent(t *testing.T) {
	for _, slug := range []string{"lindenmark", "caja-olivar", "banque-des-saules"} {
		t.Run(slug, func(t *testing.T) {
			p, id, a := open(t, slug)
			was := everything(t, p, id, a, "both", recent)
			p.Tell(t, "reissue-ids")

			b := accounts(t, p, id, "")[0]
			assert.NotEqual(t, a.ResourceID, b.ResourceID)
			assert.Equal(t, a.IBAN, b.IBAN)
			res := p.Do(t, "GET", "/v1/accounts/"+a.ResourceID, With(id, Attended), "")
			assert.Equal(t, "RESOURCE_UNKNOWN", Code(t, res), "the previous ID is gone")

			is := everything(t, p, id, b, "both", recent)
			assert.Equal(t, contents(was.booked), contents(is.booked))
			assert.Equal(t, contents(was.pending), contents(is.pending))
			former, now := ids(append(was.booked, was.pending...)), ids(append(is.booked, is.pending...))
			assert.Len(t, now, len(former))
			for name := range now {
				assert.False(t, former[name])
			}
			assert.Equal(t, is, everything(t, p, id, b, "both", recent), "the new IDs stay")

			p.Tell(t, "reissue-ids")
			assert.NotContains(t, []string{a.ResourceID, b.ResourceID}, accounts(t, p, id, "")[0].ResourceID)
		})
	}
}

func TestBookPendingCommand(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	was, balances := everything(t, p, id, a, "both", recent), amounts(t, p, id)
	require.NotEmpty(t, was.pending)
	p.Tell(t, "book-pending")

	is := everything(t, p, id, a, "both", recent)
	assert.Empty(t, is.pending)
	require.Len(t, is.booked, len(was.booked)+len(was.pending))
	assert.Equal(t, was.booked, is.booked[len(was.pending):], "the others stay")
	for i, r := range is.booked[:len(was.pending)] {
		assert.Equal(t, content(was.pending[i]), content(r))
		assert.Equal(t, "2026-11-20", r.BookingDate)
	}
	now := amounts(t, p, id)
	assert.Equal(t, balances["expected"], now["expected"])
	assert.Equal(t, now["expected"], now["closingBooked"])

	// Pass the days on which they would have been booked or released.
	p.Now = p.Now.AddDate(0, 0, 10)
	later := everything(t, p, id, a, "both", recent).booked
	assert.Equal(t, is.booked, later[len(later)-len(is.booked):])
	seen := map[string]bool{}
	for _, r := range later {
		assert.False(t, seen[r.EntryReference], "no duplicate rows")
		seen[r.EntryReference] = true
	}
}

func TestPaginationIsStableWhileRowsChange(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	want := everything(t, p, id, a, "booked", "2026-05-01").booked
	next := "/v1/accounts/" + a.ResourceID + "/transactions?bookingStatus=booked&dateFrom=2026-05-01"
	var seen []row
	for _, action := range []string{"book-pending", "add-booked", "add-pending", "vanish-pending", "add-booked", "normal"} {
		if next == "" {
			break
		}
		var body struct {
			Transactions struct {
				Booked []row
				Links  map[string]struct{ Href string } `json:"_links"`
			}
		}
		Decode(t, p.Do(t, "GET", next, With(id, Attended), ""), &body)
		seen, next = append(seen, body.Transactions.Booked...), body.Transactions.Links["next"].Href
		p.Tell(t, action)
	}
	assert.Empty(t, next)
	assert.Equal(t, want, seen)
}

// A hold is released unless it was booked before.
func TestBookPendingCommandBooksHolds(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	for day := range 60 {
		p.Now = noon.AddDate(0, 0, day)
		for _, hold := range everything(t, p, id, a, "pending", recent).pending {
			if hold.TransactionAmount.Amount != "-100.00" {
				continue
			}
			id = p.Authorise(t, ConsentBody, "anna", "current") // approvals are listed for 30 days
			a = accounts(t, p, id, "")[0]
			p.Tell(t, "book-pending")
			for range 3 {
				found := 0
				for _, r := range everything(t, p, id, a, "booked", recent).booked {
					if content(r) == content(hold) {
						found++
					}
				}
				require.Equal(t, 1, found)
				p.Now = p.Now.AddDate(0, 0, 1)
			}
			return
		}
	}
	t.Fatal("no hold in sixty days")
}

func TestVanishPendingCommand(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	p.Tell(t, "add-pending")
	was, booked := everything(t, p, id, a, "both", recent), amounts(t, p, id)["closingBooked"]
	p.Tell(t, "vanish-pending")
	is := everything(t, p, id, a, "both", recent)
	assert.Equal(t, was.booked, is.booked)
	assert.Equal(t, was.pending[:len(was.pending)-1], is.pending, "the oldest is gone")
	now := amounts(t, p, id)
	assert.Equal(t, booked, now["closingBooked"])
	sum := cents(t, now["closingBooked"])
	for _, r := range is.pending {
		sum += cents(t, r.TransactionAmount.Amount)
	}
	assert.Equal(t, cents(t, now["expected"]), sum)

	gone := content(was.pending[len(was.pending)-1])
	p.Now = p.Now.AddDate(0, 0, 10)
	for _, r := range everything(t, p, id, a, "both", recent).booked {
		assert.NotEqual(t, gone, content(r), "it is never booked")
	}
}

// The customers of one persona share its rows, but not what was changed.
func TestChangesStayWithTheirCustomer(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	p.Now = p.Now.AddDate(0, 0, 10)
	want := everything(t, p, id, a, "both", recent)
	p.Now = noon.Add(time.Second)
	p.Tell(t, "vanish-pending")
	p.Tell(t, "add-booked")

	p.Now = noon.AddDate(0, 0, 10)
	changed := everything(t, p, id, a, "both", recent)
	assert.NotEqual(t, contents(want.booked), contents(changed.booked))
	other, page := p.Request(t, ConsentBody)
	p.Post(t, page, url.Values{"persona": {"anna"}, "customer": {"2"}, "account[]": {"current"}, "decision": {"approve"}})
	got := everything(t, p, other, accounts(t, p, other, "")[0], "both", recent)
	assert.Equal(t, contents(want.booked), contents(got.booked))
}

func TestAddRowCommands(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	was, before := everything(t, p, id, a, "both", recent), amounts(t, p, id)
	p.Tell(t, "add-pending")
	p.Tell(t, "add-booked")
	is, after := everything(t, p, id, a, "both", recent), amounts(t, p, id)
	require.Len(t, is.pending, len(was.pending)+1)
	require.Len(t, is.booked, len(was.booked)+1)
	assert.Equal(t, was.pending, is.pending[1:])
	assert.Equal(t, was.booked, is.booked[1:])
	pending, booked := is.pending[0], is.booked[0]
	assert.Equal(t, "2026-11-20", booked.BookingDate)
	assert.NotEqual(t, content(pending), content(booked))
	assert.Equal(t, cents(t, before["closingBooked"])+cents(t, booked.TransactionAmount.Amount), cents(t, after["closingBooked"]))
	assert.Equal(
		t,
		cents(t, before["expected"])+cents(t, booked.TransactionAmount.Amount)+cents(t, pending.TransactionAmount.Amount),
		cents(t, after["expected"]),
	)

	p.Now = p.Now.AddDate(0, 0, 1)
	next := everything(t, p, id, a, "pending", recent).pending
	days := map[string]bool{}
	for i, r := range next {
		days[r.ValueDate] = true
		assert.True(t, i == 0 || r.ValueDate <= next[i-1].ValueDate, "newest first")
	}
	require.Greater(t, len(days), 1)

	p.Now = p.Now.AddDate(0, 0, 5)
	found := false
	for _, r := range everything(t, p, id, a, "booked", recent).booked {
		found = found || content(r) == content(pending)
	}
	assert.True(t, found, "an untouched row is booked on its own")
}

func TestChangesOfRowsAffectOneAccountOfOneCustomer(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	first := p.Authorise(t, ConsentBody, "anna", "current", "savings")
	read := func(id string, account int) rows {
		return everything(t, p, id, accounts(t, p, id, "")[account], "both", recent)
	}
	current, savings := read(first, 0), read(first, 1)
	p.Tell(t, "add-booked", "account", "savings")
	p.Tell(t, "reissue-ids")
	changed := read(first, 1)
	assert.Equal(t, contents(current.booked), contents(read(first, 0).booked))
	assert.Len(t, changed.booked, len(savings.booked)+1)

	t.Run("they carry over to the next consent", func(t *testing.T) {
		assert.Equal(t, changed, read(authorise(t, p, "anna", "savings"), 0))
	})
	t.Run("even if the consent was revoked", func(t *testing.T) {
		p.Tell(t, "revoke")
		assert.Equal(t, changed, read(authorise(t, p, "anna", "savings"), 0))
	})
	t.Run("not to another customer", func(t *testing.T) {
		id, page := p.Request(t, ConsentBody)
		p.Post(t, page, url.Values{"persona": {"anna"}, "customer": {"2"}, "account[]": {"savings"}, "decision": {"approve"}})
		assert.Equal(t, savings, read(id, 0))
	})
}
