package blackbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// heading waits for a page with this heading.
func heading(ctx context.Context, t *testing.T, want string) {
	t.Helper()
	var got string
	eventually(t, func() bool { // while the next page loads, nodes come and go
		var err error
		got, err = chromedp.Run(ctx, chromedp.Text(chromedp.CSS("h1")))
		return err == nil && got == want
	}, patience, 50*time.Millisecond, "the page %q never came, but %q", want, got)
}

// The console works on a phone without scripts, by keyboard alone.
func TestConsoleInABrowser(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	press := func(selector chromedp.CSS) {
		t.Helper()
		require.NoError(t, chromedp.Do(ctx, tabTo(selector), chromedp.KeyEvent(kb.Enter)))
	}
	follow := func(path, want string) {
		t.Helper()
		press(".menu")
		require.NoError(t, chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS("#sections"))))
		press(chromedp.CSS("#sections a[href='" + path + "']"))
		heading(ctx, t, want)
	}
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+"/console/audit")))
	heading(ctx, t, "Sign in")
	press("main button") // the local stack fills the form in
	heading(ctx, t, "Audit log")
	assert.Contains(t, see(ctx, t, "tbody"), "Sign-in")
	follow("/console/keys", "Client secrets")
	assert.Contains(t, see(ctx, t, "tbody"), "Newest")
	press("summary")
	require.NoError(t, chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS("#create-graceHours"))))
	follow("/console", "Overview")
	press("header form button")
	heading(ctx, t, "Sign in")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+"/console/keys")))
	heading(ctx, t, "Sign in")
}
