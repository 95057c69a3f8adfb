package command

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	const fixtures = "../evidence/testdata/"
	archive, err := os.ReadFile(fixtures + "delivered.zip")
	require.NoError(t, err)
	changed := filepath.Join(t.TempDir(), "changed.zip")
	forged := bytes.Replace(archive, []byte(`"status":"Delivered"`), []byte(`"status":"Confirmed"`), 1)
	require.NoError(t, os.WriteFile(changed, forged, 0o600))
	unstamped := filepath.Join(t.TempDir(), "unstamped.zip")
	whole, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	var rest bytes.Buffer
	w := zip.NewWriter(&rest)
	for _, f := range whole.File {
		if f.Name != "evidence.tsr" {
			require.NoError(t, w.Copy(f))
		}
	}
	pending, err := w.Create("timestamp-pending.txt")
	require.NoError(t, err)
	_, err = pending.Write([]byte("This bundle has no time stamp yet: the authority did not answer. Fetch the bundle again later.\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(unstamped, rest.Bytes(), 0o600))
	for name, c := range map[string]struct {
		args      []string
		code      int
		out, said string
	}{
		"genuine": {
			args: []string{fixtures + "delivered.zip", "--jwks=" + fixtures + "jwks.json", "--tsa=" + fixtures + "root.pem"},
			code: done, out: "Delivered", said: "genuine",
		},
		"changed": {
			args: []string{changed, "--jwks=" + fixtures + "jwks.json"}, code: failed, out: "evidence.json", said: "not genuine",
		},
		"as JSON": {
			args: []string{changed, "--jwks=" + fixtures + "jwks.json", "--json"}, code: failed, out: `"member": "evidence.json"`,
		},
		"without a time stamp": {
			args: []string{unstamped, "--jwks=" + fixtures + "jwks.json"}, code: done, out: "not time-stamped",
			said: "genuine, but not time-stamped",
		},
		"without the time stamp of the authority": {
			args: []string{unstamped, "--jwks=" + fixtures + "jwks.json", "--tsa=" + fixtures + "root.pem"},
			code: failed, out: "evidence.tsr", said: "not genuine",
		},
		"no keys":        {args: []string{changed}, code: wrongUse, said: "jwks"},
		"no such file":   {args: []string{"none.zip", "--jwks=" + fixtures + "jwks.json"}, code: failed, said: "none.zip"},
		"no certificate": {args: []string{changed, "--jwks=" + changed, "--tsa=" + changed}, code: failed, said: "no certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, said := newTerminal(t, nil).run(t, append([]string{"verify"}, c.args...)...)
			assert.Equal(t, c.code, code, said)
			assert.Contains(t, out, c.out)
			assert.Contains(t, said, c.said)
		})
	}
}
