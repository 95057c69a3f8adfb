package blackbox_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inApp matches what the sandbox bank tells users who approve in its app.
var inApp = regexp.MustCompile(`at (\S+) and confirm the request (\w+)\.`)

// decideInApp decides in the bank's app.
func decideInApp(t *testing.T, message, decision string) {
	t.Helper()
	found := inApp.FindStringSubmatch(message)
	require.NotNil(t, found, message)
	page := browse(t, http.MethodPost, found[1], url.Values{"code": {found[2]}})
	require.Equal(t, http.StatusSeeOther, page.status, string(page.body))
	decide(t, resolve(t, found[1], page.header.Get("Location")), "anna", decision)
}

// follow goes to an address of the service and returns where that leads.
func follow(t *testing.T, method, address string, form url.Values, status int) string {
	t.Helper()
	page := browse(t, method, address, form)
	require.Equal(t, status, page.status, string(page.body))
	return resolve(t, address, page.header.Get("Location"))
}

func TestOAuthBank(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "erlenbach").ID)
	authorize := open(t, l.RedirectURL)
	assert.Contains(t, authorize, "code_challenge_method=S256")
	assert.Equal(t, authorize, open(t, l.RedirectURL), "the same page again")
	callback := decide(t, follow(t, http.MethodGet, authorize, nil, http.StatusSeeOther), "anna", "approve")

	a := browseWith(t, cookies(t), http.MethodGet, callback, nil)
	assert.Equal(t, http.StatusForbidden, a.status, "another browser does not use the code up")
	a = browse(t, http.MethodGet, regexp.MustCompile(`state=[^&]+`).ReplaceAllString(callback, "state="+l.ConnectionID+".guess"), nil)
	assert.Equal(t, http.StatusGone, a.status)
	for _, other := range []string{"", "/" + p.bank(t, "kastanienhof").ID} {
		elsewhere := strings.Replace(callback, "/"+p.bank(t, "erlenbach").ID, other, 1)
		require.NotEqual(t, callback, elsewhere)
		assert.Equal(t, http.StatusGone, browse(t, http.MethodGet, elsewhere, nil).status, "the address of another bank")
	}
	status, id := outcome(t, callback)
	assert.Equal(t, "success", status)
	assert.Equal(t, l.ConnectionID, id)
	assert.Equal(t, http.StatusGone, browse(t, http.MethodGet, callback, nil).status, "a callback counts once")

	p.until(t, l.ConnectionID, synced)
	assert.NotEmpty(t, p.transactions(t, "50"))
	again := p.reconnect(t, l.ConnectionID)
	refused := decide(t, follow(t, http.MethodGet, open(t, again.RedirectURL), nil, http.StatusSeeOther), "anna", "refuse")
	status, _ = outcome(t, refused)
	assert.Equal(t, "cancelled", status)
	assert.Equal(t, "Active", p.connection(t, l.ConnectionID).ConnectionStatus, "the old consent still counts")
	a = p.send(t, http.MethodDelete, "/openbanking/v1/connections/"+l.ConnectionID, nil)
	assert.Equal(t, http.StatusNoContent, a.status)
}

func TestDecoupledBankRefusal(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "norrsken").ID)
	step := open(t, l.RedirectURL)
	for _, wrong := range []string{"", "nobody", "x\x01y"} {
		a := browse(t, http.MethodPost, step, url.Values{"psuId": {wrong}})
		if a.status == http.StatusSeeOther { // the bank refused
			a = browse(t, http.MethodGet, step, nil)
		}
		assert.Contains(t, string(a.body), `role="alert"`, wrong)
	}
	follow(t, http.MethodPost, step, url.Values{"psuId": {"anna"}}, http.StatusSeeOther)
	assert.Equal(t, http.StatusForbidden, browseWith(t, cookies(t), http.MethodGet, step, nil).status)
	waiting := browse(t, http.MethodGet, step, nil)
	require.Equal(t, http.StatusOK, waiting.status)
	decideInApp(t, string(waiting.body), "refuse")
	var back answer
	eventually(t, func() bool {
		back = browse(t, http.MethodGet, step, nil)
		return back.status == http.StatusFound
	}, patience, time.Second, "the page does not notice")
	assert.Contains(t, back.header.Get("Location"), "status=cancelled")
	assert.Equal(t, "UserCancelled", p.connection(t, l.ConnectionID).StatusReason)
}

func TestStepsInABrowser(t *testing.T) {
	p, ctx := newPartner(t, "sandbox"), browser(t)
	l := p.connect(t, p.bank(t, "norrsken").ID)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(l.RedirectURL)))
	assert.Equal(t, "Sagen Sie Ihrer Bank, wer Sie sind", see(ctx, t, "h1"), "in the user's language")
	assert.Contains(t, see(ctx, t, "main"), "nie ein Passwort")
	require.NoError(t, chromedp.Do(ctx, tabTo("#psuId"), chromedp.KeyEvent("nobody"), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(chromedp.CSS("#wrong"))))
	require.NoError(t, chromedp.Do(ctx, tabTo("#psuId"), chromedp.KeyEvent("anna"), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(chromedp.CSS("progress"))))
	assert.Equal(t, "Bitte bestätigen Sie in der App Ihrer Bank", see(ctx, t, "h1"))
	assert.Regexp(t, `^Verbleibende Zeit: (29|30) min$`, see(ctx, t, ".left"))
	decideInApp(t, see(ctx, t, ".says"), "approve")
	const poll = 6 * time.Second // we ask a bank every five seconds at most
	require.NoError(t, chromedp.Do(ctx, chromedp.Sleep(poll), chromedp.Click(chromedp.CSS("nav a.main"))))
	back := atPartner(ctx, t)
	assert.Equal(t, "success", back.Get("status"))
	p.until(t, l.ConnectionID, synced)
	assert.NotEmpty(t, p.transactions(t, "50"))
}
