// Package enablebanking reads accounts through the aggregator Enable Banking. It
// implements pfm.Supplier.
//
// Our application at the aggregator has an ID and a private key, which signs a token for every call. The user
// authorises a session. The aggregator returns data about the accounts only once, when the session begins, so the
// session's Secret has them.
//
// A Client trusts no response: it checks sizes and cleans text. It ignores members that are null or of another type.
// Its errors contain only codes that this package knows.
package enablebanking

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

var _ pfm.Supplier = (*Client)(nil)

// BaseURL is the address of the aggregator's API, for every application.
const BaseURL = "https://api.enablebanking.com"

// Options are the options of a Client. All are required, unless stated otherwise.
type Options struct {
	Now func() time.Time
	// Timeouts are the timeouts of each call. The defaults for zero fields are 5 s to connect,
	// 30 s until the response begins, and 40 s in total.
	Timeouts outbound.Timeouts
	// Secret returns the text of the secret with this name: a JSON object of applicationId
	// and privateKey (in PEM).
	Secret func(ctx context.Context, name string) (string, error)
	// Sealer seals the client's data about a session.
	Sealer bankwire.Sealer
	// Transport replaces the Client's own. Optional.
	Transport http.RoundTripper
	// Observe is called after every call. Optional.
	Observe func(ctx context.Context, call bankwire.Call)
}

// Client calls the aggregator. It is safe for concurrent use.
type Client struct {
	caller bankwire.Caller
	sealer bankwire.Sealer
	// tokens has the tokens of our applications, by the names of their secrets.
	tokens *bankwire.Cache[string]
}

// New returns a Client, which reuses its connections for later calls.
func New(o Options) *Client {
	t := o.Timeouts.Or(outbound.Timeouts{Connect: 5 * time.Second, Header: 30 * time.Second, Total: 40 * time.Second})
	return &Client{
		caller: bankwire.NewCaller(o.Now, t, o.Transport, o.Observe), sealer: o.Sealer,
		tokens: &bankwire.Cache[string]{Load: o.newToken, Now: o.Now, Life: tokenReuse, Pause: tokenPause},
	}
}
