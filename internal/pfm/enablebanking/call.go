package enablebanking

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/banktext"
)

// maxResponse bounds a response. The list of all banks is the longest.
const maxResponse = 20 << 20

var (
	errMalformed  = errors.New("malformed response")
	errTooLarge   = errors.New("response too large")
	errNoResponse = errors.New("no response")
)

// operation is what a call does, as pfm.SupplierError.Operation has it.
type operation string

const (
	listBanks        operation = "list banks"
	requestConsent   operation = "request consent"
	redeemCode       operation = "redeem code"
	readConsent      operation = "read consent"
	endConsent       operation = "end consent"
	readAccount      operation = "read account"
	readBalances     operation = "read balances"
	readTransactions operation = "read transactions"
)

// request is one call before it is sent.
type request struct {
	bank   pfm.BankEndpoint
	op     operation
	method string
	// path has the segments of the address.
	path   []string
	query  url.Values
	header map[string]string
	// body is sent as JSON if it is not nil.
	body any
}

// do sends the request and passes the response to decode, unless that is nil.
func (c *Client) do(ctx context.Context, r request, decode func(body []byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.total)
	defer cancel()
	token, err := c.applications.token(ctx, r.bank.ASPSP.Secret)
	if err != nil { // our mistake must not end anybody's consent, so the call can be retried
		return failure(r.op, pfm.SupplierUnavailable, 0, err)
	}
	started := c.now()
	resp, body, err := c.exchange(ctx, r, token) //nolint:bodyclose // exchange has read and closed it
	call := Call{Operation: string(r.op), Duration: c.now().Sub(started)}
	if resp != nil {
		call.Status = resp.StatusCode
	}
	refused := resp != nil && (resp.StatusCode < 200 || resp.StatusCode > 299)
	var told refusal
	if refused {
		told = readRefusal(body)
		call.Code = told.code
	}
	c.observe(ctx, call)
	switch {
	case refused:
		if told.isAboutOurKey(resp.StatusCode) { // it may have been replaced
			c.applications.forget(r.bank.ASPSP.Secret)
		}
		return c.refused(r.op, resp, told)
	case errors.Is(err, errTooLarge):
		return failure(r.op, pfm.SupplierInvalidResponse, call.Status, err)
	case err != nil:
		return failure(r.op, pfm.SupplierUnavailable, call.Status, transportCause(ctx, err))
	case decode == nil:
		return nil
	}
	if err := decode(body); err != nil {
		return failure(r.op, pfm.SupplierInvalidResponse, call.Status, err)
	}
	return nil
}

// exchange sends the request and reads the response.
func (c *Client) exchange(ctx context.Context, r request, token string) (*http.Response, []byte, error) {
	segments := make([]string, len(r.path))
	for i, s := range r.path {
		segments[i] = url.PathEscape(s)
	}
	to := strings.TrimRight(r.bank.BaseURL, "/") + "/" + strings.Join(segments, "/")
	if len(r.query) > 0 {
		to += "?" + r.query.Encode()
	}
	var payload io.Reader
	if r.body != nil {
		sent, err := json.Marshal(r.body)
		if err != nil {
			return nil, nil, err
		}
		payload = bytes.NewReader(sent)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, to, payload)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("User-Agent", "Aviso")
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	if err == nil && len(body) > maxResponse {
		err = errTooLarge
	}
	return resp, body, err
}

// transportCause returns a cause for err without its text, which may quote the address.
// Cancellation and timeout keep their identity, because callers may check for them.
func transportCause(ctx context.Context, err error) error {
	var timeout net.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &timeout) && timeout.Timeout():
		return context.DeadlineExceeded
	default:
		return errNoResponse
	}
}

// unmarshal hides the decoder's error, because it quotes the response.
func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return errMalformed
	}
	return nil
}

// userHeader returns the headers that say that the user is present: all that the bank
// wants or, if we do not know one of them, none.
func userHeader(bank pfm.BankEndpoint, s pfm.Session) map[string]string {
	if s.PSUIPAddress == "" {
		return nil
	}
	known := http.Header{}
	for name, value := range s.PSUHeaders {
		known.Set(name, banktext.Clean(value))
	}
	// The standard's form is GEO:52.506931;13.144558, that of the aggregator 52.506931,13.144558.
	const place = "PSU-Geo-Location"
	known.Set(place, strings.NewReplacer("GEO:", "", ";", ",").Replace(known.Get(place)))
	const address = "psu-ip-address"
	known.Set(address, s.PSUIPAddress)
	header := map[string]string{address: s.PSUIPAddress}
	for _, wanted := range bank.ASPSP.PSUHeaders {
		if header[strings.ToLower(wanted)] = known.Get(wanted); known.Get(wanted) == "" {
			return nil
		}
	}
	return header
}
