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
	// maxResponse bounds a response body after decompression. A page of ten thousand
	// long rows is smaller.
	maxResponse = 10 << 20
	// maxErrorResponse bounds the body of a refusal, from which only a code is read.
	maxErrorResponse = 64 << 10
)

// operation is what a call does, as pfm.SupplierError.Operation has it.
type operation string

const (
	requestConsent     operation = "request consent"
	startAuthorisation operation = "start authorisation"
	readSCAStatus      operation = "read SCA status"
	readMetadata       operation = "read authorization server's metadata"
	requestToken       operation = "request token"
	renewToken         operation = "renew token"
	revokeToken        operation = "revoke token"
	readConsent        operation = "read consent"
	endConsent         operation = "end consent"
	listAccounts       operation = "list accounts"
	readBalances       operation = "read balances"
	readTransactions   operation = "read transactions"
)

// aboutConsent reports whether the call addresses the consent itself.
func (op operation) aboutConsent() bool { return op == readConsent || op == endConsent }

// request is one call before it is sent. Headers with an empty value are not sent.
type request struct {
	bank   pfm.BankEndpoint
	op     operation
	method string
	url    *url.URL
	header map[string]string
	// session authorises the call if its Secret holds a token.
	session pfm.Session
	// body is sent as JSON, form as a form. At most one is set.
	body any
	form url.Values
}

// sessionHeader returns the headers of every read of account data.
func sessionHeader(s pfm.Session) map[string]string {
	return withPSUHeaders(map[string]string{"Consent-ID": s.ConsentID, "PSU-IP-Address": s.PSUIPAddress}, s.PSUHeaders)
}

// withPSUHeaders adds what a browser or a partner has sent about the user.
func withPSUHeaders(header, sent map[string]string) map[string]string {
	for name, value := range sent {
		header[name] = clean(value)
	}
	return header
}

// do sends the request and passes the JSON response to decode. If decode is nil, it
// ignores the body. An error from decode makes the response invalid.
func (c *Client) do(ctx context.Context, r request, decode func(body []byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.total)
	defer cancel()

	who, err := c.identify(ctx, r.bank)
	if err != nil { // our mistake must not end anybody's consent, so the call can be retried
		return failure(r.op, pfm.SupplierUnavailable, 0, err)
	}
	if r, err = c.authorised(r); err != nil {
		return failure(r.op, pfm.SupplierConsentInvalid, 0, err)
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
		return c.refusal(r, resp, body)
	case decode == nil, r.op == readTransactions && resp.StatusCode == http.StatusNoContent: // no rows
		return nil
	case !isJSON(resp.Header.Get("Content-Type"), body):
		return failure(r.op, pfm.SupplierInvalidResponse, call.Status, errNotJSON)
	}
	switch err := decode(body); {
	case err == nil:
		return nil
	case errors.Is(err, errEmbedded):
		return failure(r.op, pfm.SupplierRejected, call.Status, err)
	default:
		return failure(r.op, pfm.SupplierInvalidResponse, call.Status, err)
	}
}

// unmarshal hides the decoder's error, because it quotes the response.
func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(withoutMark(body), into); err != nil {
		return errMalformed
	}
	return nil
}

// exchange sends the request and reads the whole response. If reading fails, it
// returns the response together with the error.
func (c *Client) exchange(ctx context.Context, who identity, r request, id string) (*http.Response, []byte, error) {
	var sent []byte
	var payload io.Reader
	mediaType := "application/json"
	if r.body != nil {
		var err error
		if sent, err = json.Marshal(r.body); err != nil {
			return nil, nil, err
		}
		payload = bytes.NewReader(sent)
	}
	if r.form != nil {
		mediaType, payload = "application/x-www-form-urlencoded", strings.NewReader(r.form.Encode())
		who.seal = nil // an authorization server knows no seals
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), payload)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Aviso")
	req.Header.Set("X-Request-ID", id)
	if payload != nil {
		req.Header.Set("Content-Type", mediaType)
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
	limit := maxResponse
	if resp.StatusCode >= 300 {
		limit = maxErrorResponse
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case resp.StatusCode >= 300:
		// The status is enough. The body may add a code, if it is complete.
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
// application/problem+json. Some banks name another type, so a body that begins like
// JSON is taken as well.
func isJSON(contentType string, body []byte) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err == nil && (media == "application/json" ||
		strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")) {
		return true
	}
	begin := bytes.TrimLeft(withoutMark(body), " \t\r\n")
	return len(begin) > 0 && (begin[0] == '{' || begin[0] == '[')
}

// withoutMark drops the byte order mark, which is not JSON.
func withoutMark(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\ufeff")) }
