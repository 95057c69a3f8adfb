package bank_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
)

var (
	tag       = regexp.MustCompile(`<(/?)([a-z0-9]+)((?:\s[^<>]*)?)>`)
	attribute = regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`)
)

// element is an opening tag.
type element struct {
	name  string
	attrs map[string]string
}

// parse reads the tags of a page and fails if they are not nested properly.
func parse(t *testing.T, page string) []element {
	t.Helper()
	void := map[string]bool{"meta": true, "img": true, "input": true, "link": true, "br": true}
	var elements []element
	var open []string
	for _, m := range tag.FindAllStringSubmatch(page, -1) {
		closing, name := m[1] == "/", m[2]
		if closing {
			require.NotEmpty(t, open, "stray </%s>", name)
			require.Equal(t, open[len(open)-1], name)
			open = open[:len(open)-1]
			continue
		}
		e := element{name, map[string]string{}}
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			e.attrs[a[1]] = a[2]
		}
		elements = append(elements, e)
		if !void[name] {
			open = append(open, name)
		}
	}
	require.Empty(t, open)
	return elements
}

// find returns the elements with this name and these attributes.
func find(elements []element, name string, pairs ...string) []element {
	var found []element
	for _, e := range elements {
		match := e.name == name
		for i := 0; i < len(pairs); i += 2 {
			match = match && e.attrs[pairs[i]] == pairs[i+1]
		}
		if match {
			found = append(found, e)
		}
	}
	return found
}

// fit checks the requirements for every page.
func fit(t *testing.T, res *http.Response) (string, []element) {
	t.Helper()
	page := Text(t, res)
	assert.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	assert.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"))
	style := page[strings.Index(page, "<style>")+len("<style>") : strings.Index(page, "</style>")]
	sum := sha256.Sum256([]byte(style))
	assert.Contains(t, res.Header.Get("Content-Security-Policy"), "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	assert.NotContains(t, res.Header.Get("Content-Security-Policy"), "unsafe")

	elements := parse(t, strings.Replace(page, style, "", 1))
	assert.Len(t, find(elements, "html", "lang", "en"), 1)
	assert.Len(t, find(elements, "h1"), 1)
	assert.Len(t, find(elements, "main"), 1)
	assert.Empty(t, find(elements, "script"))
	assert.NotEmpty(t, find(elements, "meta", "name", "viewport"))
	ids := map[string]bool{}
	for _, e := range elements {
		assert.NotContains(t, e.attrs, "style")
		if id := e.attrs["id"]; id != "" {
			assert.False(t, ids[id], "id %s twice", id)
			ids[id] = true
		}
	}
	for _, e := range elements {
		for id := range strings.FieldsSeq(e.attrs["aria-describedby"] + " " + e.attrs["aria-labelledby"]) {
			assert.True(t, ids[id], "nothing has the id %s", id)
		}
	}
	return page, elements
}

func TestConsentPages(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id, page := p.Request(t, ConsentBody)

	res := p.Get(t, page)
	require.Equal(t, 200, res.StatusCode)
	text, elements := fit(t, res)
	assert.Contains(t, text, "Lindenmark Sparbank")
	radios := find(elements, "input", "name", "persona")
	require.Len(t, radios, len(persona.All()))
	_, checked := radios[0].attrs["checked"]
	assert.True(t, checked, "the first persona is preselected")
	assert.Len(t, find(elements, "fieldset"), 1)
	assert.Len(t, find(elements, "label", "for", "customer"), 1)

	res = p.Post(t, page, url.Values{"persona": {radios[0].attrs["value"]}})
	require.Equal(t, 303, res.StatusCode)
	res = p.Get(t, Base+res.Header.Get("Location"))
	require.Equal(t, 200, res.StatusCode)
	text, elements = fit(t, res)
	for _, part := range []string{"Anna Sommer", "<dd>Aviso</dd>", "Balances", "Transactions",
		"19 May 2027", "At most 4 a day"} {
		assert.Contains(t, text, part)
	}
	boxes := find(elements, "input", "type", "checkbox", "name", "account[]")
	require.Len(t, boxes, 3)
	var picked []string
	for _, b := range boxes {
		_, on := b.attrs["checked"]
		assert.True(t, on, "all accounts are preselected")
		picked = append(picked, b.attrs["value"])
	}
	require.Len(t, find(elements, "button", "name", "decision", "value", "approve"), 1)
	require.Len(t, find(elements, "button", "name", "decision", "value", "refuse"), 1)

	fit(t, p.Get(t, page+"?step=login")) // one can still log in as someone else

	res = p.Post(t, page, url.Values{"decision": {"approve"}, "account[]": picked})
	assert.Equal(t, 303, res.StatusCode)
	assert.Equal(t, "http://localhost:8123/callback?state=1", res.Header.Get("Location"))
	assert.Equal(t, "valid", status(t, p, id))

	res = p.Get(t, page)
	assert.Equal(t, 409, res.StatusCode)
	_, elements = fit(t, res)
	assert.Len(t, find(elements, "a", "href", "http://localhost:8123/callback?state=1"), 1, "it links back")
}

func TestRefusal(t *testing.T) {
	for name, form := range map[string]url.Values{
		"before logging in": {"decision": {"refuse"}},
		"after logging in":  {"persona": {"anna"}, "decision": {"refuse"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTPP(t, "lindenmark", noon)
			id, page := p.Request(t, ConsentBody)
			res := p.Post(t, page, form)
			assert.Equal(t, 303, res.StatusCode)
			assert.Equal(t, "http://localhost:8123/refused", res.Header.Get("Location"))
			assert.Equal(t, "rejected", status(t, p, id))
			again := p.Post(t, page, url.Values{"persona": {"anna"}, "account[]": {"current"}, "decision": {"approve"}})
			assert.Equal(t, 409, again.StatusCode)
			fit(t, again)
		})
	}
	t.Run("without an address for refusals", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		h := ConsentHeaders()
		h["TPP-Nok-Redirect-URI"] = ""
		var created struct {
			Links map[string]struct{ Href string } `json:"_links"`
		}
		Decode(t, p.Do(t, "POST", "/v1/consents", h, ConsentBody), &created)
		res := p.Post(t, created.Links["scaRedirect"].Href, url.Values{"decision": {"refuse"}})
		assert.Equal(t, "http://localhost:8123/callback?state=1", res.Header.Get("Location"))
	})
}

func TestInvalidForms(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id, page := p.Request(t, ConsentBody)
	for name, c := range map[string]struct {
		form   url.Values
		status int
		says   string
	}{
		"nobody":                    {url.Values{"persona": {"nobody"}}, 422, "Choose a person."},
		"malformed customer number": {url.Values{"persona": {"anna"}, "customer": {"a b"}}, 422, "letters, digits and hyphens"},
		"approved without login":    {url.Values{"decision": {"approve"}, "account[]": {"current"}}, 422, "Choose a person."},
		"no account picked":         {url.Values{"persona": {"anna"}, "decision": {"approve"}}, 422, "Choose at least one account"},
		"account of another persona": {url.Values{"persona": {"anna"}, "decision": {"approve"},
			"account[]": {"joint"}}, 422, "Choose at least one account"},
		"unknown decision": {url.Values{"persona": {"anna"}, "decision": {"perhaps"}}, 400, "must be approve or refuse"},
	} {
		t.Run(name, func(t *testing.T) {
			res := p.Post(t, page, c.form)
			assert.Equal(t, c.status, res.StatusCode)
			text, elements := fit(t, res)
			assert.Contains(t, text, c.says)
			if c.status == 422 {
				assert.Contains(t, text, "<title>Error: ")
				assert.Len(t, find(elements, "div", "role", "alert"), 1)
			}
			assert.Equal(t, "received", status(t, p, id))
		})
	}
	t.Run("the message refers to the accounts", func(t *testing.T) {
		_, elements := fit(t, p.Post(t, page, url.Values{"persona": {"anna"}, "decision": {"approve"}}))
		assert.Len(t, find(elements, "fieldset", "aria-describedby", "account-error"), 1)
		assert.Len(t, find(elements, "a", "href", "#account-current"), 1)
		for _, box := range find(elements, "input", "type", "checkbox") {
			assert.NotContains(t, box.attrs, "checked", "the customer's choice is kept")
			assert.Equal(t, "true", box.attrs["aria-invalid"])
		}
	})
	t.Run("not a form", func(t *testing.T) {
		res := p.Do(t, "POST", page, Headers{"Content-Type": "application/json"}, "{}")
		assert.Equal(t, 415, res.StatusCode)
		fit(t, res)
	})
}

func TestExpiredAndUsedLinks(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	_, page := p.Request(t, ConsentBody)

	unknown := p.Get(t, Base+"/sandbox/banks/lindenmark/authorise/nope")
	assert.Equal(t, 404, unknown.StatusCode)
	fit(t, unknown)
	elsewhere := p.Get(t, strings.Replace(page, "lindenmark", "waterkant", 1))
	assert.Equal(t, 404, elsewhere.StatusCode)
	nobank := p.Get(t, strings.Replace(page, "lindenmark", "nobank", 1))
	assert.Equal(t, 404, nobank.StatusCode)
	fit(t, nobank)

	p.Now = p.Now.Add(31 * time.Minute)
	res := p.Get(t, page)
	assert.Equal(t, 410, res.StatusCode)
	_, elements := fit(t, res)
	assert.Len(t, find(elements, "a", "href", "http://localhost:8123/refused"), 1)
}

// The last approval wins, and every request gets a response.
func TestConcurrentApprovalsOfOneCustomer(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	const many = 8
	ids, pages := make([]string, many), make([]string, many)
	for i := range many {
		ids[i], pages[i] = p.Request(t, ConsentBody)
	}
	var wg sync.WaitGroup
	for _, page := range pages {
		wg.Go(func() {
			res := p.Post(
				t,
				page,
				url.Values{"persona": {"anna"}, "customer": {Customer}, "account[]": {"current"}, "decision": {"approve"}},
			)
			assert.Equal(t, "http://localhost:8123/callback?state=1", res.Header.Get("Location"))
		})
	}
	wg.Wait()
	valid := 0
	for _, id := range ids {
		if status(t, p, id) == "valid" {
			valid++
		}
	}
	assert.Equal(t, 1, valid)
}

func TestIndexListsBanksAndPersonas(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	res := p.Get(t, Base+"/sandbox/banks")
	assert.Equal(t, 200, res.StatusCode)
	text, _ := fit(t, res)
	assert.Contains(t, text, "Crédit Améthyste")
	assert.Contains(t, text, Base+"/sandbox/banks/waterkant")
	assert.Contains(t, text, "Noor Delacroix")
	assert.Equal(t, "/sandbox/banks", p.Get(t, Base+"/sandbox/").Header.Get("Location"))
	assert.Equal(t, 405, p.Post(t, Base+"/sandbox/banks", nil).StatusCode)
}

// Anybody can make a link to the bank or its authorization server. It leads to Aviso only.
func TestBanksLeadNowhereElse(t *testing.T) {
	p, direct := newTPP(t, "erlenbach", time.Now()), newTPP(t, "lindenmark", time.Now())
	for back, ok := range map[string]bool{
		"https://evil.test/": false, "https://sandbox.test.evil.test/connect/callback": false, "https://localhost.evil.test/": false,
		"https://sandbox.test.evil.test/": false, "//evil.test": false, "https://sandbox.test@evil.test/": false,
		"https://tpp.test/callback": false,
		Base + "/connect/callback":  true, "http://127.0.0.1:8123/": true, "http://[::1]:8123/": true, "http://localhost:3000/x": true,
	} {
		q := url.Values{"client_id": {bank.ClientID}, "redirect_uri": {back}, "response_type": {"token"}}
		res := p.Get(t, Base+"/sandbox/banks/erlenbach/oauth/authorize?"+q.Encode())
		assert.Equal(t, map[bool]int{true: 303, false: 400}[ok], res.StatusCode, back)
		assert.Equal(t, ok, res.Header.Get("Location") != "", back)

		for _, name := range []string{"TPP-Redirect-URI", "TPP-Nok-Redirect-URI"} {
			h := ConsentHeaders()
			h[name] = back
			res := direct.Do(t, "POST", "/v1/consents", h, ConsentBody)
			assert.Equal(t, map[bool]int{true: 201, false: 400}[ok], res.StatusCode, "%s: %s", name, back)
		}
	}
}
