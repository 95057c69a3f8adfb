package enablebanking

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// The operations, as in pfm.SupplierError.Operation.
const (
	listBanks        = "list banks"
	requestConsent   = "request consent"
	redeemCode       = "redeem code"
	readConsent      = "read consent"
	endConsent       = "end consent"
	readAccount      = "read account"
	readBalances     = "read balances"
	readTransactions = "read transactions"
)

// at returns an address at the aggregator.
func at(bank pfm.BankEndpoint, path ...string) string {
	segments := []string{strings.TrimRight(bank.BaseURL, "/")}
	for _, segment := range path {
		segments = append(segments, url.PathEscape(segment))
	}
	return strings.Join(segments, "/")
}

// do sends the request, decodes the response into a value, and checks it; both are optional.
func (c *Client) do(
	ctx context.Context, bank pfm.BankEndpoint, r bankwire.Request, into any, check func() error,
) error {
	ctx, cancel := c.caller.Limit(ctx)
	defer cancel()
	token, err := c.tokens.Get(ctx, bank.ASPSP.Secret)
	if err != nil { // our mistake must not end anybody's consent, so this error allows a retry
		return bankwire.Failure(r.Operation, pfm.SupplierUnavailable, err)
	}
	r.Token = token
	r.Refused = func(status int, body []byte) *pfm.SupplierError { return c.refused(bank, status, body) }
	err = c.caller.Do(ctx, r, into, check)
	refused := []string{"ASPSP_ERROR", "PSU_HEADER_NOT_PROVIDED", "PSU_HEADER_INVALID"}
	if e := pfm.FailureOf(err); r.Header != nil && !e.IsAboutConsent() && slices.Contains(refused, e.BankCode) {
		r.Header = nil // some banks refuse any header of the user, and the aggregator does not say which
		err = c.caller.Do(ctx, r, into, check)
	}
	return err
}

// userHeader returns the headers that show the user's presence: all that the bank requires or, if one of them is
// unknown, none.
func userHeader(bank pfm.BankEndpoint, s pfm.Session) map[string]string {
	if s.PSUIPAddress == "" {
		return nil
	}
	known := http.Header{}
	for name, value := range s.PSUHeaders {
		known.Set(name, bankwire.Clean(value))
	}
	// The standard writes GEO:52.506931;13.144558, the aggregator 52.506931,13.144558.
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
