package xs2a

import (
	"context"
	"net/url"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// The operations, as in pfm.SupplierError.Operation.
const (
	requestConsent     = "request consent"
	startAuthorisation = "start authorisation"
	readSCAStatus      = "read SCA status"
	// confirmAuthorisation sends the code of the user's return.
	confirmAuthorisation = "confirm authorisation"
	readMetadata         = "read authorization server's metadata"
	requestToken         = "request token"
	renewToken           = "renew token"
	revokeToken          = "revoke token"
	readConsent          = "read consent"
	endConsent           = "end consent"
	listAccounts         = "list accounts"
	readBalances         = "read balances"
	readTransactions     = "read transactions"
)

// request is one call before it is sent. Headers with an empty value are not sent.
type request struct {
	bank pfm.BankEndpoint
	op   string
	// method is GET if it is empty.
	method string
	// link is the address. If it is empty, path has the segments below the bank's base URL.
	link   string
	path   []string
	query  string
	header map[string]string
	// session authorises the call if its Secret holds a token.
	session pfm.Session
	// isToServer is set for calls to the bank's authorization server.
	isToServer bool
	// body is sent as JSON, form as a form. At most one is set.
	body any
	form url.Values
}

// read returns the request for account data.
func read(bank pfm.BankEndpoint, s pfm.Session, op string, path ...string) request {
	header := map[string]string{"Consent-ID": s.ConsentID, "PSU-IP-Address": s.PSUIPAddress}
	return request{bank: bank, op: op, path: path, header: withPSUHeaders(header, s.PSUHeaders), session: s}
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

// withPSUHeaders adds the headers that a browser or a partner has sent about the user.
func withPSUHeaders(header, sent map[string]string) map[string]string {
	for name, value := range sent {
		header[name] = bankwire.Clean(value)
	}
	return header
}

// do sends the request and decodes the response into a value. check then gets the response's URL, on which links are
// based. into and check are optional.
func (c *Client) do(ctx context.Context, r request, into any, check func(at *url.URL) error) error {
	ctx, cancel := c.caller.Limit(ctx)
	defer cancel()
	at, err := r.address()
	if err != nil {
		return bankwire.Failure(r.op, pfm.SupplierRejected, err)
	}
	if r.isToServer && !r.bank.HasServer(at) {
		return bankwire.Failure(r.op, pfm.SupplierRejected, &ForeignServer{[]string{at.Scheme + "://" + at.Host}})
	}
	sent := bankwire.Request{
		Operation: r.op, ID: c.newRequestID(), Method: r.method, URL: at.String(),
		Header: r.header, Body: r.body, Form: r.form, MayBeEmpty: r.op == readTransactions,
		Refused: func(status int, body []byte) *pfm.SupplierError {
			if c.said != nil {
				c.said(r.op, status, own(body))
			}
			return refusal(r, status, body)
		},
	}
	// Our mistake must not end anybody's consent, so this error allows a retry.
	if err := c.identify(ctx, r.bank, &sent); err != nil {
		return bankwire.Failure(r.op, pfm.SupplierUnavailable, err)
	}
	m, err := c.recall(r.bank, r.session)
	if err == nil && m.Access != "" && pfm.Origin(at) != pfm.OriginOf(r.bank.BaseURL) {
		err = errOtherBank
	}
	if err != nil {
		return bankwire.Failure(r.op, pfm.SupplierConsentInvalid, err)
	}
	sent.Token = m.Access
	return c.caller.Do(ctx, sent, into, func() error {
		if check == nil {
			return nil
		}
		return check(at)
	})
}
