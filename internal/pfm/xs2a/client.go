// Package xs2a reads accounts at banks over the Account Information Service of
// Berlin Group NextGenPSD2 XS2A 1.3. It is the adapter behind pfm.Supplier.
//
// A Client holds nothing of a call after it, and trusts no answer: sizes, media
// types, amounts, dates and links are checked, text is cleaned, and every link
// that would carry the Consent-ID must stay with the bank it came from. Its
// errors hold the standard's message codes and the package's own words only,
// never what a bank wrote.
package xs2a

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
)

var _ pfm.Supplier = (*Client)(nil)

// Options are what a Client needs from outside.
type Options struct {
	// NewRequestID gives the UUID of one call; required.
	NewRequestID func() string
	// Now is the clock; required.
	Now func() time.Time
	// Timeouts of each call; a zero member takes its default: 5 s to connect, 20 s
	// for the answer to begin, 30 s for all.
	Timeouts outbound.Timeouts
	// Secrets holds the certificates that a pfm.BankEndpoint names. Without it only
	// banks that ask for none are reached.
	Secrets Secrets
	// Expiring is told, whenever the secret is read, of a certificate that ends
	// within 30 days or has ended; may be nil.
	Expiring func(ctx context.Context, secret string, left time.Duration)
	// Transport replaces the Client's own for banks that ask for no certificate;
	// Timeouts.Connect and Timeouts.Header then have no effect on them.
	Transport http.RoundTripper
	// Observe is told of every call once it is over; may be nil.
	Observe func(ctx context.Context, call Call)
}

// Call is what is told about one call to a bank. None of it is personal data.
type Call struct {
	// Operation is as in pfm.SupplierError.
	Operation string
	// RequestID is the X-Request-ID, by which the bank finds the call too.
	RequestID string
	// Status is the HTTP status, or 0 without an answer.
	Status   int
	Duration time.Duration
}

// Client speaks XS2A to any bank. It is safe for concurrent use.
type Client struct {
	http         *http.Client
	newRequestID func() string
	now          func() time.Time
	total        time.Duration
	observe      func(ctx context.Context, call Call)
	certificates *certificates
}

func defaultTimeouts() outbound.Timeouts {
	return outbound.Timeouts{Connect: 5 * time.Second, Header: 20 * time.Second, Total: 30 * time.Second}
}

// New is a Client that keeps its connections for later calls.
func New(o Options) *Client {
	t := o.Timeouts.Or(defaultTimeouts())
	transport := o.Transport
	if transport == nil {
		transport = outbound.NewTransport(t, nil)
	}
	observe := o.Observe
	if observe == nil {
		observe = func(context.Context, Call) {}
	}
	expiring := o.Expiring
	if expiring == nil {
		expiring = func(context.Context, string, time.Duration) {}
	}
	return &Client{
		http:         outbound.NewClient(transport),
		newRequestID: o.NewRequestID,
		now:          o.Now,
		total:        t.Total,
		observe:      observe,
		certificates: &certificates{secrets: o.Secrets, now: o.Now, timeouts: t, expiring: expiring, held: map[string]*heldCertificate{}},
	}
}
