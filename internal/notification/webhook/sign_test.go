package webhook

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/clock"
	"aviso/internal/notification"
)

func TestCallIsSigned(t *testing.T) {
	type received struct {
		req  *http.Request
		body []byte
	}
	got := make(chan received, 1)
	address := listen(t, func(conn net.Conn) {
		if req, body, err := readRequest(conn); err == nil {
			got <- received{req, body}
			_, _ = conn.Write([]byte(okAnswer))
		}
	})
	call := callTo("http://" + address + "/hooks?tenant=7")
	call.Keys = []notification.Key{key, "whsec_c2Vjb25kLWtleS1vZi10aGUtc3Vic2NyaXB0aW9u"}

	require.Equal(t, notification.OutcomeAcknowledged, local().Call(t.Context(), call).Outcome)

	r := <-got
	assert.Equal(t, "POST", r.req.Method)
	assert.Equal(t, "/hooks?tenant=7", r.req.RequestURI)
	assert.Equal(t, address, r.req.Host)
	assert.Equal(t, call.Body, r.body)
	assert.Equal(t, eventID, r.req.Header.Get("webhook-id"))
	assert.Equal(t, strconv.FormatInt(call.At.Time().Unix(), 10), r.req.Header.Get("webhook-timestamp"))
	assert.Equal(t, "application/json", r.req.Header.Get("Content-Type"))
	assert.Equal(t, "Aviso", r.req.Header.Get("User-Agent"))
	assert.Equal(t, "identity", r.req.Header.Get("Accept-Encoding"))
	assert.Empty(t, r.req.Header.Get("Expect"))
	assert.True(t, r.req.Close, "no connection serves a second call")
	assert.Len(t, strings.Split(r.req.Header.Get("webhook-signature"), " "), 2)
	for _, k := range call.Keys {
		receiver, err := standardwebhooks.NewWebhook(string(k))
		require.NoError(t, err)
		assert.NoError(t, receiver.Verify(r.body, r.req.Header))
		assert.Error(t, receiver.Verify(append(r.body, ' '), r.req.Header))
	}
	stranger, err := standardwebhooks.NewWebhook("whsec_c3RyYW5nZXI=")
	require.NoError(t, err)
	assert.Error(t, stranger.Verify(r.body, r.req.Header))
}

// The vector is from the tests of the library, which other languages share.
func TestSignKnownVector(t *testing.T) {
	h := http.Header{}
	require.NoError(t, Sign(h, notification.Call{
		EventID: "msg_p5jXN8AQM9LWM0D4loKWxJek", At: clock.Real(time.Unix(1614265330, 999)),
		Body: []byte(`{"test": 2432232314}`), Keys: []notification.Key{key},
	}))
	assert.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", h.Get("webhook-signature"))
	assert.Equal(t, "1614265330", h.Get("webhook-timestamp"))
}

func TestEveryAttemptIsSignedAgain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		body := rapid.SliceOf(rapid.Byte()).Draw(rt, "body")
		secrets := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 32, 32), 1, 3).Draw(rt, "secrets")
		var keys []notification.Key
		for _, s := range secrets {
			keys = append(keys, keyOf(s))
		}
		h := http.Header{}
		require.NoError(rt, Sign(h, notification.Call{EventID: eventID, At: clock.Real(time.Now()), Body: body, Keys: keys}))
		for _, s := range secrets {
			receiver, err := standardwebhooks.NewWebhookRaw(s)
			require.NoError(rt, err)
			assert.NoError(rt, receiver.Verify(body, h))
		}
	})
}

func TestCallWithoutUsableKeyIsNotMade(t *testing.T) {
	for name, keys := range map[string][]notification.Key{
		"no key": nil, "an empty key": {""}, "no base64": {key, "whsec_!!"},
	} {
		t.Run(name, func(t *testing.T) {
			dialer := nowhere()
			c := public24(dialer)
			call := callTo("http://partner.example/")
			call.Keys = keys

			got := c.Call(t.Context(), call)

			assert.Equal(t, notification.OutcomeConnectionError, got.Outcome)
			assert.Equal(t, "the callback could not be signed", got.Detail)
			assert.Empty(t, dialer.dialled)
		})
	}
}
