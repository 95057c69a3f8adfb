package xs2a

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
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
	// link is the address. If it is empty, path has the segments below the bank's.
	link   string
	path   []string
	query  string
	header map[string]string
	// session authorises the call if its Secret holds a token.
	session pfm.Session
	// body is sent as JSON, form as a form. At most one is set.
	body any
	form url.Values
}

func (r request) address() (*url.URL, error) {
	if r.link == "" {
		to, err := address(r.bank, r.path...)
		if err == nil {
			to.RawQuery = r.query
		}
		return to, err
	}
	to, err := url.Parse(r.link)
	if err != nil {
		return nil, errBadLink
	}
	return to, nil
}

// sessionHeader returns the headers of every read of account data.
func sessionHeader(s pfm.Session) map[string]string {
	return withPSUHeaders(map[string]string{"Consent-ID": s.ConsentID, "PSU-IP-Address": s.PSUIPAddress}, s.PSUHeaders)
}

// withPSUHeaders adds what a browser or a partner has sent about the user.
func withPSUHeaders(header, sent map[string]string) map[string]string {
	for name, value := range sent {
		header[name] = bankwire.Clean(value)
	}
	return header
}

// do sends the request and passes the JSON response to decode, with the URL that links in it
// start from. If decode is nil, it ignores the body. An error from decode makes the response
// invalid.
func (c *Client) do(ctx context.Context, r request, decode func(at *url.URL, body []byte) error) error {
	ctx, cancel := c.caller.Limit(ctx)
	defer cancel()
	at, err := r.address()
	if err != nil {
		return bankwire.Failure(r.op, pfm.SupplierRejected, 0, err)
	}
	who, err := c.identify(ctx, r.bank)
	if err != nil { // our mistake must not end anybody's consent, so the call can be retried
		return bankwire.Failure(r.op, pfm.SupplierUnavailable, 0, err)
	}
	if r, err = c.authorised(r); err != nil {
		return bankwire.Failure(r.op, pfm.SupplierConsentInvalid, 0, err)
	}
	sent := bankwire.Request{
		HTTP: who.http, Operation: string(r.op), ID: c.newRequestID(), Method: r.method, URL: at.String(),
		Header: r.header, Body: r.body, Form: r.form,
	}
	if who.seal != nil && r.form == nil { // an authorization server knows no seals
		sent.Sign = who.seal.sign
	}
	refused := func(resp *http.Response, body []byte) *pfm.SupplierError { return c.refusal(r, resp, body) }
	return c.caller.Do(ctx, sent, refused, func(resp *http.Response, body []byte) error {
		switch {
		case decode == nil, r.op == readTransactions && resp.StatusCode == http.StatusNoContent: // no rows
			return nil
		case !isJSON(resp.Header.Get("Content-Type"), body):
			if bytes.Contains(body, []byte("urn:iso:std:iso:20022:tech:xsd:camt.05")) {
				return errCamt
			}
			return errNotJSON
		}
		err := decode(at, body)
		if errors.Is(err, errEmbedded) {
			return bankwire.Failure(r.op, pfm.SupplierRejected, resp.StatusCode, err)
		}
		return err
	})
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
	begin := bytes.TrimLeft(bankwire.WithoutMark(body), " \t\r\n")
	return len(begin) > 0 && (begin[0] == '{' || begin[0] == '[')
}
