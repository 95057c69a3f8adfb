// Package evidence verifies the evidence of a cancellation offline: a ZIP archive from
// GET /cancellations/v1/cancellations/{cancellationId}/evidence.
package evidence

import (
	"archive/zip"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"
)

const (
	documentFile  = "evidence.json"
	signatureFile = "evidence.jws"
	stampFile     = "evidence.tsr"
	pendingFile   = "timestamp-pending.txt"
	pendingText   = "This bundle has no time stamp yet: the authority did not answer. Fetch the bundle again later.\n"
	letterFile    = "letter.pdf"
	// An archive holds a letter of a few MB and a small file for each step.
	maxMembers  = 100
	maxUnpacked = 64 << 20
)

// Problem is what is wrong with a member of the archive.
type Problem struct {
	Member string `json:"member"`
	What   string `json:"what"`
}

// Result is what an archive proves.
type Result struct {
	CancellationID string `json:"cancellationId"`
	Status         string `json:"status"`
	Entries        int    `json:"entries"`
	Head           string `json:"head"`
	KeyID          string `json:"keyId"`
	// Signer is who the certificate of the key names, if the key has one.
	Signer string `json:"signer,omitempty"`
	// StampedAt is nil without a time stamp.
	StampedAt *time.Time `json:"stampedAt"`
	Authority string     `json:"authority,omitempty"`
	// AuthorityRoot is the SHA-256 of the certificate that vouches for the authority.
	AuthorityRoot string    `json:"authorityRoot,omitempty"`
	Problems      []Problem `json:"problems"`
}

func (r *Result) add(member, what string) { r.Problems = append(r.Problems, Problem{member, what}) }

type document struct {
	Format       string
	Cancellation struct{ CancellationID, Status string }
	Entries      []json.RawMessage
	Head         string
	Files        []struct{ Name, SHA256 string }
}

type entry struct {
	Previous string
	Proofs   []struct{ Kind, SHA256 string }
}

// Verify verifies an archive with the key set of the service (RFC 7517), and with the
// root certificates of time-stamp authorities, if any are given. One of the issuers must
// vouch for the key, if any are given.
func Verify(archive, keySet []byte, roots []*x509.Certificate, issuers ...*x509.Certificate) Result {
	r := Result{Problems: []Problem{}}
	members := r.read(archive)
	for _, name := range []string{documentFile, signatureFile, letterFile} {
		if _, ok := members[name]; !ok {
			r.add(name, "is missing")
		}
	}
	signed := r.signature(members, keySet)
	r.stamp(members, signed, roots)
	if signed {
		r.certificates(members, keySet, issuers)
	}
	r.document(members)
	return r
}

// read returns the members of the archive. It unpacks nothing of an archive over the limits.
func (r *Result) read(archive []byte) map[string][]byte {
	members := map[string][]byte{}
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		r.add("archive", "is no ZIP archive")
		return members
	}
	if len(z.File) > maxMembers {
		r.add("archive", fmt.Sprintf("has more than %d files", maxMembers))
		return members
	}
	left := uint64(maxUnpacked)
	for _, f := range z.File {
		if f.UncompressedSize64 > left {
			r.add("archive", fmt.Sprintf("is larger than %d MB unpacked", maxUnpacked>>20))
			return members
		}
		left -= f.UncompressedSize64
	}
	for _, f := range z.File {
		if _, ok := members[f.Name]; ok {
			r.add(f.Name, "is there twice")
		}
		m, err := f.Open()
		if err != nil {
			r.add(f.Name, "cannot be read")
			continue
		}
		content, err := io.ReadAll(m) // an error if it is not as long as the directory says
		if err != nil {
			r.add(f.Name, "cannot be read")
		}
		members[f.Name] = content
	}
	return members
}

// signature checks evidence.jws and reports whether it signs evidence.json.
func (r *Result) signature(members map[string][]byte, keySet []byte) bool {
	strict := base64.RawURLEncoding.Strict()
	parts := strings.Split(string(members[signatureFile]), ".")
	if len(parts) != 3 || parts[1] != "" {
		return false
	}
	text, err := strict.DecodeString(parts[0])
	var header struct{ Alg, Kid string }
	if err != nil || json.Unmarshal(text, &header) != nil || header.Alg != "ES256" {
		return false
	}
	raw, err := strict.DecodeString(parts[2])
	if err != nil || len(raw) != 64 || strict.EncodeToString(raw) != parts[2] { // the decoder skips line breaks
		return false
	}
	key := findKey(keySet, header.Kid)
	if key == nil {
		return false
	}
	r.KeyID = header.Kid
	sum := sha256.Sum256([]byte(parts[0] + "." + base64.RawURLEncoding.EncodeToString(members[documentFile])))
	return ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:]))
}

