package bank_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

const controlPage = Base + "/sandbox/control"

func TestControlListsApprovalsNewestFirst(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	text, _ := fit(t, p.Get(t, controlPage))
	assert.Contains(t, text, "No consent has been approved yet.")

	p.Request(t, ConsentBody)
	const connection = "0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d4e"
	h := ConsentHeaders()
	h["TPP-Redirect-URI"] = "http://localhost:8123/callback?state=" + connection + ".secret-part"
	var created struct {
		ConsentID string
		Links     map[string]struct{ Href string } `json:"_links"`
	}
	Decode(t, p.Do(t, "POST", "/v1/consents", h, ConsentBody), &created)
	p.Post(
		t,
		created.Links["scaRedirect"].Href,
		url.Values{"persona": {"anna"}, "customer": {"47"}, "account[]": {"current"}, "decision": {"approve"}},
	)
	authorise(t, p, "freelancer", "current")

	res := p.Get(t, controlPage)
	assert.Equal(t, 200, res.StatusCode)
	text, elements := fit(t, res)
	assert.Less(t, strings.Index(text, "Noor Delacroix"), strings.Index(text, "Anna Sommer"))
	for _, part := range []string{"Lindenmark Sparbank", "Customer 47", connection, "20 November 2026, 12:00 UTC"} {
		assert.Contains(t, text, part)
	}
	for _, secret := range []string{created.ConsentID, "secret-part", strings.TrimPrefix(created.Links["scaRedirect"].Href, Base)} {
		assert.NotContains(t, text, secret)
	}
	links := 0
	for _, a := range find(elements, "a") {
		if strings.HasPrefix(a.attrs["href"], "/sandbox/control/") {
			links++
			detail, _ := fit(t, p.Get(t, Base+a.attrs["href"]))
			assert.NotContains(t, detail, created.ConsentID)
			assert.NotContains(t, detail, "secret-part")
		}
	}
	assert.Equal(t, 2, links, "only approved consents are listed")

	var list struct{ Consents []Controlled }
	p.JSON(t, "/sandbox/control", &list)
	require.Len(t, list.Consents, 2)
	c := list.Consents[1]
	assert.Equal(t, Controlled{ID: c.ID, Href: "/sandbox/control/" + c.ID, Bank: "lindenmark", Persona: "anna", Customer: "47",
		ConnectionID: connection, Status: "valid"}, c)
	assert.Empty(t, list.Consents[0].ConnectionID, "a state in another format has no connection")
	var one Controlled
	p.JSON(t, c.Href, &one)
	assert.Equal(t, c, one)
}

func TestControlNamesTheDayOnWhichAConsentEnded(t *testing.T) {
	for action, want := range map[string][2]string{
		"revoke": {"Ended", "23 November 2026"}, "expire": {"Valid until", "22 November 2026"}, "normal": {"Valid until", "19 May 2027"},
	} {
		t.Run(action, func(t *testing.T) {
			p := newTPP(t, "lindenmark", noon)
			p.Authorise(t, ConsentBody, "anna", "current")
			p.Now = p.Now.Add(72 * time.Hour)
			p.Tell(t, action)
			text, _ := fit(t, p.Get(t, Base+p.Newest(t).Href))
			assert.Contains(t, text, "<dt>"+want[0]+"</dt><dd>"+want[1]+"</dd>")
		})
	}
}

// People read words; the standard's own name of a state is on the consent's page, for programs.
func TestConsentStatesAreWords(t *testing.T) {
	for action, want := range map[string]struct{ words, name string }{
		"add-booked": {">Valid</span>", "valid"},
		"revoke":     {">Revoked by the customer</span>", "revokedByPsu"},
		"expire":     {">Expired</span>", "expired"},
		"throttle":   {">Reads now return 429 until 12:10 UTC</span>", "valid"},
		"hang":       {">Reads now hang until 12:10 UTC</span>", "valid"},
	} {
		p, _, _ := open(t, "lindenmark")
		p.Tell(t, action)
		list, _ := fit(t, p.Get(t, controlPage))
		assert.Contains(t, list, want.words)
		one, _ := fit(t, p.Get(t, Base+p.Newest(t).Href))
		assert.Contains(t, one, want.words)
		assert.Contains(t, one, "<code>"+want.name+"</code>")
	}
	p, id, _ := open(t, "lindenmark")
	require.Equal(t, 204, p.Do(t, "DELETE", "/v1/consents/"+id, nil, "").StatusCode)
	list, _ := fit(t, p.Get(t, controlPage))
	assert.Contains(t, list, ">Ended by Aviso</span>")
	assert.NotContains(t, list, "terminatedByTpp")
}

