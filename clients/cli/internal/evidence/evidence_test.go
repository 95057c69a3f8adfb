package evidence_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso.example/cli/internal/evidence"
)

// The archives are what the service answered; a test of it wrote them.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return content
}

func root(t *testing.T) []*x509.Certificate {
	t.Helper()
	block, _ := pem.Decode(fixture(t, "root.pem"))
	require.NotNil(t, block)
	c, err := x509.ParseCertificate(block.Bytes)
	require.NoError(t, err)
	return []*x509.Certificate{c}
}

func unpack(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	members := map[string][]byte{}
	for _, f := range z.File {
		m, err := f.Open()
		require.NoError(t, err)
		members[f.Name], err = io.ReadAll(m)
		require.NoError(t, err)
	}
	return members
}

func pack(t *testing.T, members map[string][]byte) []byte {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		m, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		require.NoError(t, err)
		_, err = m.Write(members[name])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return archive.Bytes()
}

func TestVerify(t *testing.T) {
	t.Parallel()
	keys := fixture(t, "jwks.json")
	r := evidence.Verify(fixture(t, "delivered.zip"), keys, root(t))
	assert.Empty(t, r.Problems)
	assert.Equal(t, "Delivered", r.Status)
	assert.Equal(t, 4, r.Entries)
	assert.NotNil(t, r.StampedAt)
	assert.Equal(t, "CN=Aviso sandbox time stamps", r.Authority)
	assert.Equal(t, r, evidence.Verify(fixture(t, "delivered.zip"), keys, nil), "with the root in the stamp")

	for name, keySet := range map[string]string{
		"none":             `{"keys":[]}`,
		"of access tokens": strings.ReplaceAll(string(keys), "evidence-", "token-"),
		"another":          strings.Replace(string(keys), `"x":"`, `"x":"A`, 1),
	} {
		r := evidence.Verify(fixture(t, "delivered.zip"), []byte(keySet), root(t))
		assert.NotEmpty(t, r.Problems, name)
	}
	assert.NotEmpty(t, evidence.Verify([]byte("no archive"), keys, nil).Problems)

	pending := unpack(t, fixture(t, "delivered.zip"))
	delete(pending, "evidence.tsr")
	pending["timestamp-pending.txt"] = []byte(
		"This bundle has no time stamp yet: the authority did not answer. Fetch the bundle again later.\n")
	r = evidence.Verify(pack(t, pending), keys, nil)
	assert.Empty(t, r.Problems)
	assert.Nil(t, r.StampedAt)
	r = evidence.Verify(pack(t, pending), keys, root(t))
	assert.Equal(t, []evidence.Problem{{Member: "evidence.tsr", What: "is missing"}}, r.Problems,
		"whoever names an authority wants its stamp")
}

// Anybody may hand in an archive, so its size says nothing about the memory that it takes.
func TestArchivesAreLimited(t *testing.T) {
	t.Parallel()
	zeros := make([]byte, 8<<20)
	bomb := func(n int, forge func(*zip.FileHeader)) []byte {
		var compressed, archive bytes.Buffer
		c, err := flate.NewWriter(&compressed, flate.BestCompression)
		require.NoError(t, err)
		_, err = c.Write(zeros)
		require.NoError(t, err)
		require.NoError(t, c.Close())
		w := zip.NewWriter(&archive)
		for i := range n {
			h := &zip.FileHeader{
				Name: fmt.Sprint(i), Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(zeros),
				CompressedSize64: uint64(compressed.Len()), UncompressedSize64: uint64(len(zeros)),
			}
			forge(h)
			m, err := w.CreateRaw(h)
			require.NoError(t, err)
			_, err = m.Write(compressed.Bytes())
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		return archive.Bytes()
	}
	many := map[string][]byte{}
	for i := range 101 {
		many[fmt.Sprint(i)] = nil
	}
	for name, c := range map[string]struct {
		archive      []byte
		member, want string
	}{
		"large":            {bomb(100, func(*zip.FileHeader) {}), "archive", "is larger than 64 MB unpacked"},
		"sizes are forged": {bomb(100, func(h *zip.FileHeader) { h.UncompressedSize64 = 1 }), "99", "cannot be read"},
		"sizes overflow":   {bomb(2, func(h *zip.FileHeader) { h.UncompressedSize64 = 1 << 63 }), "archive", "is larger than 64 MB unpacked"},
		"many members":     {pack(t, many), "archive", "has more than 100 files"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := evidence.Verify(c.archive, nil, nil)
			runtime.ReadMemStats(&after)
			assert.True(t, slices.Contains(r.Problems, evidence.Problem{Member: c.member, What: c.want}))
			assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(64), "MB allocated")
		})
	}
}

