package cancellationapi_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/digitorus/timestamp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The lines of docs/evidence.md also work once the certificates of the time stamp have ended.
func TestDocumentedLinesAfterTheCertificatesEnd(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/evidence.md")
	require.NoError(t, err)
	_, script, found := strings.Cut(string(text), "# 1. ")
	require.True(t, found)
	script, _, found = strings.Cut(script, "# 2. ")
	require.True(t, found)
	reply, root := endedStamp(t, []byte("header..signature"))
	run := func(script string) (string, error) {
		dir := filepath.Join(t.TempDir(), "files")
		require.NoError(t, os.Mkdir(dir, 0o700))
		for name, content := range map[string][]byte{
			"evidence.jws": []byte("header..signature"), "evidence.tsr": reply, "../tsa.pem": root,
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
		}
		sh := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", "# "+script)
		sh.Dir = dir
		out, err := sh.CombinedOutput()
		return string(out), err
	}
	out, err := run(script)
	require.NoError(t, err, out)
	assert.Contains(t, out, "Verification: OK")
	out, err = run(strings.ReplaceAll(script, ` -attime "$at"`, ""))
	require.Error(t, err, out)
	assert.Contains(t, out, "certificate has expired")
}

// endedStamp returns a time stamp of content whose certificates ended years ago, and their
// root in PEM.
func endedStamp(t *testing.T, content []byte) (reply, root []byte) {
	t.Helper()
	at := time.Date(2020, time.June, 9, 10, 11, 12, 0, time.UTC)
	issue := func(serial int64, template, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		template.SerialNumber, template.Subject = big.NewInt(serial), pkix.Name{CommonName: "authority " + big.NewInt(serial).String()}
		template.NotBefore, template.NotAfter = at.AddDate(0, -1, 0), at.AddDate(0, 1, 0)
		if parent == nil {
			parent, signer = template, key
		}
		der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
		require.NoError(t, err)
		certificate, err := x509.ParseCertificate(der)
		require.NoError(t, err)
		return certificate, key
	}
	ca, caKey := issue(1, &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, nil, nil)
	usage, err := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}}) // timeStamping, critical
	require.NoError(t, err)
	signer, key := issue(2, &x509.Certificate{
		KeyUsage:        x509.KeyUsageDigitalSignature,
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}},
	}, ca, caKey)
	sum := sha256.Sum256(content)
	stamp := timestamp.Timestamp{
		HashAlgorithm: crypto.SHA256, HashedMessage: sum[:], Time: at, Policy: asn1.ObjectIdentifier{2, 5, 29, 32, 0},
		AddTSACertificate: true, Certificates: []*x509.Certificate{ca},
	}
	reply, err = stamp.CreateResponseWithOpts(signer, key, crypto.SHA256)
	require.NoError(t, err)
	return reply, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Raw})
}
