package carrier

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

// lookAfter interrupts a try at its nth call, before or after the carrier has done its
// work, and then only looks. It reports whether the carrier says that it has the letter.
func lookAfter(t *testing.T, c dispatch.Carrier, s dispatch.Shipment, clock *testClock) bool {
	t.Helper()
	s.Note = func(_ context.Context, reference string) error { s.Reference = reference; return nil }
	started := clock.now()
	if _, err := c.Send(t.Context(), s); err == nil {
		return true
	}
	s.Since, s.TriedAt, s.LookOnly = started, started, true
	for range 50 {
		clock.pass(20 * time.Minute)
		_, err := c.Send(t.Context(), s)
		if err == nil {
			return true
		}
		if failed, ok := errors.AsType[*dispatch.CarrierError](err); ok && failed.Failure == dispatch.CarrierNotSent {
			return false
		}
	}
	require.Fail(t, "the carrier does not say")
	return false
}

// With LookOnly a carrier gets nothing new, and is known to have what it got before.
func TestLookOnlySendsNothing(t *testing.T) {
	for _, after := range []bool{false, true} {
		for n := 1; n <= 8; n++ {
			instead := func(call int, _ *http.Request) *reply {
				if call == n {
					return &reply{hangUp: true, after: after}
				}
				return nil
			}
			t.Run(fmt.Sprintf("post, call %d, after its work %v", n, after), func(t *testing.T) {
				for _, born := range []string{"valid", "validating"} {
					clock := newClock()
					o := newPostOffice(t, clock.now)
					o.born, o.checked, o.instead = born, "valid", instead
					has := lookAfter(t, o.carrier(), letterShipment(cancellation.ChannelMail), clock)
					assert.Equal(t, has, o.sends() == 1, born)
				}
			})
			t.Run(fmt.Sprintf("fax, call %d, after its work %v", n, after), func(t *testing.T) {
				clock := newClock()
				g := newFaxGateway(t, clock.now)
				g.instead = instead
				has := lookAfter(t, g.carrier(), faxShipment(), clock)
				assert.Equal(t, has, len(g.faxes) == 1)
			})
		}
	}

	t.Run("e-mail, which only its event can prove", func(t *testing.T) {
		s, clock := newSES(t), newClock()
		e, shipment := emailCarrier(t, s.client(), clock.now), emailShipment()
		shipment.TriedAt, shipment.LookOnly = testNow, true
		_, err := e.Send(t.Context(), shipment)
		requireFailure(t, err, dispatch.CarrierBusy)
		clock.at = testNow.Add(sendEventWait)
		_, err = e.Send(t.Context(), shipment)
		requireFailure(t, err, dispatch.CarrierNotSent)
		assert.Zero(t, s.calls)
	})
}