// The service may sign with a key that has certificates.
func TestCertificates(t *testing.T) {
	t.Parallel()
	issuer, by := certificate(t, nil, nil)
	leaf, private := certificate(t, issuer, by)
	stranger, _ := certificate(t, nil, nil)
	another, _ := certificate(t, issuer, by)
	keys := fmt.Appendf(nil, `{"keys":[{"kid":"evidence-1","kty":"EC","crv":"P-256","x":%q,"y":%q}]}`,
		raw(private.X.FillBytes(make([]byte, 32))), raw(private.Y.FillBytes(make([]byte, 32))))
	members := unpack(t, fixture(t, "delivered.zip"))
	delete(members, "evidence.tsr")
	members["timestamp-pending.txt"] = []byte(
		"This bundle has no time stamp yet: the authority did not answer. Fetch the bundle again later.\n")
	verify := func(chain []*x509.Certificate, issuers ...*x509.Certificate) evidence.Result {
		header := map[string]any{"alg": "ES256", "kid": "evidence-1"}
		if len(chain) > 0 {
			var list [][]byte
			for _, c := range chain {
				list = append(list, c.Raw)
			}
			header["x5c"] = list
		}
		text, err := json.Marshal(header)
		require.NoError(t, err)
		sum := sha256.Sum256([]byte(raw(text) + "." + raw(members["evidence.json"])))
		r, s, err := ecdsa.Sign(cryptorand.Reader, private, sum[:])
		require.NoError(t, err)
		signature := slices.Concat(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32)))
		members["evidence.jws"] = []byte(raw(text) + ".." + raw(signature))
		return evidence.Verify(pack(t, members), keys, nil, issuers...)
	}

	r := verify([]*x509.Certificate{leaf, issuer}, issuer)
	assert.Empty(t, r.Problems)
	assert.Equal(t, "CN=evidence", r.Signer)
	assert.Empty(t, verify([]*x509.Certificate{leaf}).Problems, "nobody asked who vouches for it")
	assert.Empty(t, verify(nil).Problems)
	for want, r := range map[string]evidence.Result{
		"do not lead to a trusted one": verify([]*x509.Certificate{leaf, issuer}, stranger),
		"is of another key":            verify([]*x509.Certificate{another, issuer}, issuer),
		"has no certificate":           verify(nil, issuer),
	} {
		if assert.Len(t, r.Problems, 1, want) {
			assert.Equal(t, "evidence.jws", r.Problems[0].Member)
			assert.Contains(t, r.Problems[0].What, want)
		}
	}
}

func raw(content []byte) string { return base64.RawURLEncoding.EncodeToString(content) }

// certificate returns a certificate and its key. Without an issuer it may issue others.
func certificate(t *testing.T, issuer *x509.Certificate, by *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "evidence"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	if issuer == nil {
		template.Subject.CommonName, template.IsCA, template.BasicConstraintsValid = "issuer", true, true
		issuer, by = template, private
	}
	der, err := x509.CreateCertificate(cryptorand.Reader, template, issuer, private.Public(), by)
	require.NoError(t, err)
	c, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return c, private
}

// mutations is how often the archive is changed.
const mutations = 10_000

