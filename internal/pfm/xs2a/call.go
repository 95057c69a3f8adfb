package xs2a

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
)

const (
	// maxAnswer bounds a body after decompression; a page of ten thousand long
	// rows stays below it.
	maxAnswer = 10 << 20
	// maxErrorAnswer bounds the body of a refusal, of which only a code is read.
	maxErrorAnswer = 64 << 10
)

// operation is what a call tries, in the words of pfm.SupplierError.
type operation string

const (
	requestConsent     operation = "request consent"
	startAuthorisation operation = "start authorisation"
	readConsent        operation = "read consent"
	endConsent         operation = "end consent"
	listAccounts       operation = "list accounts"
	readBalances       operation = "read balances"
	readTransactions   operation = "read transactions"
)

// aboutConsent tells whether the resource addressed is the consent itself.
func (op operation) aboutConsent() bool { return op == readConsent || op == endConsent }

// request is one call before it is sent. Headers with an empty value are left
// out.
type request struct {
	bank   pfm.BankEndpoint
	op     operation
	method string
	url    *url.URL
	header map[string]string
	body   any
}

// sessionHeader is what goes with every read of account data.
func sessionHeader(s pfm.Session) map[string]string {
	return map[string]string{"Consent-ID": s.ConsentID, "PSU-IP-Address": s.PSUIPAddress}
}

// do sends the request and hands the JSON answer to decode, or ignores the body
// where decode is nil. What decode objects to makes the answer invalid.
func (c *Client) do(ctx context.Context, r request, decode func(body []byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.total)
	defer cancel()

	who, err := c.identify(ctx, r.bank)
	if err != nil { // our fault, which must not end anybody's consent: it passes once it is mended
		return failure(r.op, pfm.SupplierUnavailable, 0, err)
	}
	id, started := c.newRequestID(), c.now()
	resp, body, err := c.exchange(ctx, who, r, id) //nolint:bodyclose // exchange has read and closed it
	call := Call{Operation: string(r.op), RequestID: id, Duration: c.now().Sub(started)}
	if resp != nil {
		call.Status = resp.StatusCode
	}
	c.observe(ctx, call)
	if err != nil {
		return failure(r.op, transportKind(err), call.Status, transportCause(ctx, err))
	}

	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return c.refusal(r.op, resp, body)
	case decode == nil:
		return nil
	case !isJSON(resp.Header.Get("Content-Type")):
		return failure(r.op, pfm.SupplierInvalidResponse, call.Status, errNotJSON)
	}
	switch err := decode(body); {
	case err == nil:
		return nil
	case errors.Is(err, errNoRedirect):
		return failure(r.op, pfm.SupplierRejected, call.Status, err)
	default:
		return failure(r.op, pfm.SupplierInvalidResponse, call.Status, err)
	}
}

// unmarshal hides the decoder's own error, which quotes the answer.
func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return errMalformed
	}
	return nil
}

// exchange sends the request and reads the whole answer. The response is given
// back with an error too, once there is one.
func (c *Client) exchange(ctx context.Context, who identity, r request, id string) (*http.Response, []byte, error) {
	var sent []byte
	var payload io.Reader
	if r.body != nil {
		var err error
		if sent, err = json.Marshal(r.body); err != nil {
			return nil, nil, err
		}
		payload = bytes.NewReader(sent)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), payload)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Aviso")
	req.Header.Set("X-Request-ID", id)
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if who.seal != nil {
		if err := who.seal.sign(req, sent); err != nil {
			return nil, nil, err
		}
	}

	resp, err := who.http.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	limit := maxAnswer
	if resp.StatusCode >= 300 {
		limit = maxErrorAnswer
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case resp.StatusCode >= 300:
		// The status says enough; a code is read from the body if it is whole.
		return resp, body, nil
	case err != nil:
		return resp, nil, err
	case len(body) > limit:
		return resp, nil, errTooLarge
	default:
		return resp, body, nil
	}
}

// isJSON accepts application/json and the media types built on it, such as
// application/problem+json.
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	return media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")
}
