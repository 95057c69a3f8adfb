package mailroom_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"aviso/internal/sandbox/mailroom"
)

// fit checks the requirements for every page and returns its text and elements.
func fit(t *testing.T, rec *httptest.ResponseRecorder) (string, []*html.Node) {
	t.Helper()
	page := rec.Body.String()
	assert.Equal(t, "no-store", rec.Header().Get("Cache-Control"))
	assert.Equal(t, "text/html; charset=utf-8", rec.Header().Get("Content-Type"))
	style := page[strings.Index(page, "<style>")+len("<style>") : strings.Index(page, "</style>")]
	sum := sha256.Sum256([]byte(style))
	policy := rec.Header().Get("Content-Security-Policy")
	assert.Contains(t, policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	assert.NotContains(t, policy, "unsafe")
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var all []*html.Node
	ids := map[string]bool{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		all = append(all, n)
		assert.NotEqual(t, "script", n.Data)
		if id := attr(n, "id"); id != "" {
			assert.False(t, ids[id], "id %s twice", id)
			ids[id] = true
		}
	}
	for _, n := range all {
		for id := range strings.FieldsSeq(attr(n, "aria-describedby") + " " + attr(n, "aria-labelledby") + " " + attr(n, "for")) {
			assert.True(t, ids[id], "nothing has the id %s", id)
		}
	}
	assert.Len(t, elements(all, "h1", "", ""), 1)
	assert.Len(t, elements(all, "main", "", ""), 1)
	assert.Len(t, elements(all, "a", "aria-current", "true"), 1)
	return page, all
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func elements(all []*html.Node, tag, name, value string) (out []*html.Node) {
	for _, n := range all {
		if n.Data == tag && (name == "" || attr(n, name) == value) {
			out = append(out, n)
		}
	}
	return out
}

func TestListShowsLettersNewestFirst(t *testing.T) {
	w := newEnv(t)
	text, _ := fit(t, w.Do(t, "GET", mailroom.PagePath, nil, nil))
	assert.Contains(t, text, "Nothing has gone out yet.")
	l := receive(t, w)
	f := sendFax(t, w)
	text, all := fit(t, w.Do(t, "GET", mailroom.PagePath, nil, nil))
	for _, part := range []string{
		"Stromwerk AG", "+4930123456", "At the post office", "Waiting for the line", shipment, "20 November 2026, 12:00 UTC",
	} {
		assert.Contains(t, text, part)
	}
	assert.Less(t, strings.Index(text, "4930123456"), strings.Index(text, "Stromwerk AG"))
	for _, id := range []string{l.ID, f.ID} {
		links := elements(all, "a", "href", mailroom.PagePath+"/"+id)
		require.Len(t, links, 1)
		assert.Equal(t, 200, w.Do(t, "GET", attr(links[0], "href"), nil, nil).Code)
	}
	for _, room := range []string{"/sandbox/banks", "/sandbox/control"} {
		assert.Len(t, elements(all, "a", "href", room), 1)
	}
}

func TestListIsPaginated(t *testing.T) {
	w := newEnv(t)
	for range 26 {
		sendFax(t, w)
	}
	rec := w.Do(t, "GET", mailroom.PagePath, map[string]string{"Accept": "application/json"}, nil)
	var list struct {
		Letters []struct{ ID string }
		Next    string
	}
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &list))
	require.Len(t, list.Letters, 25)
	_, all := fit(t, w.Do(t, "GET", mailroom.PagePath, nil, nil))
	require.Len(t, elements(all, "a", "href", list.Next), 1)
	text, all := fit(t, w.Do(t, "GET", list.Next, nil, nil))
	assert.Empty(t, elements(all, "form", "", ""), "settings are on the first page")
	assert.Equal(t, 1, strings.Count(text, "Waiting for the line"))
	assert.Equal(t, 404, w.Do(t, "GET", mailroom.PagePath+"?before=x", nil, nil).Code)
}

