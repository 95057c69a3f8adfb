package xs2a

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// Secrets returns the certificates with which we identify ourselves to banks.
type Secrets interface {
	// Secret returns the text of the secret with this name. It is a JSON object of certificate (the chain in PEM, ours
	// first), key (in PEM) and, if no public authority issued the bank's certificate, roots (in PEM). Secret returns
	// ErrNoSecret if the secret does not exist. Any other error may be temporary.
	Secret(ctx context.Context, name string) (string, error)
}

// ErrNoSecret is returned when there is no secret with that name.
var ErrNoSecret = errors.New("xs2a: no such secret")

// The errors of our certificates. They replace the parsers' errors, which may quote the secret.
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
	// certificateLife is how long a certificate is used before its secret is read again, so that a renewed one needs no
	// restart.
	certificateLife = 10 * time.Minute
	// certificatePause is how long to wait before reading a missing or broken secret again. Otherwise every call would
	// read it.
	certificatePause = 10 * time.Second
	// expiresSoon is how long before its end a certificate is reported. Getting a qualified one takes weeks.
	expiresSoon = 30 * 24 * time.Hour
)

// certificate is one of our certificates. It has its own HTTP client, so that its connections are never used with
// another certificate or without one.
type certificate struct {
	pair tls.Certificate
	text string // of the secret
	http *http.Client
}

// certificate returns the certificate in the secret with this name.
func (c *Client) certificate(ctx context.Context, name string) (*certificate, error) {
	cert, err := c.certificates.Get(ctx, name)
	now := c.caller.Now()
	switch {
	case cert == nil:
	case now.Before(cert.pair.Leaf.NotBefore):
		err = errNotYetValid
	case now.After(cert.pair.Leaf.NotAfter):
		err = errExpired
	default:
		return cert, nil
	}
	return nil, fmt.Errorf("certificate %s: %w", name, err)
}

// loadCertificate reads the secret. If it has not changed, the certificate keeps its
// connections. If it cannot be read, an old certificate is better than none.
func (o Options) loadCertificate(
	ctx context.Context, name string, inUse *certificate, t outbound.Timeouts,
) (*certificate, error) {
	if o.Secrets == nil {
		return nil, errNoSecret
	}
	text, err := o.Secrets.Secret(ctx, name)
	switch {
	case errors.Is(err, ErrNoSecret):
		return nil, errNoSecret
	case err != nil:
		return inUse, errUnreadable
	}
	cert := inUse
	if cert == nil || cert.text != text {
		if cert, err = parseCertificate(text, t, o.Now); err != nil {
			return nil, err
		}
	}
	if left := cert.pair.Leaf.NotAfter.Sub(o.Now()); left < expiresSoon && o.Expiring != nil {
		o.Expiring(ctx, name, left)
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
		// Always send ours: the authorities that servers list often differ from those that they accept.
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil },
	}
	if secret.Roots != "" {
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM([]byte(secret.Roots)) {
			return nil, errNoRoots
		}
	}
	client := outbound.NewClient(outbound.NewTransport(t, conf), now)
	return &certificate{pair: pair, text: text, http: client}, nil
}

// identify identifies us to the bank: by the client's connections, and by a seal if the bank requires one.
// Authorization servers, which get forms, do not support seals.
func (c *Client) identify(ctx context.Context, bank pfm.BankEndpoint, r *bankwire.Request) error {
	if bank.TransportSecret != "" {
		cert, err := c.certificate(ctx, bank.TransportSecret)
		if err != nil {
			return err
		}
		r.HTTP = cert.http
	}
	if bank.SealSecret != "" {
		cert, err := c.certificate(ctx, bank.SealSecret)
		if err != nil {
			return err
		}
		key, ok := cert.pair.PrivateKey.(*rsa.PrivateKey)
		if !ok {
			return fmt.Errorf("certificate %s: %w", bank.SealSecret, errNotRSA)
		}
		if r.Form == nil {
			r.Sign = (&seal{cert: cert.pair.Leaf, key: key, serial: bank.SealSerial, now: c.caller.Now}).sign
		}
	}
	return nil
}
