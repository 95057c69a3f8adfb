package carrier

import (
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

func TestPostToken(t *testing.T) {
	t.Run("is cached until shortly before it expires", func(t *testing.T) {
		clock := newClock()
		o := newPostOffice(t, clock.now)
		o.life = 600
		p := o.carrier()
		send := func() {
			s := letterShipment(cancellation.ChannelMail)
			s.ID = uuid.NewString()
			_, err := p.Send(t.Context(), s)
			require.NoError(t, err)
		}
		send()
		clock.pass(8 * time.Minute)
		send()
		assert.Equal(t, 1, o.tokens)
		clock.pass(time.Minute)
		send()
		assert.Equal(t, 2, o.tokens)
	})
	t.Run("that is rejected is replaced once", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		p := o.carrier()
		_, err := p.Send(t.Context(), letterShipment(cancellation.ChannelMail))
		require.NoError(t, err)
		o.token = "changed"
		s := letterShipment(cancellation.ChannelMail)
		s.ID = uuid.NewString()
		_, err = p.Send(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, 2, o.tokens)

		o.instead = func(_ int, r *http.Request) *reply {
			if strings.HasSuffix(r.URL.Path, "/access-tokens") {
				return nil
			}
			return &reply{status: 401}
		}
		before := o.calls
		s.ID = uuid.NewString()
		_, err = p.Send(t.Context(), s)
		requireFailure(t, err, dispatch.CarrierBusy)
		assert.Equal(t, 3, o.calls-before, "two calls and a new token between them")
	})
	t.Run("that is malformed", func(t *testing.T) {
		for _, body := range []string{``, `{}`, `{"access_token":""}`, `{"access_token":"a b"}`,
			`{"access_token":"a\r\nX: y"}`, `{"access_token":"a","expires_in":"soon"}`} {
			o := newPostOffice(t, newClock().now)
			o.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: body} }
			_, err := o.carrier().Send(t.Context(), letterShipment(cancellation.ChannelMail))
			requireFailure(t, err, dispatch.CarrierBusy)
			assert.Equal(t, 1, o.calls)
		}
	})
}
