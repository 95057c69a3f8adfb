package webhook

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

func gzipped(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, body)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// padded returns an acknowledgement of this many bytes.
func padded(size int) string { return ack + strings.Repeat(" ", size-len(ack)) }

func TestCallOutcomes(t *testing.T) {
	const (
		yes     = notification.OutcomeAcknowledged
		large   = notification.OutcomeResponseTooLarge
		broken  = notification.OutcomeConnectionError
		invalid = notification.OutcomeInvalidAcknowledgement
		noHTTP  = "the connection closed before a response came, or the response is not HTTP"
		cutOff  = "the connection closed before the acknowledgement was complete"
		size    = "the body is larger than 16 KB"
		headers = "the response headers are larger than 16 KB"
	)
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for name, tt := range map[string]struct {
		answer  string
		outcome notification.Outcome
		status  int
		detail  string
	}{
		"acknowledged":              {okAnswer, yes, 200, ""},
		"HTTP/1.0":                  {"HTTP/1.0 200 OK\r\n\r\n" + ack, yes, 200, ""},
		"no content type":           {"HTTP/1.1 200 OK\r\nContent-Length: " + strconv.Itoa(len(ack)) + "\r\n\r\n" + ack, yes, 200, ""},
		"other reason phrase":       {answerWith("HTTP/1.1 200 Nope", ack), yes, 200, ""},
		"chunks":                    {chunked + "5\r\n" + ack[:5] + "\r\n" + strconv.FormatInt(int64(len(ack)-5), 16) + "\r\n" + ack[5:] + "\r\n0\r\n\r\n", yes, 200, ""},
		"until the end":             {"HTTP/1.1 200 OK\r\n\r\n" + ack, yes, 200, ""},
		"after interim answers":     {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + okAnswer, yes, 200, ""},
		"said to be identity":       {answerWith("HTTP/1.1 200 OK\r\nContent-Encoding: identity", ack), yes, 200, ""},
		"16 KB":                     {answerWith("HTTP/1.1 200 OK", padded(maxBody)), yes, 200, ""},
		"one byte more":             {answerWith("HTTP/1.1 200 OK", padded(maxBody+1)), large, 200, size},
		"one byte more in chunks":   {chunked + "4001\r\n" + padded(maxBody+1) + "\r\n0\r\n\r\n", large, 200, size},
		"one byte more to the end":  {"HTTP/1.1 200 OK\r\n\r\n" + padded(maxBody+1), large, 200, size},
		"a terabyte declared":       {"HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n{", large, 200, size},
		"large headers":             {answerWith("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", maxHeaders), ack), large, 0, headers},
		"many headers":              {answerWith("HTTP/1.1 200 OK"+strings.Repeat("\r\nX: y", 10_000), ack), large, 0, headers},
		"many interim responses":    {strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 10_000), large, 0, headers},
		"gzip":                      {answerWith("HTTP/1.1 200 OK\r\nContent-Encoding: gzip", gzipped(t, ack)), invalid, 200, "the body is compressed, but no compression was requested"},
		"gzip bomb":                 {answerWith("HTTP/1.1 200 OK\r\nContent-Encoding: gzip", gzipped(t, padded(8<<20))), invalid, 200, "the body is compressed, but no compression was requested"},
		"gzip not declared":         {answerWith("HTTP/1.1 200 OK", gzipped(t, ack)), invalid, 200, "the body is not JSON"},
		"brotli":                    {answerWith("HTTP/1.1 200 OK\r\nContent-Encoding: br", ack), invalid, 200, "the body is compressed, but no compression was requested"},
		"not acknowledged":          {answerWith("HTTP/1.1 200 OK", `{"isAcknowledged":false}`), notification.OutcomeNotAcknowledged, 200, "isAcknowledged is false"},
		"no timestamp":              {answerWith("HTTP/1.1 200 OK", `{"isAcknowledged":true}`), invalid, 200, "timestamp is missing"},
		"no body":                   {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", invalid, 200, "the body is empty"},
		"created":                   {answerWith("HTTP/1.1 201 Created", ack), notification.OutcomeHTTPError, 201, "the status is 201, not 200"},
		"accepted":                  {answerWith("HTTP/1.1 202 Accepted", ack), notification.OutcomeHTTPError, 202, "the status is 202, not 200"},
		"no content":                {"HTTP/1.1 204 No Content\r\n\r\n", notification.OutcomeHTTPError, 204, "the status is 204, not 200"},
		"partial content":           {answerWith("HTTP/1.1 206 Partial Content", ack), notification.OutcomeHTTPError, 206, "the status is 206, not 200"},
		"bad request":               {answerWith("HTTP/1.1 400 Bad Request", ack), notification.OutcomeHTTPError, 400, "the status is 400, not 200"},
		"gone":                      {answerWith("HTTP/1.1 410 Gone", ""), notification.OutcomeHTTPError, 410, "the status is 410, not 200"},
		"failed, with endless body": {"HTTP/1.1 500 Oops\r\nContent-Length: 1099511627776\r\n\r\nx", notification.OutcomeHTTPError, 500, "the status is 500, not 200"},
		"a status of its own":       {answerWith("HTTP/1.1 999 Denied", ack), notification.OutcomeHTTPError, 999, "the status is 999, not 200"},
		"other protocol":            {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", notification.OutcomeHTTPError, 101, "the status is 101, not 200"},
		"multiple choices":          {answerWith("HTTP/1.1 300 Choose", ack), notification.OutcomeRedirectRefused, 300, "the status is 300; redirects are not followed"},
		"not modified":              {"HTTP/1.1 304 Not Modified\r\n\r\n", notification.OutcomeRedirectRefused, 304, "the status is 304; redirects are not followed"},
		"redirect without location": {answerWith("HTTP/1.1 302 Found", ""), notification.OutcomeRedirectRefused, 302, "the status is 302; redirects are not followed"},
		"redirect to nonsense":      {answerWith("HTTP/1.1 301 Moved\r\nLocation: http://[::1", ""), notification.OutcomeRedirectRefused, 301, "the status is 301; redirects are not followed"},
		"nothing":                   {"", broken, 0, noHTTP},
		"HTTP/0.9":                  {ack, broken, 0, noHTTP},
		"SSH":                       {"SSH-2.0-OpenSSH_9.6\r\n", broken, 0, noHTTP},
		"a TLS alert":               {"\x15\x03\x01\x00\x02\x02\x0a", broken, 0, noHTTP},
		"binary":                    {strings.Repeat("\x00\xff", 4000), broken, 0, noHTTP},
		"a status of letters":       {"HTTP/1.1 OK\r\n\r\n", broken, 0, noHTTP},
		"a negative status":         {"HTTP/1.1 -20 OK\r\n\r\n", broken, 0, noHTTP},
		"other version":             {"HTTP/x.y 200 OK\r\n\r\n", broken, 0, noHTTP},
		"half a status":             {"HTTP/1.1 20", broken, 0, noHTTP},
		"headers without end":       {"HTTP/1.1 200 OK\r\nX: y\r\n", broken, 0, noHTTP},
		"a header without colon":    {"HTTP/1.1 200 OK\r\nX y\r\n\r\n" + ack, broken, 0, noHTTP},
		"two lengths":               {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n" + ack, broken, 0, noHTTP},
		"a negative length":         {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + ack, broken, 0, noHTTP},
		"an unknown coding":         {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n" + ack, broken, 0, noHTTP},
		"less than declared":        {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + ack, broken, 200, cutOff},
		"a chunk cut off":           {chunked + "400\r\n" + ack, broken, 200, cutOff},
		"chunks without the last":   {chunked + "2\r\n{}\r\n", broken, 200, cutOff},
		"a chunk of no size":        {chunked + "zz\r\n" + ack + "\r\n0\r\n\r\n", broken, 200, cutOff},
		"a chunk of a huge size":    {chunked + "ffffffffffffffffff\r\n" + ack, broken, 200, cutOff},
		"chunks that are all extra": {chunked + strings.Repeat("1;"+strings.Repeat("x", 4000)+"\r\n \r\n", 100), broken, 200, cutOff},
	} {
		t.Run(name, func(t *testing.T) {
			got := local().Call(t.Context(), callTo("http://"+listen(t, says(tt.answer))+"/"))

			assert.Equal(t, tt.outcome, got.Outcome, got.Detail)
			assert.Equal(t, tt.status, got.HTTPStatus)
			assert.Equal(t, tt.detail, got.Detail)
		})
	}
}

func TestCallToAReceiverThatNeverEnds(t *testing.T) {
	for name, tt := range map[string]struct{ start, again string }{
		"chunks":          {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"},
		"headers":         {"HTTP/1.1 200 OK\r\n", "X: y\r\n"},
		"one header":      {"HTTP/1.1 200 OK\r\nX: ", "y"},
		"interim answers": {"", "HTTP/1.1 102 Processing\r\n\r\n"},
		"a body":          {"HTTP/1.0 200 OK\r\n\r\n", ack},
	} {
		t.Run(name, func(t *testing.T) {
			address := listen(t, func(conn net.Conn) {
				_, _, err := readRequest(conn)
				for line := tt.start; err == nil; line = strings.Repeat(tt.again, 500) {
					_, err = io.WriteString(conn, line)
				}
			})
			assert.Equal(t, notification.OutcomeResponseTooLarge, local().Call(t.Context(), callTo("http://"+address)).Outcome)
		})
	}
}

func TestCallIsReset(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		status int
	}{
		"before the answer":  {"", 0},
		"within the headers": {"HTTP/1.1 200 OK\r\nX:", 0},
	} {
		t.Run(name, func(t *testing.T) {
			address := listen(t, func(conn net.Conn) {
				_, _, _ = readRequest(conn)
				_, _ = io.WriteString(conn, tt.answer)
				_ = conn.(*net.TCPConn).SetLinger(0)
			})
			got := local().Call(t.Context(), callTo("http://"+address))
			assert.Equal(t, notification.OutcomeConnectionError, got.Outcome)
			assert.Equal(t, tt.status, got.HTTPStatus)
		})
	}
}

// boundPort returns the port of a socket that does not listen, so connections to it
// are refused while the test runs.
func boundPort(t *testing.T) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(fd) })
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	name, err := syscall.Getsockname(fd)
	require.NoError(t, err)
	return name.(*syscall.SockaddrInet4).Port
}

