package webhook

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/notification"
)

const (
	eventID = "0198c2f4-8f0e-7a52-b1a4-3d0b5f7f2c11"
	key     = notification.Key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	ack     = `{"isAcknowledged":true,"timestamp":"2026-03-01T12:00:00Z"}`
)

// okAnswer is a complete response with an acknowledgement.
var okAnswer = answerWith("HTTP/1.1 200 OK", ack)

func answerWith(status, body string) string {
	return fmt.Sprintf("%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}

func callTo(url string) notification.Call {
	return notification.Call{
		URL: url, EventID: eventID, At: clock.Real(time.Now()), Body: []byte(`{"eventId":"` + eventID + `"}`),
		Keys: []notification.Key{key},
	}
}

// listen starts a partner's server that runs the test's script for each connection.
// A script ends with the test at the latest.
func listen(t *testing.T, script func(conn net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer conn.Close()
				stop := context.AfterFunc(t.Context(), func() { conn.Close() })
				defer stop()
				script(conn)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		running.Wait()
	})
	return listener.Addr().String()
}

// readRequest reads a whole request from a connection.
func readRequest(conn net.Conn) (*http.Request, []byte, error) {
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(req.Body)
	return req, body, err
}

// says sends the same bytes for every request and waits for the caller to close the
// connection, so that a reset loses nothing.
func says(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		if _, _, err := readRequest(conn); err == nil {
			_, _ = io.WriteString(conn, answer)
			_ = conn.(interface{ CloseWrite() error }).CloseWrite()
			_, _ = io.Copy(io.Discard, conn)
		}
	}
}

// local returns a client for the local environment on the real network.
func local() *Client { return New(Options{Stage: config.Local, Now: time.Now}) }

// names is a resolver that returns its answers in turn, and then repeats the last.
type names struct {
	answers [][]netip.Addr
	err     error

	mu    sync.Mutex
	asked []string
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, host)
	if n.err != nil {
		return nil, n.err
	}
	return n.answers[min(len(n.asked), len(n.answers))-1], nil
}

func leadsTo(addrs ...string) *names {
	var answer []netip.Addr
	for _, a := range addrs {
		answer = append(answer, netip.MustParseAddr(a))
	}
	return &names{answers: [][]netip.Addr{answer}}
}

// dials records every dialled address and passes it to connect.
type dials struct {
	connect func(ctx context.Context, address string) (net.Conn, error)

	mu      sync.Mutex
	dialled []string
}

func (d *dials) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	d.mu.Lock()
	d.dialled = append(d.dialled, address)
	d.mu.Unlock()
	return d.connect(ctx, address)
}

// to connects every address to one listener.
func to(address string) *dials {
	return &dials{connect: func(ctx context.Context, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", address)
	}}
}

// nowhere refuses every address.
func nowhere() *dials {
	return &dials{connect: func(context.Context, string) (net.Conn, error) { return nil, io.ErrClosedPipe }}
}
