package carrier

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

func faxShipment() dispatch.Shipment {
	return newShipment(cancellation.Channel{Kind: cancellation.ChannelFax, Fax: testNumber})
}

func TestFaxSends(t *testing.T) {
	g := newFaxGateway(t, newClock().now)
	f, s := g.carrier(func(o *FaxOptions) { o.From, o.ServiceID = "+498912345", "01GVRB50KEQFFE1SGMPFRNBG6J" }), faxShipment()

	receipt, err := f.Send(t.Context(), s)

	require.NoError(t, err)
	require.Len(t, g.faxes, 1)
	sent := g.faxes[0]
	assert.Equal(t, dispatch.Receipt{Reference: sent.id}, receipt)
	assert.Equal(t, s.Document.PDF, sent.pdf)
	delete(sent.request, "files")
	callback, _ := sent.request["callbackUrl"].(string)
	delete(sent.request, "callbackUrl")
	assert.Equal(t, map[string]any{
		"to": testNumber, "from": "+498912345", "serviceId": "01GVRB50KEQFFE1SGMPFRNBG6J",
		"labels":     map[string]any{"cancellationId": testCancellation, "shipmentId": testShipment, "partnerId": "bank-one"},
		"maxRetries": 3.0, "callbackUrlContentType": "application/json", "headerTimeZone": "Europe/Berlin", "resolution": "FINE",
	}, sent.request)
	token, ok := strings.CutPrefix(callback, "https://aviso.example/carriers/v1/fax/"+testCancellation+"/"+testShipment+"/")
	assert.True(t, ok, callback)
	assert.Len(t, token, 43, "256 bits")

	t.Run("rejects other channels", func(t *testing.T) {
		_, err := f.Send(t.Context(), letterShipment(cancellation.ChannelMail))
		assert.Error(t, err)
	})
	t.Run("rejects invalid numbers", func(t *testing.T) {
		for _, number := range []string{"", "030 123", "+", "+0301234", "+49301234567890123", testNumber + ",+4930", "+49\r\n30"} {
			s.Channel.Fax = number
			_, err := f.Send(t.Context(), s)
			requireFailure(t, err, dispatch.CarrierRefused)
		}
	})
	assert.Len(t, g.faxes, 1)
}

func TestFaxFindsTheFaxOfAnEarlierTry(t *testing.T) {
	ours := map[string]string{"cancellationId": testCancellation, "shipmentId": testShipment, "partnerId": "bank-one"}
	other := map[string]string{"cancellationId": testCancellation, "shipmentId": "another"}

	t.Run("only after the list is up to date", func(t *testing.T) {
		clock := newClock()
		g := newFaxGateway(t, clock.now)
		s := faxShipment()
		s.Since, s.TriedAt = testNow, testNow
		clock.pass(30 * time.Second)
		_, err := g.carrier().Send(t.Context(), s)
		e := requireFailure(t, err, dispatch.CarrierBusy)
		assert.Equal(t, 90*time.Second, e.RetryAfter)
		assert.Zero(t, g.calls)
	})
	for pageName, firstPage := range map[string]int{"page": 0, "pageNumber": 1} {
		t.Run(fmt.Sprintf("on the last of many pages whose %s begins with %d", pageName, firstPage), func(t *testing.T) {
			clock := newClock()
			g := newFaxGateway(t, clock.now)
			g.pageSize, g.firstPage, g.pageName = 2, firstPage, pageName
			for range 4 {
				g.add("COMPLETED", other)
			}
			found := g.add("QUEUED", ours)
			clock.pass(time.Hour)
			s := faxShipment()
			s.Since, s.TriedAt = testNow, testNow
			receipt, err := g.carrier().Send(t.Context(), s)
			require.NoError(t, err)
			assert.Equal(t, found.id, receipt.Reference)
			assert.Len(t, g.faxes, 5)
		})
	}
	t.Run("on the day after a try at midnight", func(t *testing.T) {
		clock := newClock()
		clock.at = time.Date(2026, time.November, 21, 0, 0, 1, 0, time.UTC)
		g := newFaxGateway(t, clock.now)
		found := g.add("IN_PROGRESS", ours)
		s := faxShipment()
		s.TriedAt = clock.now().Add(-2 * time.Second)
		s.Since = s.TriedAt
		clock.pass(time.Hour)
		receipt, err := g.carrier().Send(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, found.id, receipt.Reference)
	})
	t.Run("and sends if there is none", func(t *testing.T) {
		clock := newClock()
		g := newFaxGateway(t, clock.now)
		g.add("COMPLETED", other)
		g.add("COMPLETED", map[string]string{"cancellationId": "another", "shipmentId": testShipment})
		g.add("COMPLETED", nil)
		s := faxShipment()
		s.Since, s.TriedAt = testNow, testNow
		clock.pass(time.Hour)
		_, err := g.carrier().Send(t.Context(), s)
		require.NoError(t, err)
		assert.Len(t, g.faxes, 4)
	})
	t.Run("and sends nothing if the list cannot be read", func(t *testing.T) {
		check := func(t *testing.T, other reply) {
			t.Helper()
			clock := newClock()
			g := newFaxGateway(t, clock.now)
			g.instead = func(_ int, r *http.Request) *reply {
				if r.Method == http.MethodGet {
					return &other
				}
				return nil
			}
			s := faxShipment()
			s.Since, s.TriedAt = testNow, testNow
			clock.pass(time.Hour)
			_, err := g.carrier().Send(t.Context(), s)
			requireFailure(t, err, dispatch.CarrierBusy)
			assert.Empty(t, g.faxes)
		}
		forEachStatus(t, func(t *testing.T, status int, _ dispatch.CarrierFailure) { check(t, reply{status: status}) })
		for _, body := range []string{``, `{`, `[]`, `{}`, `{"faxes":null}`, `{"faxes":{}}`,
			`{"faxes":[],"totalPages":2}`, `{"faxes":[],"page":1,"totalPages":99}`} {
			check(t, reply{status: 200, body: body})
		}
		check(t, reply{hangUp: true})
	})
}

