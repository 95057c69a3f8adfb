package blackbox_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seeInConsole waits until the page of the console has the text. Pages come and go meanwhile.
func seeInConsole(ctx context.Context, t *testing.T, text string) {
	t.Helper()
	seen := ""
	eventually(t, func() bool {
		var err error
		seen, err = chromedp.Run(ctx, chromedp.Text(chromedp.CSS("main")))
		return err == nil && strings.Contains(seen, text)
	}, patience, 100*time.Millisecond, "the page never said %q", text)
}

// press clicks on what the selector finds, and waits until the next page has the text. A click on
// a page whose style is still to come may miss.
func press(ctx context.Context, t *testing.T, selector chromedp.CSS, text string) {
	t.Helper()
	eventually(t, func() bool {
		loaded, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete"`))
		return err == nil && loaded
	}, patience, 20*time.Millisecond, "the page was never loaded")
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(selector)))
	seeInConsole(ctx, t, text)
}

// Somebody finds out in the console why a callback failed, mends the address, sends an event
// that arrives, and replaces the secret. Scripts are off.
func TestMendAWebhookInTheConsole(t *testing.T) {
	p, ctx := newPartner(t, "sandbox-2"), browser(t)
	wrong, right := newReceiver(t, answering(http.StatusNotFound, "")), newReceiver(t, nil)
	path, first := p.subscribe(t, wrong, "webhook.ping", "connection.expired") // nothing from other tests
	right.trust(first.Key)
	close(right.ready)
	p.ping(t, path)
	p.untilAttempts(t, path, 1)

	page := "/console/webhooks/" + strings.TrimPrefix(path, webhookSubscriptions+"/")
	require.NoError(t, chromedp.Do(ctx,
		chromedp.Navigate(service.baseURL+"/console/webhooks"),
		chromedp.SetValue(chromedp.CSS("#clientId"), p.id),
		chromedp.SetValue(chromedp.CSS("#clientSecret"), p.id+"-secret"),
	))
	press(ctx, t, "main button", "Where your events go")
	press(ctx, t, chromedp.CSS(`a[href="`+page+`"]`), "Status 404")
	press(ctx, t, ".note .button", "nothing takes a POST at this path")
	assert.Contains(t, see(ctx, t, "main"), "webhook-id: ")
	assert.Contains(t, see(ctx, t, "main"), `"isSimulated": true`, "outside of production, attempts keep the body")

	press(ctx, t, chromedp.CSS(`.tabs a[href="`+page+`/settings"]`), "Your own note")
	require.NoError(t, chromedp.Do(ctx, chromedp.SetValue(chromedp.CSS("#settings-serverUrl"), right.url)))
	press(ctx, t, "main form button", "The settings are saved.")

	press(ctx, t, chromedp.CSS(`.tabs a[href="`+page+`/send"]`), "isSimulated")
	require.NoError(t, chromedp.Do(ctx, chromedp.SetValue(chromedp.CSS("#eventType"), "connection.expired")))
	press(ctx, t, "main form button", "Your server has acknowledged the event.")
	got := right.await(t, "the event of the console", func(c callback) bool { return c.EventType == "connection.expired" })
	assert.True(t, *got.IsSimulated)

	press(ctx, t, chromedp.CSS(`.tabs a[href="`+page+`/secrets"]`), "How to replace a secret")
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".confirm summary"))))
	press(ctx, t, ".confirm form button", "Your new signing secret")
	key := see(ctx, t, ".block code")
	press(ctx, t, "main .actions .button", "How to replace a secret")
	id := p.ping(t, path)
	assert.True(t, right.await(t, "a callback after the rotation", event(id)).isSignedBy(t, key))

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+"/console/audit")))
	for _, did := range []string{"Changed a subscription", "Sent a simulated event", "Created a signing secret"} {
		assert.Contains(t, see(ctx, t, "main"), did)
	}
}
