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

// Secrets returns the certificates with which we identify ourselves to banks.
type Secrets interface {
	// Secret returns the text of the secret with this name. It is a JSON object of
	// certificate (the chain in PEM, ours first), key (in PEM) and, if no public
	// authority issued the bank's certificate, roots (in PEM). Secret returns
	// ErrNoSecret if there is no such secret. After any other error, a retry may
	// succeed.
	Secret(ctx context.Context, name string) (string, error)
}

// ErrNoSecret is returned when there is no secret with that name.
var ErrNoSecret = errors.New("xs2a: no such secret")

// What can be wrong with one of our certificates. These texts replace the parsers'
// errors, which may quote the secret.
var (
	errNoSecret    = errors.New("no such secret")
	errUnreadable  = errors.New("secret cannot be read")
	errNotAnObject = errors.New("secret is not a JSON object with certificate and key")
	errNotAPair    = errors.New("certificate and key do not match, or are not PEM")
	errNoRoots     = errors.New("roots are not PEM")
	errNotYetValid = errors.New("not valid yet")
	errExpired     = errors.New("expired")
	errNotRSA      = errors.New("sealing needs an RSA key")
)

const (
	// certificateLife is how long a certificate is used before its secret is read
	// again, so that a renewed one needs no restart.
	certificateLife = 10 * time.Minute
	// certificatePause is how long to wait before reading a missing or broken secret
	// again, instead of reading it at every call.
	certificatePause = 10 * time.Second
	// expiresSoon is how long before its end a certificate is reported. It takes weeks
	// to get a qualified one.
	expiresSoon = 30 * 24 * time.Hour
)

// certificate is one of ours, with its own HTTP client, so that a connection made
// with one certificate is never used with another or without one.
type certificate struct {
	pair   tls.Certificate
	digest [sha256.Size]byte // of the secret
	http   *http.Client
}

// check returns an error if the certificate is not valid at this time.
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

// certificates caches the certificates.
type certificates struct {
	secrets  Secrets
	now      func() time.Time
	timeouts outbound.Timeouts
	expiring func(ctx context.Context, secret string, left time.Duration)

	mu   sync.Mutex
	held map[string]*heldCertificate
}

// heldCertificate is a cached certificate, or the error of the last attempt to load
// it. Only the holder of turn may access it, so that all callers wait for one read.
type heldCertificate struct {
	turn  chan struct{}
	cert  *certificate
	err   error
	until time.Time
}

// get returns the certificate in the secret with this name.
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
	case err != nil && ctx.Err() != nil: // the caller gave up, which says nothing about the secret
		return nil, ctx.Err()
	case errors.Is(err, errUnreadable) && h.cert != nil: // an old certificate is better than none
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
		h.cert.http.CloseIdleConnections() // calls in progress finish with the old certificate
	}
	h.cert, h.err, h.until = cert, err, until
}

// load reads the secret. If it has not changed, the certificate keeps its connections.
func (c *certificates) load(ctx context.Context, name string, current *certificate) (*certificate, error) {
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
	cert := current
	if digest := sha256.Sum256([]byte(text)); cert == nil || cert.digest != digest {
		if cert, err = parseCertificate(text, c.timeouts, c.now); err != nil {
			return nil, err
		}
		cert.digest = digest
	}
	if left := cert.pair.Leaf.NotAfter.Sub(c.now()); left < expiresSoon {
		c.expiring(ctx, name, left)
	}
	return cert, nil
}

func parseCertificate(text string, t outbound.Timeouts, now func() time.Time) (*certificate, error) {
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
		// Always send ours: the authorities that servers list are often not those that
		// they accept.
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil },
	}
	if secret.Roots != "" {
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM([]byte(secret.Roots)) {
			return nil, errNoRoots
		}
	}
	return &certificate{pair: pair, http: outbound.NewClient(outbound.NewTransport(t, conf), now)}, nil
}

// identity is how we identify ourselves to a bank: by the client's connections, and
// by a seal on each request if the bank requires one.
type identity struct {
	http *http.Client
	seal *seal
}

// identify returns our identity for the bank.
func (c *Client) identify(ctx context.Context, bank pfm.BankEndpoint) (identity, error) {
	who := identity{http: c.caller.HTTP}
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
		who.seal = &seal{cert: cert.pair.Leaf, key: key, now: c.caller.Now}
	}
	return who, nil
}
