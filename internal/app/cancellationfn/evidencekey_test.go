package cancellationfn

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/httpapi"
)

// secret is a reader with one secret.
type secret struct{ id, text string }

func (s secret) GetSecretValue(
	_ context.Context, in *secretsmanager.GetSecretValueInput, _ ...func(*secretsmanager.Options),
) (*secretsmanager.GetSecretValueOutput, error) {
	if *in.SecretId != s.id {
		return nil, assert.AnError
	}
	return &secretsmanager.GetSecretValueOutput{SecretString: &s.text}, nil
}

func TestEvidenceIsSignedWithTheKeyOfTheSecret(t *testing.T) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	raw, err := json.Marshal(map[string]string{
		"key":         string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		"certificate": string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})),
	})
	require.NoError(t, err)
	text := string(raw)

	k := evidenceKey{id: "evidence"}
	require.NoError(t, k.load(t.Context(), bootstrap.Clients{}, secret{"evidence", text}))
	key, err := k.key(httpapi.Base{})
	require.NoError(t, err)
	require.Len(t, key.Certificates, 1)
	assert.Equal(t, certificate, key.Certificates[0].Raw)

	require.Error(t, k.load(t.Context(), bootstrap.Clients{}, secret{"another", text}))
	bad := evidenceKey{id: "evidence", text: "no key"}
	_, err = bad.key(httpapi.Base{})
	require.Error(t, err, "when it signs, and not at the start")
}