func TestCallToAClosedPort(t *testing.T) {
	got := local().Call(t.Context(), callTo("http://127.0.0.1:"+strconv.Itoa(boundPort(t))))
	assert.Equal(t, notification.OutcomeConnectionError, got.Outcome)
	assert.Equal(t, "the connection was refused", got.Detail)
}

func TestCallFollowsNoRedirect(t *testing.T) {
	var visited atomic.Bool
	target := listen(t, func(conn net.Conn) {
		visited.Store(true)
		says(okAnswer)(conn)
	})
	for _, status := range []string{"301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"} {
		address := listen(t, says(answerWith("HTTP/1.1 "+status+"\r\nLocation: http://"+target+"/", ack)))
		got := local().Call(t.Context(), callTo("http://"+address))
		assert.Equal(t, notification.OutcomeRedirectRefused, got.Outcome, status)
	}
	assert.False(t, visited.Load())
}

func TestCallLeavesNoStateBehind(t *testing.T) {
	var connections atomic.Int32
	cookies := make(chan string, 2)
	address := listen(t, func(conn net.Conn) {
		connections.Add(1)
		req, _, err := readRequest(conn)
		if err != nil {
			return
		}
		cookies <- req.Header.Get("Cookie")
		_, _ = io.WriteString(conn, answerWith("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nConnection: keep-alive", ack))
		_, _ = io.Copy(io.Discard, conn) // ends when the caller hangs up
	})
	c := local()
	for range 2 {
		require.Equal(t, notification.OutcomeAcknowledged, c.Call(t.Context(), callTo("http://"+address)).Outcome)
		assert.Empty(t, <-cookies)
	}
	assert.EqualValues(t, 2, connections.Load())
}

