// Package timestamping is the sandbox's time-stamping authority. It speaks RFC 3161. Its
// key is public, so its stamps prove nothing outside the sandbox.
package timestamping

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"sync"
	"time"

	"github.com/digitorus/timestamp"
)

const (
	maxQuery  = 4 << 10
	replyType = "application/timestamp-reply"
)

// Authority answers time-stamp queries.
type Authority struct {
	now               func() time.Time
	key               signer
	certificate, root *x509.Certificate
}

// New returns the authority. Its certificates are the same in every instance.
func New(now func() time.Time) *Authority {
	rootKey, key := derive("root"), derive("stamps")
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Aviso sandbox root"},
		NotBefore: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	root := issue(template, template, rootKey, rootKey)
	usage := must(asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}}))
	certificate := issue(&x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "Aviso sandbox time stamps"},
		NotBefore: template.NotBefore, NotAfter: template.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
		// RFC 3161, section 2.3: the only extended key usage, and critical.
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}},
	}, root, key, rootKey)
	return &Authority{now: now, key: key, certificate: certificate, root: root}
}

// must returns what is made of constants, and so never fails.
func must[T any](made T, err error) T {
	if err != nil {
		panic("timestamping: " + err.Error())
	}
	return made
}

// derive returns a key that follows from its name.
func derive(name string) signer {
	for i := range 256 {
		seed := sha256.Sum256([]byte(fmt.Sprint("aviso sandbox time stamps ", name, i)))
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), seed[:]); err == nil {
			return signer{key}
		}
	}
	panic("no key in 256 tries, each of which fails once in 2^32 times")
}

// signer signs without randomness (RFC 6979), so that certificates are the same.
type signer struct{ *ecdsa.PrivateKey }

func (s signer) Sign(_ io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	return s.PrivateKey.Sign(nil, digest, opts)
}

func issue(template, parent *x509.Certificate, key, by signer) *x509.Certificate {
	return must(x509.ParseCertificate(must(x509.CreateCertificate(nil, template, parent, key.Public(), by))))
}

// Root returns the authority's root certificate in PEM.
func (a *Authority) Root() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.root.Raw})
}

// Path is where the sandbox answers queries.
const Path = "/sandbox/timestamp"

// Handler answers queries (RFC 3161, section 3.4), and GET with the root certificate. It
// makes the certificates when the first request comes.
func Handler(now func() time.Time) http.Handler {
	authority := sync.OnceValue(func() *Authority { return New(now) })
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { authority().serve(w, req) })
}

func (a *Authority) serve(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Content-Type", "application/x-pem-file")
		_, _ = w.Write(a.Root())
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxQuery))
	if err != nil {
		http.Error(w, "The query is too large.", http.StatusRequestEntityTooLarge)
		return
	}
	reply, err := a.Reply(body)
	if err != nil {
		http.Error(w, "The time stamp could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", replyType)
	_, _ = w.Write(reply)
}

// Reply returns the reply to a query.
func (a *Authority) Reply(query []byte) ([]byte, error) {
	q, err := timestamp.ParseRequest(query)
	if err != nil || q.HashAlgorithm != crypto.SHA256 {
		return timestamp.CreateErrorResponse(timestamp.Rejection, timestamp.BadDataFormat)
	}
	stamp := timestamp.Timestamp{
		HashAlgorithm: q.HashAlgorithm, HashedMessage: q.HashedMessage, Nonce: q.Nonce,
		Time: a.now().UTC().Truncate(time.Second), Policy: asn1.ObjectIdentifier{2, 5, 29, 32, 0},
		AddTSACertificate: q.Certificates, Certificates: []*x509.Certificate{a.root},
	}
	return stamp.CreateResponseWithOpts(a.certificate, a.key, crypto.SHA256)
}
