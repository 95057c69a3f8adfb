package evidence

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// The structures of a time stamp (RFC 3161 and RFC 5652), without optional parts that no
// signature covers.
type (
	stampReply struct {
		Status struct{ Status int }
		Token  asn1.RawValue
	}
	stampToken struct {
		Type asn1.ObjectIdentifier
		Data stampData `asn1:"explicit,tag:0"`
	}
	stampData struct {
		Version      int
		Digests      []pkix.AlgorithmIdentifier `asn1:"set"`
		Content      stampContent
		Certificates asn1.RawValue `asn1:"tag:0"`
		Signers      []stampSigner `asn1:"set"`
	}
	stampContent struct {
		Type    asn1.ObjectIdentifier
		Content []byte `asn1:"explicit,tag:0"`
	}
	stampSigner struct {
		Version int
		ID      struct {
			Issuer asn1.RawValue
			Serial *big.Int
		}
		Digest     pkix.AlgorithmIdentifier
		Attributes asn1.RawValue `asn1:"tag:0"`
		Algorithm  pkix.AlgorithmIdentifier
		Signature  []byte
	}
	stampInfo struct {
		Version int
		Policy  asn1.ObjectIdentifier
		Imprint struct {
			Algorithm pkix.AlgorithmIdentifier
			Hash      []byte
		}
		Serial *big.Int
		Time   time.Time `asn1:"generalized"`
	}
	attribute struct {
		Type   asn1.ObjectIdentifier
		Values asn1.RawValue `asn1:"set"`
	}
)

// stamp is a time stamp whose signature is right.
type stamp struct {
	Time      time.Time
	Imprint   []byte
	Authority string
	// Root is the certificate that the authority's certificates lead to.
	Root *x509.Certificate
}

// readStamp reads a time stamp, checks the signature of every part, and refuses bytes
// that no signature covers. Without roots, the stamp's own root counts.
func readStamp(content []byte, roots []*x509.Certificate) (stamp, error) {
	var reply stampReply
	var token stampToken
	if err := exactly(content, &reply); err != nil {
		return stamp{}, err
	}
	if reply.Status.Status != 0 {
		return stamp{}, errors.New("the authority did not grant it")
	}
	if err := exactly(reply.Token.FullBytes, &token); err != nil {
		return stamp{}, err
	}
	data := token.Data
	if !token.Type.Equal(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}) || data.Version != 3 ||
		!data.Content.Type.Equal(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}) ||
		len(data.Digests) != 1 || len(data.Signers) != 1 || data.Signers[0].Version != 1 ||
		!data.Certificates.IsCompound || !data.Signers[0].Attributes.IsCompound {
		return stamp{}, errors.New("it is not a time stamp")
	}
	signer := data.Signers[0]
	if !isSHA256(data.Digests[0]) || !isSHA256(signer.Digest) {
		return stamp{}, errors.New("it uses another digest than SHA-256")
	}
	certificates, err := x509.ParseCertificates(data.Certificates.Bytes)
	if err != nil {
		return stamp{}, fmt.Errorf("its certificates cannot be read: %w", err)
	}
	var info stampInfo
	if _, err := asn1.Unmarshal(data.Content.Content, &info); err != nil || !isSHA256(info.Imprint.Algorithm) {
		return stamp{}, errors.New("its content cannot be read")
	}
	authority := find(certificates, signer)
	if authority == nil {
		return stamp{}, errors.New("the certificate of its signer is missing")
	}
	if err := checkSigner(authority, signer, data.Content); err != nil {
		return stamp{}, err
	}
	root, err := chain(authority, certificates, roots, info.Time)
	return stamp{
		Time: info.Time, Imprint: info.Imprint.Hash, Authority: authority.Subject.String(), Root: root,
	}, err
}

// exactly decodes content, which must be what encoding it again gives.
func exactly(content []byte, into any) error {
	rest, err := asn1.Unmarshal(content, into)
	if err != nil || len(rest) > 0 {
		return errors.New("it cannot be read")
	}
	again, err := asn1.Marshal(value(into))
	if err != nil || !bytes.Equal(again, content) {
		return errors.New("it has bytes that no signature covers")
	}
	return nil
}

func value(pointer any) any {
	switch v := pointer.(type) {
	case *stampReply:
		return *v
	case *stampToken:
		return *v
	default:
		return v
	}
}

func isSHA256(a pkix.AlgorithmIdentifier) bool {
	null := len(a.Parameters.FullBytes) == 0 || bytes.Equal(a.Parameters.FullBytes, asn1.NullBytes)
	return null && a.Algorithm.Equal(asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1})
}

func find(certificates []*x509.Certificate, s stampSigner) *x509.Certificate {
	for _, c := range certificates {
		if bytes.Equal(c.RawIssuer, s.ID.Issuer.FullBytes) && c.SerialNumber.Cmp(s.ID.Serial) == 0 {
			return c
		}
	}
	return nil
}

// checkSigner checks the signature, and that it is of the content.
func checkSigner(authority *x509.Certificate, s stampSigner, content stampContent) error {
	signed := bytes.Clone(s.Attributes.FullBytes)
	signed[0] = asn1.TagSet | 0x20 // RFC 5652, section 5.4
	kinds := map[string]x509.SignatureAlgorithm{
		"1.2.840.10045.4.3.2":   x509.ECDSAWithSHA256,
		"1.2.840.113549.1.1.1":  x509.SHA256WithRSA,
		"1.2.840.113549.1.1.11": x509.SHA256WithRSA,
	}
	null := len(s.Algorithm.Parameters.FullBytes) == 0 || bytes.Equal(s.Algorithm.Parameters.FullBytes, asn1.NullBytes)
	kind := kinds[s.Algorithm.Algorithm.String()]
	if !null || authority.CheckSignature(kind, signed, s.Signature) != nil {
		return errors.New("its signature is wrong")
	}
	var attributes []attribute
	if rest, err := asn1.UnmarshalWithParams(signed, &attributes, "set"); err != nil || len(rest) > 0 {
		return errors.New("its attributes cannot be read")
	}
	sum := sha256.Sum256(content.Content)
	for _, a := range attributes {
		var digest []byte
		if a.Type.Equal(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}) {
			if _, err := asn1.Unmarshal(a.Values.Bytes, &digest); err == nil && bytes.Equal(digest, sum[:]) {
				return nil
			}
		}
	}
	return errors.New("its signature is of something else")
}

// chain returns the root that the authority's certificate leads to. All certificates must
// be on the way.
func chain(
	authority *x509.Certificate, certificates, trusted []*x509.Certificate, at time.Time,
) (*x509.Certificate, error) {
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	for _, c := range trusted {
		roots.AddCert(c)
	}
	for _, c := range certificates {
		selfSigned := bytes.Equal(c.RawIssuer, c.RawSubject)
		if selfSigned && c.CheckSignatureFrom(c) != nil {
			return nil, errors.New("its root certificate is wrong")
		}
		if selfSigned && len(trusted) == 0 {
			roots.AddCert(c)
		}
		between.AddCert(c)
	}
	chains, err := authority.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping},
	})
	if err != nil {
		return nil, fmt.Errorf("its certificates do not lead to a trusted one: %w", err)
	}
	for _, c := range certificates {
		used := false
		for _, link := range chains[0] {
			used = used || link.Equal(c)
		}
		if !used {
			return nil, errors.New("it has a certificate that is not its authority's")
		}
	}
	return chains[0][len(chains[0])-1], nil
}