func TestLetterPage(t *testing.T) {
	w := newEnv(t)
	w.Answer = 503
	l := receive(t, w)
	w.AdvanceTime(t, 3*time.Second)
	path := mailroom.PagePath + "/" + l.ID
	text, all := fit(t, w.Do(t, "GET", path, nil, nil))
	for _, part := range []string{"Stromwerk AG\n12345 Berlin", shipment, "cheap, simplex, color",
		"sent: refused with 503, attempt 1", "12:00:01</time> Being printed <code>processing</code>", l.ID} {
		assert.Contains(t, text, part)
	}
	file := path + "/file.pdf"
	assert.Len(t, elements(all, "a", "href", file), 1)
	assert.Len(t, elements(all, "object", "data", file), 1)
	var actions []string
	for _, b := range elements(all, "button", "name", "action") {
		actions = append(actions, attr(b, "value"))
		assert.Equal(t, path, attr(b.Parent.Parent.Parent, "action"))
	}
	assert.Equal(
		t,
		[]string{"deliver", "bounce", "lose"},
		actions,
		"it is too late to reject it, and nothing is on its way that could be delayed",
	)

	rec := w.Do(t, "GET", file, nil, nil)
	assert.Equal(t, 200, rec.Code)
	assert.Equal(t, "application/pdf", rec.Header().Get("Content-Type"))
	assert.Equal(t, "frame-ancestors 'self'", rec.Header().Get("Content-Security-Policy"))
	assert.Equal(t, "nosniff", rec.Header().Get("X-Content-Type-Options"))
	assert.True(t, mailroom.LooksLikePDF(rec.Body.Bytes()))
}

// A page offers exactly the possible commands.
func TestLetterPageOffersPossibleCommands(t *testing.T) {
	w := newEnv(t)
	path := mailroom.PagePath + "/" + sendFax(t, w).ID
	actions := func() (out []string) {
		_, all := fit(t, w.Do(t, "GET", path, nil, nil))
		for _, b := range elements(all, "button", "name", "action") {
			out = append(out, attr(b, "value"))
		}
		return out
	}
	assert.Equal(t, []string{"deliver", "bounce", "reject", "lose", "delay"}, actions())
	for _, action := range actions() {
		other := newEnv(t)
		assert.Equal(t, 303, other.Form(t, mailroom.PagePath+"/"+sendFax(t, other).ID, "action", action).Code)
	}
	w.AdvanceTime(t, time.Minute)
	assert.Empty(t, actions())
	path = mailroom.PagePath + "/" + sendFax(t, w).ID
	require.Equal(t, 303, w.Form(t, path, "action", "lose").Code)
	assert.Empty(t, actions())
}

func TestLetterAsJSON(t *testing.T) {
	w := newEnv(t)
	l := sendFax(t, w)
	path := mailroom.PagePath + "/" + l.ID
	require.Equal(t, 303, w.Form(t, path, "action", "delay").Code)
	rec := w.Do(t, "GET", path, map[string]string{"Accept": "application/json"}, nil)
	assert.Equal(t, "application/json", rec.Header().Get("Content-Type"))
	assert.JSONEq(t, `{"id":"`+l.ID+`","href":"`+path+`","file":"`+path+`/file.pdf","carrier":"fax","how":"Fax","to":"+4930123456",
		"cancellationId":"`+shipment+`","state":"QUEUED","createdAt":"2026-11-20T12:00:00Z",
		"updatedAt":"2026-11-20T12:00:00Z","pages":1,"lost":false,
		"heldUntil":"2026-11-20T12:10:00Z","history":[{"state":"QUEUED","at":"2026-11-20T12:00:00Z"}],"notices":[]}`, rec.Body.String())
	w.AdvanceTime(t, 11*time.Minute)
	rec = w.Do(t, "GET", path, map[string]string{"Accept": "application/json"}, nil)
	assert.Contains(
		t,
		rec.Body.String(),
		`"notices":[{"event":"FAX_COMPLETED","at":"2026-11-20T12:10:02Z","attempts":1,"acknowledged":true,"lastStatus":200}]`,
	)
}

func TestSettings(t *testing.T) {
	w := newEnv(t)
	rec := w.Form(t, mailroom.PagePath, "behaviour", "fail", "carrier", "", "minutes", "5")
	require.Equal(t, 303, rec.Code)
	assert.Equal(t, mailroom.PagePath+"?done=fail", rec.Header().Get("Location"))
	text, _ := fit(t, w.Do(t, "GET", rec.Header().Get("Location"), nil, nil))
	assert.Contains(t, text, "<strong>Done.</strong> The interface returns 500.")
	assert.Equal(t, 2, strings.Count(text, "12:05 UTC</time>."))
	settings := func() string {
		rec := w.Do(t, "GET", mailroom.PagePath, map[string]string{"Accept": "application/json"}, nil)
		var list struct{ Settings json.RawMessage }
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &list))
		return string(list.Settings)
	}
	require.Equal(t, 303, w.Form(t, mailroom.PagePath, "behaviour", "normal", "carrier", "fax").Code)
	assert.JSONEq(
		t,
		`[{"carrier":"post","behaviour":"fail","until":"2026-11-20T12:05:00Z"},{"carrier":"fax","behaviour":"normal"}]`,
		settings(),
	)
	w.AdvanceTime(t, 5*time.Minute)
	assert.JSONEq(t, `[{"carrier":"post","behaviour":"normal"},{"carrier":"fax","behaviour":"normal"}]`, settings())
}