func TestFaxFailures(t *testing.T) {
	run := func(t *testing.T, other reply) error {
		t.Helper()
		g := newFaxGateway(t, newClock().now)
		g.instead = func(int, *http.Request) *reply { return &other }
		_, err := g.carrier().Send(t.Context(), faxShipment())
		assert.Equal(t, 1, g.calls)
		return err
	}
	forEachStatus(t, func(t *testing.T, status int, want dispatch.CarrierFailure) {
		requireFailure(t, run(t, reply{status: status, body: `{"message":"+49 30 Erika Mustermann"}`}), want)
	})
	t.Run("401", func(t *testing.T) {
		requireFailure(t, run(t, reply{status: 401}), dispatch.CarrierBusy)
	})
	for _, body := range []string{``, `{`, `null`, `[]`, `{}`, `{"id":""}`, `{"id":"../x"}`, `{"id":7}`} {
		t.Run("answer "+body, func(t *testing.T) {
			requireFailure(t, run(t, reply{status: 200, body: body}), dispatch.CarrierUnclear)
		})
	}
	t.Run("no response", func(t *testing.T) {
		requireFailure(t, run(t, reply{hangUp: true}), dispatch.CarrierUnclear)
	})
}

func TestFaxSendsOnceWhateverIsInterrupted(t *testing.T) {
	for _, after := range []bool{false, true} {
		for n := 1; n <= 3; n++ {
			for m := n + 1; m <= n+3; m++ {
				t.Run(fmt.Sprintf("calls %d and %d, after their work %v", n, m, after), func(t *testing.T) {
					clock := newClock()
					g := newFaxGateway(t, clock.now)
					g.instead = func(call int, _ *http.Request) *reply {
						if call == n || call == m {
							return &reply{hangUp: true, after: after}
						}
						return nil
					}
					s := faxShipment()
					receipt := sendUntilTaken(t, g.carrier(), &s, clock)
					require.Len(t, g.faxes, 1)
					assert.Equal(t, g.faxes[0].id, receipt.Reference)
				})
			}
		}
	}
}

func TestFaxDelete(t *testing.T) {
	g := newFaxGateway(t, newClock().now)
	added := g.add("COMPLETED", nil)
	f := g.carrier()
	require.NoError(t, f.Delete(t.Context(), added.id))
	assert.True(t, added.fileGone)
	assert.NoError(t, f.Delete(t.Context(), added.id), "deleting again succeeds")
	assert.NoError(t, f.Delete(t.Context(), "01HDFNEVERWAS"))
	requireFailure(t, f.Delete(t.Context(), "../faxes"), dispatch.CarrierRefused)
	g.instead = func(int, *http.Request) *reply { return &reply{status: 500} }
	requireFailure(t, f.Delete(t.Context(), added.id), dispatch.CarrierUnclear)
}

func TestNewFaxRequiresItsOptions(t *testing.T) {
	_, err := NewFax(faxOptions("https://fax.example", newClock().now))
	require.NoError(t, err)
	for name, spoil := range map[string]func(*FaxOptions){
		"project": func(o *FaxOptions) { o.ProjectID = "" }, "key": func(o *FaxOptions) { o.KeyID = "" },
		"secret":          func(o *FaxOptions) { o.KeySecret = "" },
		"callback secret": func(o *FaxOptions) { o.CallbackSecret = "short" }, "previous one": func(o *FaxOptions) { o.PreviousCallbackSecret = "short" }, "number": func(o *FaxOptions) { o.From = "030" },
	} {
		o := faxOptions("https://fax.example", newClock().now)
		spoil(&o)
		_, err := NewFax(o)
		assert.Error(t, err, name)
	}
}