// certificates checks the certificates in the header of evidence.jws: the first is of the
// key, and they lead to one of the issuers, at the time of the stamp or else now.
func (r *Result) certificates(members map[string][]byte, keySet []byte, issuers []*x509.Certificate) {
	encoded, _, _ := strings.Cut(string(members[signatureFile]), ".")
	text, _ := base64.RawURLEncoding.DecodeString(encoded)
	var header struct{ X5c [][]byte }
	if json.Unmarshal(text, &header) != nil {
		r.add(signatureFile, "its certificates cannot be read")
		return
	}
	if len(header.X5c) == 0 {
		if len(issuers) > 0 {
			r.add(signatureFile, "has no certificate")
		}
		return
	}
	chain, err := x509.ParseCertificates(slices.Concat(header.X5c...))
	if err != nil {
		r.add(signatureFile, "its certificates cannot be read")
		return
	}
	r.Signer = chain[0].Subject.String()
	if !findKey(keySet, r.KeyID).Equal(chain[0].PublicKey) {
		r.add(signatureFile, "its certificate is of another key")
	}
	if len(issuers) == 0 {
		return
	}
	options := x509.VerifyOptions{
		Roots: x509.NewCertPool(), Intermediates: x509.NewCertPool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	}
	for _, c := range issuers {
		options.Roots.AddCert(c)
	}
	for _, c := range chain[1:] {
		options.Intermediates.AddCert(c)
	}
	if r.StampedAt != nil {
		options.CurrentTime = *r.StampedAt
	}
	if _, err := chain[0].Verify(options); err != nil {
		r.add(signatureFile, "its certificates do not lead to a trusted one: "+err.Error())
	}
}

// findKey returns the key with an ID. Keys that sign access tokens sign no evidence.
func findKey(keySet []byte, id string) *ecdsa.PublicKey {
	var set struct {
		Keys []struct{ Kid, Kty, Crv, X, Y string }
	}
	if json.Unmarshal(keySet, &set) != nil || !strings.HasPrefix(id, "evidence-") {
		return nil
	}
	for _, k := range set.Keys {
		x, errX := base64.RawURLEncoding.DecodeString(k.X)
		y, errY := base64.RawURLEncoding.DecodeString(k.Y)
		if k.Kid != id || k.Kty != "EC" || k.Crv != "P-256" || errX != nil || errY != nil {
			continue
		}
		if key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y)); err == nil {
			return key
		}
	}
	return nil
}

// stamp checks evidence.tsr, and says which member was changed if the signature is wrong.
func (r *Result) stamp(members map[string][]byte, signed bool, roots []*x509.Certificate) {
	content, ok := members[stampFile]
	pending, isPending := members[pendingFile]
	switch {
	case ok && isPending:
		r.add(pendingFile, "is there although there is a time stamp")
	case isPending && string(pending) != pendingText:
		r.add(pendingFile, "is not what we write")
	case !ok && (!isPending || len(roots) > 0):
		r.add(stampFile, "is missing")
	}
	if !ok {
		r.unsigned(signed, documentFile, signatureFile)
		return
	}
	s, err := readStamp(content, roots)
	if err != nil {
		r.add(stampFile, err.Error())
		r.unsigned(signed, documentFile, signatureFile)
		return
	}
	sum := sha256.Sum256(members[signatureFile])
	switch {
	case bytes.Equal(s.Imprint, sum[:]):
		r.unsigned(signed, documentFile)
		r.StampedAt, r.Authority = new(s.Time.UTC()), s.Authority
		root := sha256.Sum256(s.Root.Raw)
		r.AuthorityRoot = hex.EncodeToString(root[:])
	case signed:
		r.add(stampFile, "is the time stamp of another signature")
	default:
		r.unsigned(signed, signatureFile, documentFile)
	}
}

func (r *Result) unsigned(signed bool, suspects ...string) {
	for _, name := range suspects {
		if !signed {
			r.add(name, "the signature is not ours, or not of "+documentFile)
		}
	}
}

// document checks evidence.json, and the other members with its digests.
func (r *Result) document(members map[string][]byte) {
	var d document
	if json.Unmarshal(members[documentFile], &d) != nil || d.Format != "aviso-evidence-1" {
		r.add(documentFile, "is not in the format aviso-evidence-1")
		for name := range members {
			if !slices.Contains(fixed(), name) {
				r.add(name, "cannot be checked without "+documentFile)
			}
		}
		return
	}
	r.CancellationID, r.Status, r.Entries, r.Head = d.Cancellation.CancellationID, d.Cancellation.Status, len(d.Entries), d.Head
	known := fixed()
	for _, f := range d.Files {
		known = append(known, f.Name)
		content, ok := members[f.Name]
		if !ok && f.Name != letterFile {
			r.add(f.Name, "is missing")
		}
		if ok && digest(content) != f.SHA256 {
			r.add(f.Name, "is not the file that was signed")
		}
	}
	for name := range members {
		if !slices.Contains(known, name) {
			r.add(name, "does not belong here")
		}
	}
	r.chain(d, digest(members[letterFile]))
}

// fixed returns the members that evidence.json does not list.
func fixed() []string { return []string{documentFile, signatureFile, stampFile, pendingFile} }

// chain checks that each entry holds the digest of the one before. The document is
// canonical JSON, so the digest of an entry is that of its bytes.
func (r *Result) chain(d document, letter string) {
	previous := ""
	for i, text := range d.Entries {
		var e entry
		if json.Unmarshal(text, &e) != nil {
			r.add(documentFile, fmt.Sprintf("entry %d cannot be read", i+1))
			return
		}
		if e.Previous != previous {
			r.add(documentFile, fmt.Sprintf("entry %d does not follow the one before", i+1))
		}
		for _, p := range e.Proofs {
			if p.Kind == "letter" && p.SHA256 != letter {
				r.add(letterFile, fmt.Sprintf("is not the letter of entry %d", i+1))
			}
		}
		previous = digest(text)
	}
	if d.Head != previous {
		r.add(documentFile, "head is not the digest of the last entry")
	}
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