func TestControlListIsPaginated(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	for range 60 {
		p.Now = p.Now.Add(time.Second)
		p.Authorise(t, ConsentBody, "anna", "current")
	}
	seen, next, pages := map[string]bool{}, "/sandbox/control", 0
	for next != "" {
		var list struct {
			Consents []Controlled
			Next     string
		}
		p.JSON(t, next, &list)
		for i, c := range list.Consents {
			assert.False(t, seen[c.ID])
			seen[c.ID] = true
			assert.Equal(t, map[bool]string{true: "valid", false: "expired"}[len(seen) == 1], c.Status, i)
		}
		_, elements := fit(t, p.Get(t, Base+next))
		if list.Next != "" {
			assert.Len(t, find(elements, "a", "href", list.Next), 1)
		}
		next = list.Next
		pages++
	}
	assert.Len(t, seen, 60)
	assert.Equal(t, 3, pages)
}

func TestControlOffersEveryActionAsAPlainForm(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	p.Authorise(t, ConsentBody, "anna", "current", "savings")
	path := p.Newest(t).Href
	_, elements := fit(t, p.Get(t, Base+path))
	for _, f := range find(elements, "form") {
		assert.Equal(t, "post", f.attrs["method"])
		assert.Equal(t, path, f.attrs["action"])
	}
	assert.Len(t, find(elements, "label", "for", "account"), 1)
	assert.Len(t, find(elements, "label", "for", "minutes"), 1)
	buttons := find(elements, "button", "name", "action")
	assert.Len(t, buttons, 14)
	for _, b := range buttons {
		action := b.attrs["value"]
		if action == "expire" || action == "revoke" {
			continue // nothing goes after them
		}
		res := p.Post(t, Base+path, url.Values{"action": {action}, "account": {"current"}, "minutes": {"60"}})
		if action == "vanish-pending" {
			require.Equal(t, 409, res.StatusCode, "all rows are booked already")
			text, elements := fit(t, res)
			assert.Contains(t, text, "<title>Error: ")
			assert.Contains(t, text, "This account has no pending transactions.")
			assert.Len(t, find(elements, "div", "role", "alert"), 1)
			continue
		}
		require.Equal(t, 303, res.StatusCode, action)
		_, elements := fit(t, p.Get(t, Base+res.Header.Get("Location")))
		assert.Len(t, find(elements, "div", "role", "status"), 1)
	}

	p.Tell(t, "revoke")
	text, elements := fit(t, p.Get(t, Base+path))
	assert.Contains(t, text, "This consent has ended.")
	assert.Empty(t, find(elements, "button"))
	assert.Equal(t, 409, p.Post(t, Base+path, url.Values{"action": {"fail"}}).StatusCode)
}

func TestControlSaysWhichBanksHidePendingRows(t *testing.T) {
	for slug, want := range map[string]bool{"hansekontor": true, "lindenmark": false} {
		p := newTPP(t, slug, noon)
		p.Authorise(t, ConsentBody, "anna", "current")
		text, _ := fit(t, p.Get(t, Base+p.Newest(t).Href))
		assert.Equal(t, want, strings.Contains(text, "This bank does not report pending transactions."), slug)
	}
}

