package carrier

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

func TestPostFailures(t *testing.T) {
	isCreate := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/letters")
	}
	isSend := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/send") }
	run := func(t *testing.T, other *reply, which func(r *http.Request) bool, edit ...func(*PostOptions)) error {
		t.Helper()
		o := newPostOffice(t, newClock().now)
		o.instead = func(_ int, r *http.Request) *reply {
			if which(r) {
				return other
			}
			return nil
		}
		_, err := o.carrier(edit...).Send(t.Context(), letterShipment(cancellation.ChannelMail))
		assert.Zero(t, o.sends())
		return err
	}

	t.Run("before creating the letter", func(t *testing.T) {
		for name, which := range map[string]func(r *http.Request) bool{
			"token":          func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/access-tokens") },
			"upload address": func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/file-upload") },
			"upload":         func(r *http.Request) bool { return r.Method == http.MethodPut },
		} {
			t.Run(name, func(t *testing.T) {
				forEachStatus(t, func(t *testing.T, status int, _ dispatch.CarrierFailure) {
					requireFailure(t, run(t, &reply{status: status}, which), dispatch.CarrierBusy)
				})
				requireFailure(t, run(t, &reply{hangUp: true}, which), dispatch.CarrierBusy)
			})
		}
	})
	t.Run("when creating the letter", func(t *testing.T) {
		forEachStatus(t, func(t *testing.T, status int, want dispatch.CarrierFailure) {
			if want == dispatch.CarrierUnclear {
				want = dispatch.CarrierBusy // creating sends nothing
			}
			requireFailure(t, run(t, &reply{status: status}, isCreate), want)
		})
		for _, body := range []string{
			``, `{`, `null`, `[]`, `{"data":[]}`, `{"data":{"id":"","type":"letters"}}`,
			`{"data":{"id":"../../x","type":"letters"}}`, `{"data":{"id":"a","type":"batches"}}`,
		} {
			requireFailure(t, run(t, &reply{status: 201, body: body}, isCreate), dispatch.CarrierBusy)
		}
	})
	t.Run("when sending the letter", func(t *testing.T) {
		forEachStatus(t, func(t *testing.T, status int, want dispatch.CarrierFailure) {
			requireFailure(t, run(t, &reply{status: status}, isSend), want)
		})
		for _, body := range []string{``, `{`, `{"data":{"id":"5e0a3a0e-66a1-4a53-8a0c-92c2b7cf9c11","type":"letters"}}`} {
			requireFailure(t, run(t, &reply{status: 200, body: body}, isSend), dispatch.CarrierUnclear)
		}
		requireFailure(t, run(t, &reply{hangUp: true}, isSend), dispatch.CarrierUnclear)
	})
	t.Run("keeps the carrier's Retry-After", func(t *testing.T) {
		e := requireFailure(t, run(t, &reply{status: 429, header: map[string]string{"Retry-After": "7"}}, isSend), dispatch.CarrierBusy)
		assert.Equal(t, 7*time.Second, e.RetryAfter)
		e = requireFailure(
			t,
			run(t, &reply{status: 503, header: map[string]string{"Retry-After": testNow.Add(time.Minute).Format(http.TimeFormat)}}, isSend),
			dispatch.CarrierUnclear,
		)
		assert.Equal(t, time.Minute, e.RetryAfter)
	})
	t.Run("refuses an invalid upload URL", func(t *testing.T) {
		isUpload := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/file-upload") }
		for _, at := range []string{"", "file:///etc/passwd", "/relative", "ftp://x.example/a", "http://user:pw@x.example/a", "://"} {
			body := fmt.Sprintf(`{"data":{"attributes":{"url":%q,"url_signature":"s"}}}`, at)
			requireFailure(t, run(t, &reply{status: 200, body: body}, isUpload), dispatch.CarrierBusy)
		}
	})
	t.Run("a reference that cannot be read leaves the letter unclear", func(t *testing.T) {
		forEachStatus(t, func(t *testing.T, status int, _ dispatch.CarrierFailure) {
			o := newPostOffice(t, newClock().now)
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Method == http.MethodGet {
					return &reply{status: status}
				}
				return nil
			}
			s := letterShipment(cancellation.ChannelMail)
			s.Reference = uuid.NewString()
			_, err := o.carrier().Send(t.Context(), s)
			requireFailure(t, err, dispatch.CarrierUnclear)
		})
		s := letterShipment(cancellation.ChannelMail)
		s.Reference = "../letters"
		o := newPostOffice(t, newClock().now)
		_, err := o.carrier().Send(t.Context(), s)
		requireFailure(t, err, dispatch.CarrierUnclear)
		assert.Zero(t, o.calls)
	})
}

// Interrupts a try at each call, before or after the carrier has done its work.
// Whatever the next tries see, only one letter is sent.
func TestPostSendsOnceWhateverIsInterrupted(t *testing.T) {
	for _, born := range []string{"valid", "validating"} {
		for _, after := range []bool{false, true} {
			for n := 1; n <= 8; n++ {
				t.Run(fmt.Sprintf("%s letter, call %d, after its work %v", born, n, after), func(t *testing.T) {
					clock := newClock()
					o := newPostOffice(t, clock.now)
					o.born, o.checked = born, "valid"
					o.instead = func(call int, _ *http.Request) *reply {
						if call == n {
							return &reply{hangUp: true, after: after}
						}
						return nil
					}
					p, s := o.carrier(), letterShipment(cancellation.ChannelMail)
					s.Note = func(_ context.Context, reference string) error { s.Reference = reference; return nil }
					receipt := sendUntilTaken(t, p, &s, clock)
					assert.Equal(t, 1, o.sends())
					assert.Equal(t, 1, o.letters[receipt.Reference].sends)
				})
			}
		}
	}
}

// sendUntilTaken retries like the service: it keeps the noted reference, and the
// start of a try with an unknown result.
func sendUntilTaken(t *testing.T, c dispatch.Carrier, s *dispatch.Shipment, clock *testClock) dispatch.Receipt {
	t.Helper()
	for range 8 {
		began := clock.now()
		receipt, err := c.Send(t.Context(), *s)
		if err == nil {
			return receipt
		}
		var e *dispatch.CarrierError
		require.ErrorAs(t, err, &e)
		require.NotEqual(t, dispatch.CarrierRefused, e.Failure, "%v", err)
		if e.Failure == dispatch.CarrierUnclear {
			s.TriedAt = began
			if s.Since.IsZero() {
				s.Since = began
			}
		}
		clock.pass(max(e.RetryAfter, time.Second))
	}
	require.Fail(t, "the letter was never taken")
	return dispatch.Receipt{}
}
