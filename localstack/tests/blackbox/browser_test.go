package blackbox_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// browser is a Chromium of phone width, without scripts, to which the partner's
// pages exist.
func browser(t *testing.T) context.Context {
	t.Helper()
	ctx, cancelAllocator := chromedp.NewExecAllocator(context.Background(), append(
		chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(390, 844), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
	)...)
	ctx, cancel := chromedp.NewContext(ctx)
	require.NoError(t, chromedp.Do(ctx))
	paused := chromedp.Events(ctx, fetch.RequestPaused)
	go func() {
		for event, err := range paused {
			if err != nil {
				return
			}
			_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: event.RequestID, ResponseCode: 200})
		}
	}()
	_, err := chromedp.Call(
		ctx,
		fetch.Enable,
		fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "https://partner.example/*"}}},
	)
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	bounded, cancelTimeout := context.WithTimeout(ctx, 2*patience)
	t.Cleanup(func() {
		cancelTimeout()
		cancel()
		cancelAllocator()
	})
	return bounded
}

// see reads the text of the first element that matches.
func see(ctx context.Context, t *testing.T, selector chromedp.CSS) string {
	t.Helper()
	text, err := chromedp.Run(ctx, chromedp.Text(selector))
	require.NoError(t, err)
	return text
}

// tabTo presses Tab until the element has the focus, as somebody without a
// mouse does.
func tabTo(selector chromedp.CSS) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		focused := chromedp.Evaluate[bool]("document.activeElement.matches(" + strconv.Quote(string(selector)) + ")")
		for range 60 {
			if there, err := focused(ctx, target); err != nil || there {
				return err
			}
			if _, err := chromedp.KeyEvent(kb.Tab)(ctx, target); err != nil {
				return err
			}
		}
		return fmt.Errorf("the keyboard does not reach %s", selector)
	})
}

// atPartner waits until the browser is at the partner's page, and reads the
// query that it came with.
func atPartner(ctx context.Context, t *testing.T) url.Values {
	t.Helper()
	var address string
	eventually(t, func() bool {
		var err error
		address, err = chromedp.Run(ctx, chromedp.Location())
		return err == nil && strings.HasPrefix(address, "https://partner.example/")
	}, patience, 50*time.Millisecond, "never came back to the partner")
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.Query()
}

func TestConsentInABrowser(t *testing.T) {
	t.Parallel()

	t.Run("approve, by keyboard alone", func(t *testing.T) {
		p, ctx := newPartner(t, "sandbox"), browser(t)
		l := p.connect(t, p.bank(t, "credit-amethyste").ID)
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(l.RedirectURL)))
		assert.Contains(t, see(ctx, t, "body"), "Crédit Améthyste")
		require.NoError(t, chromedp.Do(ctx,
			tabTo("input[name=persona]:checked"), tabTo("main button[type=submit]"), chromedp.KeyEvent(kb.Enter),
			chromedp.WaitVisible(chromedp.CSS("button[value=approve]")),
		))
		for _, said := range []string{"Requested by", "Aviso", "Transactions", "Until", "Accounts to share"} {
			assert.Contains(t, see(ctx, t, "main"), said)
		}
		require.NoError(t, chromedp.Do(ctx, tabTo("button[value=approve]"), chromedp.KeyEvent(kb.Enter)))
		back := atPartner(ctx, t)
		assert.Equal(t, "success", back.Get("status"))
		assert.Equal(t, l.ConnectionID, back.Get("connectionId"))
		p.until(t, l.ConnectionID, synced)
		assert.NotEmpty(t, p.transactions(t, "50"))
	})

	t.Run("refuse, by touch", func(t *testing.T) {
		p, ctx := newPartner(t, "sandbox"), browser(t)
		l := p.connect(t, p.bank(t, "credit-amethyste").ID)
		require.NoError(t, chromedp.Do(ctx,
			chromedp.Navigate(l.RedirectURL),
			chromedp.Click(chromedp.CSS("main button[type=submit]")),
		))
		refuse := chromedp.CSS("button[value=refuse]")
		eventually(t, func() bool { // while the next page loads, nodes come and go
			_, err := chromedp.Run(ctx, chromedp.Click(refuse))
			return err == nil
		}, patience, 50*time.Millisecond, "the page to approve never came")
		assert.Equal(t, "cancelled", atPartner(ctx, t).Get("status"))
		assert.Equal(t, "Failed", p.connection(t, l.ConnectionID).ConnectionStatus)
	})

	t.Run("an expired link says so, and leads back", func(t *testing.T) {
		p, ctx := newPartner(t, "sandbox"), browser(t)
		l := p.connect(t, p.bank(t, "credit-amethyste").ID)
		expire(t, p, l)
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(l.RedirectURL)))
		assert.Equal(t, "Dieser Link ist abgelaufen", see(ctx, t, "h1"), "in the user's language")
		assert.Equal(t, "Zurück zu Sandbox Partner", see(ctx, t, "nav a"))
		require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("nav a"))))
		assert.Equal(t, "failed", atPartner(ctx, t).Get("status"))
		c := p.connection(t, l.ConnectionID)
		assert.Equal(t, "Failed", c.ConnectionStatus)
		assert.Equal(t, "LinkExpired", c.StatusReason)
	})
}

// The start page says what works: its links lead somewhere, and its call gets a token.
func TestStartPage(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	for _, path := range []string{"/sandbox", "/"} {
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+path)))
		assert.NotEmpty(t, see(ctx, t, "h1"))
	}
	call := strings.Fields(see(ctx, t, "pre code"))
	user, secret, _ := strings.Cut(call[3], ":")
	assert.Equal(t, service.baseURL+"/oauth2/token", call[len(call)-1])
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, call[len(call)-1], strings.NewReader(call[5]))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(user, secret)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
}

// expire moves the end of a link's life into the past.
func expire(t *testing.T, p partner, l link) {
	t.Helper()
	_, err := tables(t).UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("PfmTable"),
		Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "P#" + p.id + "#U#" + p.user},
			"sk": &types.AttributeValueMemberS{Value: "C#" + l.ConnectionID},
		},
		ConditionExpression: aws.String("attribute_exists(authorisation)"),
		UpdateExpression:    aws.String("SET authorisation.expiresAt = :past"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":past": &types.AttributeValueMemberN{Value: strconv.FormatInt(time.Now().Add(-time.Second).UnixMilli(), 10)},
		},
	})
	require.NoError(t, err)
}