func TestCallUsesNoProxy(t *testing.T) {
	var visited atomic.Bool
	proxy := listen(t, func(net.Conn) { visited.Store(true) })
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://"+proxy)
	}
	dialer := to(listen(t, says(okAnswer)))
	assert.Equal(t, notification.OutcomeAcknowledged, public24(dialer).Call(t.Context(), callTo("http://partner.example/")).Outcome)
	assert.Equal(t, []string{"93.184.216.34:80"}, dialer.dialled)
	assert.False(t, visited.Load())
}

func TestCallDoesNotQuoteTheReceiver(t *testing.T) {
	const word = "Zaubernuss"
	for name, answer := range map[string]string{
		"status":    answerWith("HTTP/1.1 500 "+word, word),
		"header":    "HTTP/1.1 200 OK\r\n" + word + "\r\n\r\n",
		"protocol":  word,
		"member":    answerWith("HTTP/1.1 200 OK", `{"isAcknowledged":"`+word+`"}`),
		"timestamp": answerWith("HTTP/1.1 200 OK", `{"isAcknowledged":true,"timestamp":"`+word+`"}`),
		"location":  answerWith("HTTP/1.1 302 Found\r\nLocation: "+word, ""),
	} {
		t.Run(name, func(t *testing.T) {
			got := local().Call(t.Context(), callTo("http://"+listen(t, says(answer))+"/"+word))
			assert.NotEmpty(t, got.Detail)
			assert.NotContains(t, got.Detail, word)
		})
	}
}

func TestNewSetsDefaults(t *testing.T) {
	c := New(Options{Stage: config.Local, Now: time.Now})
	assert.Equal(t, net.DefaultResolver, c.options.Resolver)

	t.Run("and resolves localhost like the machine", func(t *testing.T) {
		address := listen(t, says(okAnswer))
		port := netip.MustParseAddrPort(address).Port()
		got := c.Call(context.Background(), callTo("http://localhost:"+strconv.Itoa(int(port))))
		assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome, got.Detail)
	})
}