func TestControlRejectsInvalidForms(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id := p.Authorise(t, ConsentBody, "anna", "current")
	path := p.Newest(t).Href
	const hostile = `"><script>alert(1)</script>`
	for name, c := range map[string]struct {
		form   url.Values
		status int
	}{
		"no action":            {url.Values{}, 422},
		"unknown action":       {url.Values{"action": {hostile}}, 422},
		"account not granted":  {url.Values{"action": {"add-booked"}, "account": {"savings"}}, 422},
		"invalid account":      {url.Values{"action": {"book-pending"}, "account": {hostile}}, 422},
		"no minutes":           {url.Values{"action": {"fail"}, "minutes": {""}}, 422},
		"minutes not a number": {url.Values{"action": {"fail"}, "minutes": {hostile}}, 422},
		"zero minutes":         {url.Values{"action": {"fail"}, "minutes": {"0"}}, 422},
		"negative minutes":     {url.Values{"action": {"fail"}, "minutes": {"-5"}}, 422},
		"longer than a day":    {url.Values{"action": {"fail"}, "minutes": {"1441"}}, 422},
		"integer overflow":     {url.Values{"action": {"fail"}, "minutes": {"99999999999999999999"}}, 422},
	} {
		t.Run(name, func(t *testing.T) {
			res := p.Post(t, Base+path, c.form)
			assert.Equal(t, c.status, res.StatusCode)
			text, _ := fit(t, res)
			assert.NotContains(t, text, hostile)
			assert.Equal(t, 200, readAccounts(t, p, id).StatusCode, "nothing has changed")
		})
	}
	for name, unknown := range map[string]string{
		"id made up":          "/sandbox/control/nope",
		"id of the form":      "/sandbox/control/20261120T120000.000Z-0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d4e",
		"id of a consent":     "/sandbox/control/" + id,
		"id with markup":      "/sandbox/control/" + url.PathEscape(hostile),
		"id without end":      "/sandbox/control/" + strings.Repeat("x", 5000),
		"place with markup":   "/sandbox/control?before=" + url.QueryEscape(hostile),
		"place without end":   "/sandbox/control?before=" + strings.Repeat("x", 5000),
		"key of another kind": "/sandbox/control/" + url.PathEscape("B#lindenmark#CONSENT#"+id),
	} {
		t.Run(name, func(t *testing.T) {
			res := p.Get(t, Base+unknown)
			assert.Equal(t, 404, res.StatusCode)
			text, _ := fit(t, res)
			assert.NotContains(t, text, hostile)
		})
	}
	t.Run("text from the address is not shown", func(t *testing.T) {
		text, elements := fit(t, p.Get(t, Base+path+"?done="+url.QueryEscape(hostile)))
		assert.NotContains(t, text, hostile)
		assert.Empty(t, find(elements, "div", "role", "status"))
	})
	t.Run("not a form", func(t *testing.T) {
		req := httptest.NewRequestWithContext(t.Context(), "POST", Base+path, strings.NewReader(`{"action":"revoke"}`))
		req.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		p.Handler.ServeHTTP(rec, req)
		assert.Equal(t, 415, rec.Code)
	})
	t.Run("another method", func(t *testing.T) {
		for _, target := range []string{controlPage, Base + path} {
			rec := httptest.NewRecorder()
			p.Handler.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodDelete, target, nil))
			assert.Equal(t, 405, rec.Code)
		}
	})
}

func TestChangesOfRowsAreLimited(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id := p.Authorise(t, ConsentBody, "newcomer", "current")
	for range 100 {
		p.Tell(t, "add-booked")
	}
	res := p.Post(t, Base+p.Newest(t).Href, url.Values{"action": {"add-booked"}})
	assert.Equal(t, 409, res.StatusCode)
	text, _ := fit(t, res)
	assert.Contains(t, text, "changed too often")
	a := accounts(t, p, id, "")[0]
	assert.Len(t, everything(t, p, id, a, "booked", recent).booked, 100)
}

func TestIndexAndControlLinkToEachOther(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	_, elements := fit(t, p.Get(t, Base+"/sandbox/banks"))
	assert.NotEmpty(t, find(elements, "a", "href", "/sandbox/control"))
	assert.NotEmpty(t, find(elements, "a", "href", "/sandbox/letters"))
	_, elements = fit(t, p.Get(t, controlPage))
	assert.Len(t, find(elements, "a", "href", "/sandbox/banks"), 1)
	assert.Len(t, find(elements, "a", "href", "/sandbox/control", "aria-current", "true"), 1)
}

func TestConcurrentCommandsReportAConflict(t *testing.T) {
	others, now := false, func() time.Time { return noon }
	db := conflicting(t, func() bool { return others })
	p := &TPP{Bank: "lindenmark", Handler: bank.New(bank.Options{
		Store: sandboxdb.New(db, testenv.Table(t, "SandboxTable"), now), BaseURL: Base, Now: now, NewID: uuid.NewString,
		Log: slog.New(slog.DiscardHandler),
	})}
	id := p.Authorise(t, ConsentBody, "newcomer", "current")
	page := Base + p.Newest(t).Href
	others = true
	res := p.Post(t, page, url.Values{"action": {"fail"}})
	others = false
	assert.Equal(t, 409, res.StatusCode)
	text, _ := fit(t, res)
	assert.Contains(t, text, "Please try again.")
	assert.Equal(t, 200, readAccounts(t, p, id).StatusCode)
}
