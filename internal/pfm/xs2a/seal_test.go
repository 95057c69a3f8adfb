package xs2a

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

var signatureForm = regexp.MustCompile(
	`^keyId="SN=([0-9A-F]+),CA=([^"\\ ]+)",algorithm="rsa-sha256",headers="([a-z -]+)",signature="([A-Za-z0-9+/=]+)"$`,
)

// verify verifies a signed request like a bank, following the standard's text rather
// than the client's code. It returns the headers that the signature covers.
func verify(r *http.Request, body []byte, trusted *x509.CertPool) ([]string, error) {
	sum := sha256.Sum256(body)
	if want := "SHA-256=" + base64.StdEncoding.EncodeToString(sum[:]); r.Header.Get("Digest") != want {
		return nil, fmt.Errorf("digest %q, want %q", r.Header.Get("Digest"), want)
	}
	parts := signatureForm.FindStringSubmatch(r.Header.Get("Signature"))
	if parts == nil {
		return nil, fmt.Errorf("signature header %q", r.Header.Get("Signature"))
	}
	der, err := base64.StdEncoding.DecodeString(r.Header.Get("TPP-Signature-Certificate"))
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	if trusted != nil {
		if _, err := cert.Verify(
			x509.VerifyOptions{Roots: trusted, CurrentTime: testNow, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}},
		); err != nil {
			return nil, err
		}
	}
	if serial, ok := new(big.Int).SetString(parts[1], 16); !ok || serial.Cmp(cert.SerialNumber) != 0 {
		return nil, fmt.Errorf("serial number %s, want %X", parts[1], cert.SerialNumber)
	}
	covered := strings.Split(parts[3], " ")
	var signed bytes.Buffer
	for i, name := range covered {
		if i > 0 {
			signed.WriteByte('\n')
		}
		values := r.Header.Values(name)
		if len(values) == 0 {
			return nil, fmt.Errorf("the signature covers the missing header %s", name)
		}
		signed.WriteString(name + ": " + strings.Join(values, ", "))
	}
	signature, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil {
		return nil, err
	}
	public, ok := cert.PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("key is %T", cert.PublicKey)
	}
	hash := sha256.Sum256(signed.Bytes())
	return covered, rsa.VerifyPKCS1v15(public, crypto.SHA256, hash[:], signature)
}

// fixture returns the seal in testdata, which OpenSSL made.
func fixture(t *testing.T) *seal {
	t.Helper()
	pair := must(tls.LoadX509KeyPair(filepath.Join("testdata", "seal", "certificate.pem"), filepath.Join("testdata", "seal", "key.pem")))
	key, ok := pair.PrivateKey.(*rsa.PrivateKey)
	require.True(t, ok)
	return &seal{cert: pair.Leaf, key: key, now: func() time.Time { return testNow }}
}

func testdata(t *testing.T, name string) string {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join("testdata", "seal", name))))
}

func TestSealEqualsOpenSSLs(t *testing.T) {
	t.Parallel()
	body := testdata(t, "body.json")
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://bank.example/v1/consents", strings.NewReader(body))
	req.Header.Set("X-Request-ID", "99391c7e-ad88-49ec-a2ad-99ddcb1f7721")
	req.Header.Set("TPP-Redirect-URI", "https://aviso.example/connect/callback?state=1")
	req.Header.Set("PSU-IP-Address", "198.51.100.7") // not covered by the signature
	require.NoError(t, fixture(t).sign(req, []byte(body)))
	assert.Equal(
		t,
		`keyId="SN=9FA1,CA=CN=Seal%20CA%202-1%202026,2.5.4.97=#0c0956415444452d313233,O=Trust%20%5C%22Pr%C3%BCf%5C%22%20GmbH,C=DE",`+
			`algorithm="rsa-sha256",headers="digest x-request-id date tpp-redirect-uri",signature="`+testdata(t, "signature.txt")+`"`,
		req.Header.Get("Signature"),
	)
	lower := fixture(t)
	lower.serial = pfm.SealSerialLower
	again := req.Clone(t.Context())
	require.NoError(t, lower.sign(again, []byte(body)))
	assert.Contains(t, again.Header.Get("Signature"), `keyId="SN=9fa1,CA=CN=Seal%20CA`, "only the digits are lower")
	for line := range strings.SplitSeq(testdata(t, "signing-string.txt"), "\n") {
		name, value, _ := strings.Cut(line, ": ")
		assert.Equal(t, value, req.Header.Get(name), name)
	}
	covered := must(verify(req, []byte(body), nil))
	assert.Equal(t, []string{"digest", "x-request-id", "date", "tpp-redirect-uri"}, covered)
}

