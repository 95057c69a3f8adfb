package enablebanking

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
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

// do sends the request, reads the response into a value, and checks that; both are optional.
func (c *Client) do(ctx context.Context, r request, into any, check func() error) error {
	ctx, cancel := c.caller.Limit(ctx)
	defer cancel()
	token, err := c.applications.token(ctx, r.bank.ASPSP.Secret)
	if err != nil { // our mistake must not end anybody's consent, so the call can be retried
		return bankwire.Failure(r.op, pfm.SupplierUnavailable, 0, err)
	}
	header := map[string]string{"Authorization": "Bearer " + token}
	maps.Copy(header, r.header)
	refused := func(resp *http.Response, body []byte) *pfm.SupplierError {
		return c.refused(r, resp, readRefusal(body))
	}
	return c.caller.Do(ctx, bankwire.Request{
		HTTP: c.caller.HTTP, Operation: string(r.op), Method: r.method, URL: r.address(), Header: header, Body: r.body,
	}, refused, func(_ *http.Response, body []byte) error {
		if into == nil {
			return nil
		}
		if err := bankwire.Unmarshal(body, into); err != nil || check == nil {
			return err
		}
		return check()
	})
}

func (r request) address() string {
	to := []string{strings.TrimRight(r.bank.BaseURL, "/")}
	for _, segment := range r.path {
		to = append(to, url.PathEscape(segment))
	}
	address := strings.Join(to, "/")
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	return address
}

// userHeader returns the headers that say that the user is present: all that the bank
// wants or, if we do not know one of them, none.
func userHeader(bank pfm.BankEndpoint, s pfm.Session) map[string]string {
	if s.PSUIPAddress == "" {
		return nil
	}
	known := http.Header{}
	for name, value := range s.PSUHeaders {
		known.Set(name, bankwire.Clean(value))
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
