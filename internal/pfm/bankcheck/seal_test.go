package bankcheck_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
)

// oneSecret implements xs2a.Secrets with the same secret for every name.
type oneSecret string

func (s oneSecret) Secret(context.Context, string) (string, error) { return string(s), nil }

// qsealc returns the secret of a certificate whose serial number has letters.
func qsealc(t *testing.T) oneSecret {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(0xabcdef), Subject: pkix.Name{CommonName: "us"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	text, err := json.Marshal(map[string]string{
		"certificate": string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		"key":         string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
	})
	require.NoError(t, err)
	return oneSecret(text)
}

// A bank that compares the serial number of a seal as text is tried with both cases of its digits.
func TestSeals(t *testing.T) {
	t.Parallel()
	secret := qsealc(t)
	bankThatKnows := func(serial string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if serial == "" || !strings.Contains(r.Header.Get("Signature"), `keyId="SN=`+serial+`,`) {
				refusal(http.StatusUnauthorized, "SIGNATURE_INVALID", "certificate not found")(w, r)
				return
			}
			answer(http.StatusCreated, `{"consentId":"c1","_links":{"scaRedirect":{"href":"https://bank.example/sca"}}}`)(w, r)
		}
	}
	run := func(t *testing.T, serial string) bankcheck.State {
		o := options(t, at(t, bankThatKnows(serial)))
		o.Provider.Endpoint.SealSecret, o.Client.Secrets = "qseal", secret
		return bankcheck.New(o).Run(t.Context(), bankcheck.State{}, pfm.UserAnswer{})
	}
	t.Run("upper case", func(t *testing.T) {
		t.Parallel()
		state := run(t, "ABCDEF")
		assert.Equal(t, pfm.StepRedirect, state.Next.Kind)
		assert.Empty(t, codes(state.Report))
	})
	t.Run("lower case", func(t *testing.T) {
		t.Parallel()
		state := run(t, "abcdef")
		assert.Equal(t, pfm.StepRedirect, state.Next.Kind)
		assert.Equal(t, []string{"seal-serial"}, codes(state.Report))
		assert.Equal(t, map[string]any{"endpoint": map[string]any{"sealSerial": "Lower"}}, state.Report.Snippet())
	})
	t.Run("neither", func(t *testing.T) {
		t.Parallel()
		state := run(t, "")
		assert.True(t, state.Done)
		assert.Equal(t, []string{"seal-refused"}, codes(state.Report))
		assert.Empty(t, state.Report.Snippet(), "a seal has been set")
		assert.Equal(t, []string{"request consent: 401: SIGNATURE_INVALID, certificate not found"}, state.Said)
	})
}
