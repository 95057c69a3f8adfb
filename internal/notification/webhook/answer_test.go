package webhook

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

// Where people test, they read what their receiver said. Elsewhere only where it wants to send us.
func TestTheStartOfAnAnswerIsKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<p>\xff", 1000)
	for name, c := range map[string]struct{ says, test, production string }{
		"an error":        {answerWith("HTTP/1.1 500 Oh", "no disk"), "HTTP/1.1 500 Oh\nContent-Length: 7\nContent-Type: application/json\n\nno disk", ""},
		"a redirect":      {"HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n", "HTTP/1.1 302 Found\nLocation: /login\n\n", "Location: /login"},
		"no acknowledged": {answerWith("HTTP/1.1 200 OK", "{}"), "HTTP/1.1 200 OK\nContent-Length: 2\nContent-Type: application/json\n\n{}", ""},
		"acknowledged":    {okAnswer, "", ""},
		"a page": {
			"HTTP/1.1 404 No\r\n\r\n" + long, "HTTP/1.1 404 No\n\n" + strings.ToValidUTF8(long[:2048], "\uFFFD"), "",
		},
	} {
		address := "http://" + listen(t, says(c.says)) + "/"
		for keep, want := range map[bool]string{true: c.test, false: c.production} {
			client := New(Options{Stage: config.Local, Now: time.Now, KeepAnswers: keep})
			call := callTo(address)
			assert.Equal(t, want, client.Call(t.Context(), call).Answer, name)
			call.KeepAnswer = true
			assert.Equal(t, c.test, client.Call(t.Context(), call).Answer, "the partner wants it")
		}
	}
}

// A body that does not end costs a second, not the minute of a call.
func TestABodyThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := New(Options{
			Stage: config.Local, Now: time.Now, KeepAnswers: true, Resolver: leadsTo("127.0.0.1"),
			Dialer: pipe(func(conn net.Conn) {
				_, _, _ = readRequest(conn)
				_, _ = io.WriteString(conn, "HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nwait")
				_, _ = io.Copy(io.Discard, conn)
			}),
		})
		got := client.Call(context.Background(), callTo("http://localhost:8080/"))
		assert.Equal(t, notification.OutcomeHTTPError, got.Outcome)
		assert.Equal(t, time.Second, got.Took())
		assert.Contains(t, got.Answer, "wait")
	})
}
