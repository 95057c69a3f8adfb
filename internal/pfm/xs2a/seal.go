package xs2a

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// seal signs requests according to §12 of the standard's Implementation Guidelines:
// Digest by RFC 3230 and Signature by draft-cavage-http-signatures-10.
type seal struct {
	cert   *x509.Certificate
	key    *rsa.PrivateKey
	serial pfm.SealSerial
	now    func() time.Time
}

// sealed returns the headers that a signature covers: the first two always, the others if they are sent. It includes
// Date, to prevent replays much later.
func sealed() []string {
	return []string{"digest", "x-request-id", "psu-id", "psu-corporate-id", "date", "tpp-redirect-uri"}
}

// sign adds the headers of a signed request. The digest covers the sent body, even if it is empty.
func (s *seal) sign(req *http.Request, body []byte) error {
	digest := sha256.Sum256(body)
	req.Header.Set("Digest", "SHA-256="+base64.StdEncoding.EncodeToString(digest[:]))
	req.Header.Set("Date", s.now().UTC().Format(http.TimeFormat))
	var names, lines []string
	for _, name := range sealed() {
		if value := req.Header.Get(name); value != "" {
			names, lines = append(names, name), append(lines, name+": "+value)
		}
	}
	hash := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	signature, err := rsa.SignPKCS1v15(nil, s.key, crypto.SHA256, hash[:])
	if err != nil {
		return bankwire.ErrUnsigned
	}
	issuer, err := distinguishedName(s.cert.RawIssuer)
	if err != nil {
		return bankwire.ErrUnsigned
	}
	serial := fmt.Sprintf("%X", s.cert.SerialNumber)
	if s.serial == pfm.SealSerialLower {
		serial = strings.ToLower(serial)
	}
	req.Header.Set("Signature", fmt.Sprintf(`keyId=%q,algorithm="rsa-sha256",headers=%q,signature=%q`,
		"SN="+serial+",CA="+issuer, strings.Join(names, " "),
		base64.StdEncoding.EncodeToString(signature)))
	req.Header.Set("TPP-Signature-Certificate", base64.StdEncoding.EncodeToString(s.cert.Raw))
	return nil
}

// attributeSET is a part of a name with its encoded values.
type attributeSET []struct {
	Type  asn1.ObjectIdentifier
	Value asn1.RawValue
}

// distinguishedName returns a name in the form of RFC 2253. It escapes characters that a quoted parameter must not
// contain, as in the standard's example: CN=D-TRUST%20CA,C=DE. It reads the certificate's bytes, because x509 changes
// the order of the parts and re-encodes attributes without a name in RFC 2253, such as the organizationIdentifier of
// qualified authorities.
func distinguishedName(raw []byte) (string, error) {
	var name pkix.RDNSequence
	var encoded []attributeSET
	if _, err := asn1.Unmarshal(raw, &name); err != nil {
		return "", bankwire.ErrUnsigned
	}
	if _, err := asn1.Unmarshal(raw, &encoded); err != nil {
		return "", bankwire.ErrUnsigned
	}
	for i, set := range encoded {
		for j, attribute := range set {
			if strings.HasPrefix((pkix.RDNSequence{name[i][j : j+1]}).String(), attribute.Type.String()+"=") {
				name[i][j].Value = attribute.Value
			}
		}
	}
	var b strings.Builder
	for _, c := range []byte(name.String()) {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}
