package xs2a

import (
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
)

// Secrets gives the certificates with which banks know us.
type Secrets interface {
	// Secret is the text of the secret with that name, a JSON object of
	// certificate (the chain in PEM, ours first), key (in PEM) and, where the
	// bank's own certificate is not of a public authority, roots (in PEM).
	// ErrNoSecret where there is none; any other error may pass.
	Secret(ctx context.Context, name string) (string, error)
}

// ErrNoSecret says that there is no secret of that name.
var ErrNoSecret = errors.New("xs2a: no such secret")

// What can be wrong with a certificate of ours. A broken secret is told in these
// words only: what the parsers say may quote it.
var (
	errNoSecret    = errors.New("there is no such secret")
	errUnreadable  = errors.New("its secret cannot be read")
	errNotAnObject = errors.New("its secret is not the JSON object of certificate and key")
	errNotAPair    = errors.New("certificate and key do not belong together, or are not PEM")
	errNoRoots     = errors.New("its roots are not PEM")
	errNotYetValid = errors.New("it is not valid yet")
	errExpired     = errors.New("it has expired")
	errNotRSA      = errors.New("requests are sealed by RSA keys only")
)

const (
	// certificateLife is how long a certificate is used before its secret is read
	// again: a renewed one needs no restart.
	certificateLife = 10 * time.Minute
	// certificatePause keeps a secret that is missing or broken from being read at
	// every call.
	certificatePause = 10 * time.Second
	// expiresSoon is how long before its end a certificate is told of. A qualified
	// one takes weeks to get.
	expiresSoon = 30 * 24 * time.Hour
)

// certificate is one of ours, with a client of its own: connections that were
// made with one certificate are never used with another, nor without.
type certificate struct {
	pair   tls.Certificate
	digest [sha256.Size]byte // of the secret
	http   *http.Client
}

// check tells whether the certificate is good at this time.
func (c *certificate) check(now time.Time) error {
	switch {
	case now.Before(c.pair.Leaf.NotBefore):
		return errNotYetValid
	case now.After(c.pair.Leaf.NotAfter):
		return errExpired
	default:
		return nil
	}
}

// certificates keeps those that have been used.
type certificates struct {
	secrets  Secrets
	now      func() time.Time
	timeouts outbound.Timeouts
	expiring func(ctx context.Context, secret string, left time.Duration)

	mu   sync.Mutex
	held map[string]*heldCertificate
}

// heldCertificate is a certificate with what is known of it. Whoever has the
// turn may look and read; so that all who need it wait for one read.
type heldCertificate struct {
	turn  chan struct{}
	cert  *certificate
	err   error
	until time.Time
}

// get is the certificate in the secret of that name.
func (c *certificates) get(ctx context.Context, name string) (*certificate, error) {
	cert, err := c.lookup(ctx, name)
	if err == nil {
		err = cert.check(c.now())
	}
	if err != nil {
		return nil, fmt.Errorf("certificate %s: %w", name, err)
	}
	return cert, nil
}

func (c *certificates) lookup(ctx context.Context, name string) (*certificate, error) {
	c.mu.Lock()
	h, ok := c.held[name]
	if !ok {
		h = &heldCertificate{turn: make(chan struct{}, 1)}
		c.held[name] = h
	}
	c.mu.Unlock()
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.now().Before(h.until) {
		return h.cert, h.err
	}
	cert, err := c.load(ctx, name, h.cert)
	switch {
	case err != nil && ctx.Err() != nil: // the caller has given up, which says nothing of the secret
		return nil, ctx.Err()
	case errors.Is(err, errUnreadable) && h.cert != nil: // better the one of ten minutes ago than none
		h.until = c.now().Add(certificatePause)
	case err != nil:
		h.replace(nil, err, c.now().Add(certificatePause))
	default:
		h.replace(cert, nil, c.now().Add(certificateLife))
	}
	return h.cert, h.err
}

func (h *heldCertificate) replace(cert *certificate, err error, until time.Time) {
	if h.cert != nil && h.cert != cert {
		h.cert.http.CloseIdleConnections() // calls under way end as they began
	}
	h.cert, h.err, h.until = cert, err, until
}

// load reads the secret; one that is as it was keeps its connections.
func (c *certificates) load(ctx context.Context, name string, former *certificate) (*certificate, error) {
	if c.secrets == nil {
		return nil, errNoSecret
	}
	text, err := c.secrets.Secret(ctx, name)
	switch {
	case errors.Is(err, ErrNoSecret):
		return nil, errNoSecret
	case err != nil:
		return nil, errUnreadable
	}
	cert := former
	if digest := sha256.Sum256([]byte(text)); cert == nil || cert.digest != digest {
		if cert, err = parseCertificate(text, c.timeouts); err != nil {
			return nil, err
		}
		cert.digest = digest
	}
	if left := cert.pair.Leaf.NotAfter.Sub(c.now()); left < expiresSoon {
		c.expiring(ctx, name, left)
	}
	return cert, nil
}

func parseCertificate(text string, t outbound.Timeouts) (*certificate, error) {
	var secret struct{ Certificate, Key, Roots string }
	if json.Unmarshal([]byte(text), &secret) != nil || secret.Certificate == "" || secret.Key == "" {
		return nil, errNotAnObject
	}
	pair, err := tls.X509KeyPair([]byte(secret.Certificate), []byte(secret.Key))
	if err != nil {
		return nil, errNotAPair
	}
	conf := &tls.Config{
		MinVersion: tls.VersionTLS12,
		// Ours whatever the bank says: the authorities that servers list are often
		// not those that they accept.
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil },
	}
	if secret.Roots != "" {
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM([]byte(secret.Roots)) {
			return nil, errNoRoots
		}
	}
	return &certificate{pair: pair, http: outbound.NewClient(outbound.NewTransport(t, conf))}, nil
}

// identity is how a bank knows us: by the client's connections, and by a seal of
// each request where it asks for one.
type identity struct {
	http *http.Client
	seal *seal
}

// identify is who we are to the bank.
func (c *Client) identify(ctx context.Context, bank pfm.BankEndpoint) (identity, error) {
	who := identity{http: c.http}
	if bank.TransportSecret != "" {
		cert, err := c.certificates.get(ctx, bank.TransportSecret)
		if err != nil {
			return identity{}, err
		}
		who.http = cert.http
	}
	if bank.SealSecret != "" {
		cert, err := c.certificates.get(ctx, bank.SealSecret)
		if err != nil {
			return identity{}, err
		}
		key, ok := cert.pair.PrivateKey.(*rsa.PrivateKey)
		if !ok {
			return identity{}, fmt.Errorf("certificate %s: %w", bank.SealSecret, errNotRSA)
		}
		who.seal = &seal{cert: cert.pair.Leaf, key: key, now: c.now}
	}
	return who, nil
}
