// Package xs2a reads accounts at banks through the Account Information Service of
// Berlin Group NextGenPSD2 XS2A 1.3. It implements pfm.Supplier.
//
// A Client stores nothing about its calls and trusts no response: it checks sizes, media types, amounts, dates and
// links, and cleans text. If it calls a link with the Consent-ID, the link must lead to the bank that sent it. Its
// errors contain only the standard's message codes and texts from this package, never the bank's texts.
package xs2a

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/connection"
)

var _ pfm.Supplier = (*Client)(nil)

// Options are the options of a Client.
type Options struct {
	// NewRequestID returns the UUID of one call. Required.
	NewRequestID func() string
	// Now is the clock. Required.
	Now func() time.Time
	// Timeouts are the timeouts of each call. The defaults for zero fields are 5 s to connect,
	// 20 s until the response begins, and 30 s in total.
	Timeouts outbound.Timeouts
	// Secrets returns the certificates named in a pfm.BankEndpoint. Without it, only banks that require no certificate
	// can be called.
	Secrets Secrets
	// Sealer seals the client's data about a consent. Without it, banks that need such data are refused.
	Sealer bankwire.Sealer
	// Claimed reports whether an address belongs to another provider; see
	// pfm.BankEndpoint.IsClaimed. Optional.
	Claimed func(ctx context.Context, bank pfm.BankEndpoint, addresses []*url.URL) (bool, error)
	// Expiring is called with a certificate that expires within 30 days or has expired,
	// whenever its secret is read. Optional.
	Expiring func(ctx context.Context, secret string, left time.Duration)
	// Transport replaces the Client's own for banks that require no certificate. Timeouts.Connect and Timeouts.Header
	// then have no effect for these banks.
	Transport http.RoundTripper
	// Observe is called after every call. Optional.
	Observe func(ctx context.Context, call bankwire.Call)
	// Said is called with the bank's own words in a refusal, which may have personal data. It is for a person who checks
	// a bank with their own account. Optional.
	Said func(operation string, status int, words string)
}

// Client speaks XS2A to any bank. It is safe for concurrent use.
type Client struct {
	caller       bankwire.Caller
	newRequestID func() string
	certificates *bankwire.Cache[*certificate]
	sealer       bankwire.Sealer
	claimed      func(context.Context, pfm.BankEndpoint, []*url.URL) (bool, error)
	said         func(operation string, status int, words string)
}

// New returns a Client, which reuses its connections for later calls.
func New(o Options) *Client {
	t := o.Timeouts.Or(outbound.Timeouts{Connect: 5 * time.Second, Header: 20 * time.Second, Total: 30 * time.Second})
	c := &Client{
		caller: bankwire.NewCaller(o.Now, t, o.Transport, o.Observe), newRequestID: o.NewRequestID, sealer: o.Sealer,
		claimed: o.Claimed, said: o.Said,
	}
	c.certificates = &bankwire.Cache[*certificate]{
		Now: o.Now, Life: certificateLife, Pause: certificatePause,
		Load: func(ctx context.Context, name string, inUse *certificate) (*certificate, error) {
			return o.loadCertificate(ctx, name, inUse, t)
		},
	}
	return c
}

const addTestRows = "add test rows"

// AddTestRows implements connection.TestBank. Only the sandbox's banks have this address; the standard does not.
func (c *Client) AddTestRows(
	ctx context.Context, bank pfm.BankEndpoint, consentID, resourceID, batch string, rows []connection.TestRow,
) error {
	r := read(bank, pfm.Session{ConsentID: consentID}, addTestRows)
	r.method, r.link = http.MethodPut, strings.TrimRight(bank.BaseURL, "/")+"/test-rows/"+url.PathEscape(batch)
	r.body = map[string]any{"resourceId": resourceID, "rows": rows}
	return c.do(ctx, r, nil, nil)
}
