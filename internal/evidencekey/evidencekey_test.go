package evidencekey_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"math/big"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/evidencekey"
)

const root = "a root of evidence with enough characters"

func TestSign(t *testing.T) {
	t.Parallel()
	key, err := evidencekey.Derive(root)
	require.NoError(t, err)
	content := []byte(`{"a":1}`)
	signature, err := key.Sign(content)
	require.NoError(t, err)
	again, err := key.Sign(content)
	require.NoError(t, err)
	assert.Equal(t, string(signature), string(again), "the same bytes each time")

	// Judged by a library.
	parsed, err := jose.ParseDetached(string(signature), content, []jose.SignatureAlgorithm{jose.ES256})
	require.NoError(t, err)
	_, err = parsed.Verify(key.Public())
	require.NoError(t, err)
	assert.Equal(t, key.ID, parsed.Signatures[0].Protected.KeyID)
	other, err := evidencekey.Derive(root + "!")
	require.NoError(t, err)
	_, err = parsed.Verify(other.Public())
	require.Error(t, err)
	assert.Equal(t, "evidence-", key.ID[:9])
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	key, err := evidencekey.New(private, certificate)
	require.NoError(t, err)
	assert.Equal(t, []*x509.Certificate{certificate}, key.Public().Certificates)
	signature, err := key.Sign([]byte("x"))
	require.NoError(t, err)
	parsed, err := jose.ParseDetached(string(signature), []byte("x"), []jose.SignatureAlgorithm{jose.ES256})
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	chains, err := parsed.Signatures[0].Protected.Certificates(x509.VerifyOptions{
		Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	require.NoError(t, err)
	assert.Len(t, chains, 1)

	another, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	_, err = evidencekey.New(another, certificate)
	require.Error(t, err)
}