func TestInvalidForms(t *testing.T) {
	w := newEnv(t)
	l := sendFax(t, w)
	path := mailroom.PagePath + "/" + l.ID
	for name, test := range map[string]struct {
		path   string
		fields []string
	}{
		"an unknown action":               {path, []string{"action", "burn"}},
		"no action":                       {path, nil},
		"zero minutes":                    {path, []string{"action", "delay", "minutes", "0"}},
		"too many minutes":                {path, []string{"action", "delay", "minutes", "1441"}},
		"minutes not a number":            {path, []string{"action", "delay", "minutes", "soon"}},
		"an unknown behaviour":            {mailroom.PagePath, []string{"behaviour", "burn"}},
		"an unknown carrier":              {mailroom.PagePath, []string{"behaviour", "fail", "carrier", "pigeon"}},
		"a behaviour that lasts too long": {mailroom.PagePath, []string{"behaviour", "fail", "minutes", "99999"}},
	} {
		t.Run(name, func(t *testing.T) {
			rec := w.Form(t, test.path, test.fields...)
			assert.Equal(t, 422, rec.Code)
			text, all := fit(t, rec)
			assert.Len(t, elements(all, "div", "role", "alert"), 1)
			assert.Contains(t, text, "<title>Error: ")
		})
	}
	assert.Equal(t, 415, w.Do(t, "POST", path, nil, nil).Code)
	assert.Equal(t, 415, w.Do(t, "POST", mailroom.PagePath, nil, nil).Code)
	assert.Equal(t, 400, w.Form(t, path, "action", strings.Repeat("x", 10_000)).Code)
	for _, method := range []string{"DELETE", "PUT"} {
		rec := w.Do(t, method, path, nil, nil)
		assert.Equal(t, 405, rec.Code)
		assert.Equal(t, "GET, POST", rec.Header().Get("Allow"))
	}
	assert.Equal(t, "GET", w.Do(t, "POST", path+"/file.pdf", nil, nil).Header().Get("Allow"))
	assert.Equal(t, 200, w.Do(t, "HEAD", path, nil, nil).Code)
}

func TestUnknownLetters(t *testing.T) {
	w := newEnv(t)
	for _, path := range []string{"/none", "/" + shipment, "/" + shipment + "/file.pdf", "/a/b/c"} {
		rec := w.Do(t, "GET", mailroom.PagePath+path, nil, nil)
		assert.Equal(t, 404, rec.Code)
		fit(t, rec)
	}
	assert.Equal(t, 404, w.Form(t, mailroom.PagePath+"/"+shipment, "action", "deliver").Code)
}

// The sender's text is escaped, and only a PDF is shown as a document.
func TestHostileTextIsEscaped(t *testing.T) {
	const hostile = `"><script>alert(1)</script>`
	w := newEnv(t)
	l := receive(t, w)
	l.To, l.FileName, l.CancellationID, l.Posted.DeliveryProduct, l.State = hostile, hostile, hostile, hostile, hostile
	l.Notices = []mailroom.Notice{{ID: "n", Event: hostile, Reason: hostile}}
	require.NoError(
		t,
		w.Store.Save(t.Context(), l, mailroom.Document{LetterID: l.ID, Content: []byte("<html>" + hostile), Forget: l.KeepUntil()}),
	)
	fit(t, w.Do(t, "GET", mailroom.PagePath, nil, nil))
	fit(t, w.Do(t, "GET", mailroom.PagePath+"/"+l.ID+"?done="+hostile[2:], nil, nil))
	rec := w.Do(t, "GET", mailroom.PagePath+"/"+l.ID+"/file.pdf", nil, nil)
	assert.Equal(t, 422, rec.Code)
	fit(t, rec)
}

func TestStoreFailureShowsErrorPage(t *testing.T) {
	w := newEnv(t)
	l := receive(t, w)
	w.Fails = func() error { return errors.New("broken: secret") }
	for _, rec := range []*httptest.ResponseRecorder{
		w.Do(t, "GET", mailroom.PagePath, nil, nil), w.Do(t, "GET", mailroom.PagePath+"/"+l.ID, nil, nil),
		w.Form(t, mailroom.PagePath, "behaviour", "fail"), w.Form(t, mailroom.PagePath+"/"+l.ID, "action", "deliver"),
	} {
		assert.Equal(t, 500, rec.Code)
		text, _ := fit(t, rec)
		assert.NotContains(t, text, "secret")
	}
}
