package sandbox

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	_ "embed" // the certificates
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/digitorus/timestamp"
)

const (
	maxQuery  = 4 << 10
	replyType = "application/timestamp-reply"
)

// The certificates of the authority and of its root are the same in every instance. The root's key is
// derive("root"). It has signed both certificates, and nothing else needs it.
var (
	//go:embed root.pem
	rootPEM []byte
	//go:embed stamps.pem
	stampsPEM []byte
)

// TimestampAuthority is the sandbox's time-stamping authority, which speaks RFC 3161. Its key is
// public, so its stamps prove nothing outside the sandbox.
type TimestampAuthority struct {
	now               func() time.Time
	key               *ecdsa.PrivateKey
	certificate, root *x509.Certificate
}

// NewTimestamps returns the authority.
func NewTimestamps(now func() time.Time) *TimestampAuthority {
	return &TimestampAuthority{now: now, key: derive("stamps"), certificate: parseCertificate(stampsPEM), root: parseCertificate(rootPEM)}
}

func parseCertificate(text []byte) *x509.Certificate {
	block, _ := pem.Decode(text)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		panic("timestamping: " + err.Error()) // the certificates are part of the program
	}
	return certificate
}

// derive returns a key that follows from its name.
func derive(name string) *ecdsa.PrivateKey {
	for i := range 256 {
		seed := sha256.Sum256([]byte(fmt.Sprint("aviso sandbox time stamps ", name, i)))
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), seed[:]); err == nil {
			return key
		}
	}
	panic("no key in 256 tries, each of which fails once in 2^32 times")
}

// Root returns the authority's root certificate in PEM.
func (a *TimestampAuthority) Root() []byte { return rootPEM }

// TimestampPath is where the sandbox answers queries.
const TimestampPath = "/sandbox/timestamp"

// TimestampHandler answers queries (RFC 3161, section 3.4), and GET with the root certificate. The first
// request creates the authority.
func TimestampHandler(now func() time.Time) http.Handler {
	authority := sync.OnceValue(func() *TimestampAuthority { return NewTimestamps(now) })
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { authority().serve(w, req) })
}

func (a *TimestampAuthority) serve(w http.ResponseWriter, req *http.Request) {
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
func (a *TimestampAuthority) Reply(query []byte) ([]byte, error) {
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