// Whatever is flipped, dropped, swapped, replayed, cut or added: it is found, and the
// member is named.
func TestTamperingIsFound(t *testing.T) {
	t.Parallel()
	keys, roots := fixture(t, "jwks.json"), root(t)
	whole, other := unpack(t, fixture(t, "delivered.zip")), unpack(t, fixture(t, "created.zip"))
	names := slices.Sorted(maps.Keys(whole))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range mutations {
		members := maps.Clone(whole)
		name := names[random.IntN(len(names))]
		content := bytes.Clone(members[name])
		at := random.IntN(len(content))
		kind := []string{"flip", "flip", "flip", "flip", "bit", "bit", "drop", "swap", "replay", "cut", "insert", "add"}[random.IntN(12)]
		suspects := []string{name}
		switch kind {
		case "flip":
			content[at] ^= byte(1 + random.IntN(255))
		case "bit":
			content[at] ^= 1 << random.IntN(8)
		case "cut":
			content = content[:at]
		case "insert":
			content = slices.Insert(content, at, byte(random.IntN(256)))
		case "replay":
			if content = other[name]; content == nil || bytes.Equal(content, whole[name]) {
				continue
			}
		case "swap":
			second := names[random.IntN(len(names))]
			if second == name {
				continue
			}
			content, members[second] = whole[second], whole[name]
			suspects = append(suspects, second)
		case "add":
			suspects = []string{"carrier/99-Mail-Delivered.json"}
			members[suspects[0]] = content
		}
		if members[name] = content; kind == "drop" {
			delete(members, name)
		}
		r := evidence.Verify(pack(t, members), keys, roots)
		require.NotEmpty(t, r.Problems, "%d: %s %s at %d", i, kind, name, at)
		for _, suspect := range suspects {
			named := slices.ContainsFunc(r.Problems, func(p evidence.Problem) bool { return p.Member == suspect })
			require.True(t, named, "%d: %s %s at %d: %v", i, kind, suspect, at, r.Problems)
		}
	}
}

// Every byte of the stamp is covered: most of it is structure.
func TestEveryByteOfTheStampCounts(t *testing.T) {
	t.Parallel()
	keys, roots := fixture(t, "jwks.json"), root(t)
	members := unpack(t, fixture(t, "delivered.zip"))
	stamp := members["evidence.tsr"]
	for at := range stamp {
		for _, mask := range []byte{1, 0x20} {
			members["evidence.tsr"] = bytes.Clone(stamp)
			members["evidence.tsr"][at] ^= mask
			for _, trusted := range [][]*x509.Certificate{roots, nil} {
				assert.NotEmpty(t, evidence.Verify(pack(t, members), keys, trusted).Problems, "%d %x", at, mask)
			}
		}
	}
}

// docs/evidence.md has lines for those who trust no program of ours.
func TestLinesOfTheDocumentation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../docs/evidence.md")
	require.NoError(t, err)
	_, script, found := strings.Cut(string(text), "```sh\n")
	require.True(t, found)
	script, _, found = strings.Cut(script, "```")
	require.True(t, found)
	run := func(members map[string][]byte) (string, error) {
		dir := t.TempDir()
		for name, content := range map[string][]byte{
			"evidence.zip": pack(t, members), "jwks.json": fixture(t, "jwks.json"), "tsa.pem": fixture(t, "root.pem"),
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
		}
		sh := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", script)
		sh.Dir = dir
		out, err := sh.CombinedOutput()
		return string(out), err
	}
	whole := unpack(t, fixture(t, "delivered.zip"))
	out, err := run(whole)
	require.NoError(t, err, out)
	assert.Contains(t, out, "Verification: OK")
	assert.Contains(t, out, "Verified OK")
	assert.Contains(t, out, "letter.pdf: OK")
	assert.Contains(t, out, "evidence.pdf: OK")
	for name := range whole {
		members := maps.Clone(whole)
		members[name] = bytes.Clone(whole[name])
		members[name][len(members[name])/2] ^= 1
		out, err := run(members)
		assert.Error(t, err, "%s: %s", name, out)
	}
}
