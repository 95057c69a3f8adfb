package listen

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// forwardWithin is how long a receiver may take.
const forwardWithin = time.Minute

// forward hands the callback on as it came, so that the receiver can verify it too. Its answer
// is the answer.
func forward(ctx context.Context, address string, body []byte, header http.Header) reply {
	ctx, cancel := context.WithTimeout(ctx, forwardWithin)
	defer cancel()
	failed := func(err error) reply {
		return reply{status: http.StatusBadGateway, text: fmt.Sprintf("%s did not answer: %v", address, err)}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return failed(err)
	}
	for _, name := range []string{"Content-Type", "User-Agent", "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		if value := header.Get(name); value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // which follows no redirect; neither does the service
	if err != nil {
		return failed(err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return failed(err)
	}
	return reply{status: resp.StatusCode, body: answer, text: "answered by " + address}
}
