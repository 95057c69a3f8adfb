package webhook

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

// tlsReceiver is a server at partner.example that counts handshakes.
type tlsReceiver struct {
	*httptest.Server
	handshakes atomic.Int32
}

func newTLSReceiver(t *testing.T, ca *authority, answer http.HandlerFunc) *tlsReceiver {
	t.Helper()
	r := &tlsReceiver{Server: httptest.NewUnstartedServer(answer)}
	r.TLS = ca.server("partner.example", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	r.TLS.VerifyConnection = func(tls.ConnectionState) error {
		r.handshakes.Add(1)
		return nil
	}
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func acknowledge(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, ack) }

// keeping is a client that finds partner.example with the resolver, and dials the server.
func keeping(ca *authority, resolver *names, server *tlsReceiver) *Client {
	return New(Options{
		Stage: config.Production, Now: time.Now, Keep: keep, RootCAs: ca.pool,
		Resolver: resolver, Dialer: to(server.Listener.Addr().String()),
	})
}

func TestOneHandshakeForManyCalls(t *testing.T) {
	ca := newAuthority(t)
	server := newTLSReceiver(t, ca, acknowledge)
	c := keeping(ca, leadsTo("93.184.216.34"), server)
	for range 10 {
		assert.Equal(t, notification.OutcomeAcknowledged, c.Call(t.Context(), callTo("https://partner.example/")).Outcome)
	}
	assert.EqualValues(t, 1, server.handshakes.Load())
}

func TestABatchReusesTheConnectionsOfTheLastOne(t *testing.T) {
	ca := newAuthority(t)
	arrived, all := make(chan struct{}), make(chan struct{})
	server := newTLSReceiver(t, ca, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-all
		acknowledge(w, r)
	})
	c := keeping(ca, leadsTo("93.184.216.34"), server)
	const batch = 10
	for range 3 {
		var calls sync.WaitGroup
		for range batch {
			calls.Go(func() {
				got := c.Call(t.Context(), callTo("https://partner.example/"))
				assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome)
			})
		}
		for range batch {
			<-arrived
		}
		for range batch {
			all <- struct{}{}
		}
		calls.Wait()
	}
	assert.EqualValues(t, batch, server.handshakes.Load())
}

func TestANewConnectionIsCheckedAgain(t *testing.T) {
	ca := newAuthority(t)
	last := false
	server := newTLSReceiver(t, ca, func(w http.ResponseWriter, r *http.Request) {
		if last {
			w.Header().Set("Connection", "close")
		}
		acknowledge(w, r)
	})
	resolver := leadsTo("93.184.216.34")
	resolver.answers = append(resolver.answers, []netip.Addr{netip.MustParseAddr("10.0.0.1")})
	c := keeping(ca, resolver, server)
	call := func() notification.Result { return c.Call(t.Context(), callTo("https://partner.example/")) }
	require.Equal(t, notification.OutcomeAcknowledged, call().Outcome)
	last = true
	require.Equal(t, notification.OutcomeAcknowledged, call().Outcome, "on the connection to the address that was checked")
	assert.Equal(t, notification.OutcomeAddressRefused, call().Outcome)
	assert.EqualValues(t, 1, server.handshakes.Load())
}

// A receiver that closes without a word gets the call again, on a new connection. On a new one,
// that is how the attempt ends.
func TestAReceiverThatCloses(t *testing.T) {
	for name, answers := range map[string]int{"after every answer": 1, "before any": 0} {
		t.Run(name, func(t *testing.T) {
			var connections atomic.Int32
			address := listen(t, func(conn net.Conn) {
				connections.Add(1)
				reader := bufio.NewReader(conn)
				for range answers {
					req, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					_, _ = io.WriteString(conn, answerWith("HTTP/1.1 200 OK", ack))
				}
				_, _ = reader.ReadByte() // the next call has come
			})
			c := New(Options{Stage: config.Local, Now: time.Now, Keep: keep})
			want := notification.OutcomeAcknowledged
			if answers == 0 {
				want = notification.OutcomeConnectionError
			}
			for range 5 {
				assert.Equal(t, want, c.Call(t.Context(), callTo("http://"+address)).Outcome)
			}
			assert.EqualValues(t, 5, connections.Load())
		})
	}
}

func TestOnlyAGoodConnectionIsKept(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"an error":             func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"not acknowledged":     func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) },
		"more than the answer": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, padded(maxBody+1)) },
	} {
		t.Run(name, func(t *testing.T) {
			ca := newAuthority(t)
			server := newTLSReceiver(t, ca, answer)
			c := keeping(ca, leadsTo("93.184.216.34"), server)
			for range 2 {
				c.Call(t.Context(), callTo("https://partner.example/"))
			}
			assert.EqualValues(t, 2, server.handshakes.Load())
		})
	}
}

func TestHowLongAConnectionIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := atomic.Int32{}
		dialer := &dials{connect: func(context.Context, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() {
				defer closed.Add(1)
				reader := bufio.NewReader(theirs)
				for {
					req, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					_, _ = io.WriteString(theirs, answerWith("HTTP/1.1 200 OK", ack))
				}
			}()
			return ours, nil
		}}
		c := New(Options{
			Stage: config.Production, Now: time.Now, Keep: keep, Resolver: leadsTo("93.184.216.34"), Dialer: dialer,
		})
		call := func() int {
			got := c.Call(t.Context(), callTo("http://partner.example/"))
			require.Equal(t, notification.OutcomeAcknowledged, got.Outcome)
			return len(dialer.dialled)
		}
		began := time.Now()
		assert.Equal(t, 1, call())
		time.Sleep(keep / 2)
		assert.Equal(t, 1, call())
		time.Sleep(keep + time.Second)
		assert.EqualValues(t, 1, closed.Load(), "when nobody has used it for a while")
		for ; time.Since(began) < reuseFor; time.Sleep(time.Second) {
			assert.Equal(t, 2, call())
		}
		assert.Equal(t, 3, call(), "the address is checked every minute")
		time.Sleep(keep)
	})
}