func TestSealCoversHeadersAndBody(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(http.Header){
		"the request's id":  func(h http.Header) { h.Set("X-Request-ID", uuid.NewString()) },
		"the date":          func(h http.Header) { h.Set("Date", "Mon, 02 Mar 2026 10:00:01 GMT") },
		"the way back":      func(h http.Header) { h.Set("TPP-Redirect-URI", "https://evil.example") },
		"the customer's id": func(h http.Header) { h.Set("PSU-ID", "2") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://bank.example", nil)
			for name, value := range map[string]string{
				"X-Request-ID": uuid.NewString(), "TPP-Redirect-URI": "https://aviso.example", "PSU-ID": "1",
				"PSU-Corporate-ID": "3",
			} {
				req.Header.Set(name, value)
			}
			require.NoError(t, fixture(t).sign(req, nil))
			covered := must(verify(req, nil, nil))
			assert.Equal(t, sealed(), covered)
			_, err := verify(req, []byte("{}"), nil)
			require.Error(t, err, "another body")
			change(req.Header)
			_, err = verify(req, nil, nil)
			assert.ErrorIs(t, err, rsa.ErrVerification)
		})
	}
}

func TestSealNeedsAnRSAKey(t *testing.T) {
	t.Parallel()
	b := newBanking()
	b.vault.put("qseal", newAuthority(t, "Good").issue(1, ellipticKey(t), testNow.Add(oneYear)).text)
	err := b.read(t, pfm.BankEndpoint{BaseURL: "https://bank.invalid", SealSecret: "qseal"})
	assert.ErrorIs(t, requireKind(t, err, pfm.SupplierUnavailable), errNotRSA)
}

// A sandbox bank behind a proxy that requires both certificates, like real banks:
// every single call to its interface must be signed.
func TestSandboxBankThatRequiresCertificates(t *testing.T) {
	t.Parallel()
	transports, seals := newAuthority(t, "Transport"), newAuthority(t, "Seal")
	trusted := x509.NewCertPool()
	trusted.AddCert(seals.cert)
	now := func() time.Time { return testNow }
	inside := bank.New(bank.Options{
		Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), now), Now: now,
		NewID: uuid.NewString, SlowAnswer: time.Minute, Log: slog.New(slog.DiscardHandler),
	})
	methods := map[string]int{}
	front := newTLSBank(t, transports, tls.VersionTLS13)
	front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if covered, err := verify(r, body, trusted); assert.NoError(t, err, "%s %s", r.Method, r.URL.Path) {
			assert.Equal(t, r.Header.Get("TPP-Redirect-URI") != "", covered[len(covered)-1] == "tpp-redirect-uri")
			methods[r.Method]++
		}
		inside.ServeHTTP(w, r)
	})
	b := newBanking()
	b.vault.put("qwac", transports.issue(1, ellipticKey(t), testNow.Add(oneYear), front.roots...).text)
	b.vault.put("qseal", seals.issue(0x9fa1, rsaKey(t), testNow.Add(oneYear)).text)
	at := pfm.BankEndpoint{BaseURL: front.URL + "/sandbox/banks/lindenmark", TransportSecret: "qwac", SealSecret: "qseal"}

	requested := must(b.RequestConsent(t.Context(), at, consentRequest()))
	approve(t, inside, requested.Next.URL)
	session := pfm.Session{ConsentID: requested.Session.ConsentID}
	accounts := must(b.Accounts(t.Context(), at, session))
	require.NotEmpty(t, accounts)
	rows := 0
	for _, err := range b.Transactions(context.Background(), at, session, accounts[0].ResourceID, pfm.DateOf(testNow).AddDays(-90)) {
		require.NoError(t, err)
		rows++
	}
	assert.NotZero(t, rows)
	require.NoError(t, b.EndConsent(t.Context(), at, pfm.Session{ConsentID: requested.Session.ConsentID}))
	assert.Equal(t, 1, methods[http.MethodPost])
	assert.Greater(t, methods[http.MethodGet], 1)
	assert.Equal(t, 1, methods[http.MethodDelete])
	assert.Equal(t, 2, b.vault.count())
}

// approve posts the customer's approval on the page, which requires no certificate.
func approve(t *testing.T, pages http.Handler, page string) {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, page,
		strings.NewReader("persona=anna&customer=1&decision=approve&account[]=current"))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	pages.ServeHTTP(rec, req)
	require.Equal(t, http.StatusSeeOther, rec.Code)
}
