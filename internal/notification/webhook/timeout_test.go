package webhook

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

// pipe connects every address to an in-memory receiver that uses the clock of the
// test's bubble.
func pipe(script func(conn net.Conn)) *dials {
	return &dials{connect: func(context.Context, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			script(there)
		}()
		return here, nil
	}}
}

// drip sends its response byte by byte and then keeps the connection open.
func drip(every time.Duration, whole, slow string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _, err := readRequest(conn)
		if err == nil {
			_, err = io.WriteString(conn, whole)
		}
		for i := 0; i < len(slow) && err == nil; i++ {
			time.Sleep(every)
			_, err = io.WriteString(conn, slow[i:i+1])
		}
		_, _ = io.Copy(io.Discard, conn)
	}
}

func silent(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// stuck reads nothing, until long after the call.
func stuck(net.Conn) { time.Sleep(10 * time.Minute) }

type stuckResolver struct{}

func (stuckResolver) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, &net.DNSError{Err: "i/o timeout", UnwrapErr: ctx.Err(), IsTimeout: true}
}

func stuckDialer() *dials {
	return &dials{connect: func(ctx context.Context, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, &net.OpError{Op: "dial", Err: ctx.Err()}
	}}
}

func TestCallTimesOut(t *testing.T) {
	const (
		noConnection = "timed out before a connection was made"
		noAnswer     = "timed out before a response came"
		incomplete   = "timed out before the acknowledgement was complete"
		headers      = "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"
		chunked      = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	)
	for name, tt := range map[string]struct {
		url      string
		resolver Resolver
		dialer   *dials
		status   int
		detail   string
	}{
		"DNS":                           {resolver: stuckResolver{}, dialer: stuckDialer(), detail: noConnection},
		"connecting":                    {dialer: stuckDialer(), detail: noConnection},
		"TLS without an answer":         {url: "https://partner.example/", dialer: pipe(silent), detail: noConnection},
		"TLS that reads nothing":        {url: "https://partner.example/", dialer: pipe(stuck), detail: noConnection},
		"sending":                       {dialer: pipe(stuck), detail: noAnswer},
		"before the answer":             {dialer: pipe(silent), detail: noAnswer},
		"within the headers":            {dialer: pipe(drip(0, "HTTP/1.1 200 OK\r\nX: ", "")), detail: noAnswer},
		"headers byte by byte":          {dialer: pipe(drip(2*time.Second, "", headers+ack)), detail: noAnswer},
		"endless interim responses":     {dialer: pipe(drip(100*time.Millisecond, "", strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 100))), detail: noAnswer},
		"between headers and body":      {dialer: pipe(drip(0, headers, "")), status: 200, detail: incomplete},
		"within the body":               {dialer: pipe(drip(0, headers+ack[:9], "")), status: 200, detail: incomplete},
		"a body byte by byte":           {dialer: pipe(drip(5*time.Second, headers, ack)), status: 200, detail: incomplete},
		"chunks byte by byte":           {dialer: pipe(drip(time.Second, chunked, strings.Repeat("1\r\n \r\n", 1000))), status: 200, detail: incomplete},
		"an unfinished acknowledgement": {dialer: pipe(drip(0, "HTTP/1.1 200 OK\r\n\r\n"+ack, "")), status: 200, detail: incomplete},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				url, resolver := tt.url, tt.resolver
				if url == "" {
					url = "http://partner.example/"
				}
				if resolver == nil {
					resolver = leadsTo("93.184.216.34")
				}
				c := New(Options{Stage: config.Production, Now: time.Now, Resolver: resolver, Dialer: tt.dialer})

				got := c.Call(t.Context(), callTo(url))

				assert.Equal(t, notification.OutcomeTimeout, got.Outcome)
				assert.Equal(t, tt.status, got.HTTPStatus)
				assert.Equal(t, tt.detail, got.Detail)
				assert.Equal(t, time.Minute, got.Took())
				time.Sleep(time.Hour) // the receiver gives up
			})
		})
	}
}

func TestCallUsesItsWholeTimeout(t *testing.T) {
	// The last byte arrives at the given second.
	lastByteAt := func(at time.Duration) *dials {
		return pipe(drip(at/2, okAnswer[:len(okAnswer)-2], okAnswer[len(okAnswer)-2:]))
	}
	synctest.Test(t, func(t *testing.T) {
		got := public24(lastByteAt(58*time.Second)).Call(t.Context(), callTo("http://partner.example/"))
		assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome)
		assert.Equal(t, 58*time.Second, got.Took())

		got = public24(lastByteAt(62*time.Second)).Call(t.Context(), callTo("http://partner.example/"))
		assert.Equal(t, notification.OutcomeTimeout, got.Outcome)
		assert.Equal(t, time.Minute, got.Took())
		time.Sleep(time.Hour) // the receiver gives up
	})
}

func TestCallEndsWithItsContext(t *testing.T) {
	for name, dialer := range map[string]*dials{
		"while connecting": stuckDialer(), "before the answer": pipe(silent),
		"within the body": pipe(drip(0, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				got := public24(dialer).Call(ctx, callTo("http://partner.example/"))
				assert.Equal(t, notification.OutcomeTimeout, got.Outcome)
				assert.Equal(t, 10*time.Second, got.Took())

				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(3*time.Second, cancel)
				got = public24(dialer).Call(ctx, callTo("http://partner.example/"))
				assert.Equal(t, notification.OutcomeTimeout, got.Outcome)
				assert.Equal(t, 3*time.Second, got.Took())
				time.Sleep(time.Hour) // the receiver gives up
			})
		})
	}
	t.Run("that had already ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.Equal(t, notification.OutcomeTimeout, public24(pipe(silent)).Call(ctx, callTo("http://partner.example/")).Outcome)
		assert.Equal(t, notification.OutcomeAddressRefused, public24(pipe(silent)).Call(ctx, callTo("http://10.0.0.1/")).Outcome,
			"a refused address is one at any time")
	})
}

func TestCallTimesOutWithinTLS(t *testing.T) {
	ca := newAuthority(t)
	conf := ca.server("partner.example", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	synctest.Test(t, func(t *testing.T) {
		// The bubble's clock starts in the year 2000.
		conf := conf.Clone()
		conf.Certificates = ca.server("partner.example", time.Now().Add(-time.Hour), time.Now().Add(time.Hour)).Certificates
		dialer := pipe(func(conn net.Conn) {
			_, _, _ = readRequest(tls.Server(conn, conf))
			silent(conn)
		})
		c := New(Options{Stage: config.Test, Now: time.Now, Resolver: leadsTo("93.184.216.34"), Dialer: dialer, RootCAs: ca.pool})
		got := c.Call(t.Context(), callTo("https://partner.example/"))
		assert.Equal(t, notification.OutcomeTimeout, got.Outcome, got.Detail)
		assert.Equal(t, "timed out before a response came", got.Detail)
		assert.Equal(t, time.Minute, got.Took())
	})
}
