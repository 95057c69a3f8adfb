package webhook

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"aviso/internal/notification"
	"aviso/internal/observe"
)

// maxBody is the maximum size of an acknowledgement in bytes. We ask for no
// compression and do not decompress a body that is compressed anyway.
const maxBody = 16 << 10

// Call posts the event and waits for the acknowledgement. The timeout covers the DNS
// lookup, connecting, TLS, sending, and the response up to its last byte.
func (c *Client) Call(ctx context.Context, call notification.Call) notification.Result {
	started := c.options.Now()
	ctx, cancel := context.WithTimeout(ctx, notification.CallTimeout)
	defer cancel()

	result := c.exchange(ctx, call)
	result.Milliseconds = c.options.Now().Sub(started).Milliseconds()
	return result
}

func (c *Client) exchange(ctx context.Context, call notification.Call) notification.Result {
	to, err := c.guard.parse(call.URL)
	if err != nil {
		return connectFailure(ctx, err).result(0)
	}
	for {
		req, err := c.request(ctx, to, call)
		if err != nil {
			return notification.Result{
				Outcome: notification.OutcomeConnectionError, Detail: "the callback could not be signed",
			}
		}
		if result, closed := c.send(ctx, req, call.KeepAnswer || c.options.KeepAnswers); !closed {
			return result
		}
	}
}

// send makes the call on a kept or a new connection, and keeps the connection if all went well. It reports whether
// the receiver has closed the connection since the last call.
func (c *Client) send(
	ctx context.Context, req *http.Request, keepAnswer bool,
) (result notification.Result, closed bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var used httptrace.GotConnInfo
	var answered atomic.Bool
	resp, err := c.transport().RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(conn httptrace.GotConnInfo) { used = conn },
		GotFirstResponseByte: func() { answered.Store(true) },
	})))
	switch {
	case err != nil && used.Conn == nil:
		return connectFailure(ctx, err).result(0), false
	case err != nil:
		return responseFailure(ctx, err).result(0), used.Reused && !answered.Load() && ctx.Err() == nil
	}
	defer resp.Body.Close()
	heard := &start{}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(resp.Body, heard), resp.Body}
	result = readResponse(ctx, resp)
	if result.Outcome != notification.OutcomeAcknowledged {
		result.Answer = answerOf(resp, heard, keepAnswer, cancel)
		_ = used.Conn.Close()
	}
	return result, false
}

// request returns the signed POST request.
func (c *Client) request(ctx context.Context, to *url.URL, call notification.Call) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(call.Body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Aviso")
	if id := observe.TraceFrom(ctx); id != "" {
		req.Header.Set(observe.TraceHeader, id.Parent())
	}
	return req, Sign(req.Header, call)
}

// readResponse checks the status and, for a 200, the body. It reads no other body.
func readResponse(ctx context.Context, resp *http.Response) notification.Result {
	status := resp.StatusCode
	switch {
	case status >= 300 && status <= 399:
		return notification.Result{
			Outcome: notification.OutcomeRedirectRefused, HTTPStatus: status,
			Detail: fmt.Sprintf("the status is %d; redirects are not followed", status),
		}
	case status != http.StatusOK:
		return notification.Result{
			Outcome: notification.OutcomeHTTPError, HTTPStatus: status,
			Detail: fmt.Sprintf("the status is %d, not 200", status),
		}
	case resp.ContentLength > maxBody:
		return tooLarge(status)
	case resp.Header.Get("Content-Encoding") != "" && resp.Header.Get("Content-Encoding") != "identity":
		return notification.Result{
			Outcome: notification.OutcomeInvalidAcknowledgement, HTTPStatus: status,
			Detail: "the body is compressed, but no compression was requested",
		}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case len(body) > maxBody:
		return tooLarge(status)
	case err != nil:
		return bodyFailure(ctx, err).result(status)
	}
	outcome, detail := judge(body)
	return notification.Result{Outcome: outcome, HTTPStatus: status, Detail: detail}
}

const (
	// answerBody and answerHeaders limit how much of an answer is kept. answerWait limits the wait for its body.
	answerBody, answerHeaders = 2 << 10, 4 << 10
	answerWait                = time.Second
)

// start keeps the first answerBody bytes.
type start struct{ bytes.Buffer }

func (s *start) Write(p []byte) (int, error) {
	_, _ = s.Buffer.Write(p[:min(len(p), answerBody-s.Len())])
	return len(p), nil
}

// answerOf returns the kept part of an answer that does not acknowledge.
func answerOf(resp *http.Response, heard *start, keep bool, cancel context.CancelFunc) string {
	if !keep {
		if to := resp.Header.Get("Location"); to != "" {
			return strings.ToValidUTF8("Location: "+cut(to), "\uFFFD")
		}
		return ""
	}
	late := time.AfterFunc(answerWait, cancel)
	_, _ = io.CopyN(io.Discard, resp.Body, int64(answerBody-heard.Len()))
	late.Stop()
	var headers strings.Builder
	_ = resp.Header.Write(&headers)
	text := resp.Proto + " " + resp.Status + "\n" + cut(strings.ReplaceAll(headers.String(), "\r\n", "\n")) + "\n" +
		heard.String()
	return strings.ToValidUTF8(text, "\uFFFD")
}

func cut(headers string) string { return headers[:min(len(headers), answerHeaders)] }

func tooLarge(status int) notification.Result {
	return notification.Result{
		Outcome: notification.OutcomeResponseTooLarge, HTTPStatus: status, Detail: "the body is larger than 16 KB",
	}
}
