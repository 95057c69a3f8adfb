package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/document"
)

func TestDeprecatedOperationsAnnounceTheirEnd(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "versioning.md"))
	require.NoError(t, err)
	deprecated := 0
	for path, item := range document.Partners().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil || !op.Deprecated {
				continue
			}
			deprecated++
			assert.Regexp(t, fmt.Sprintf("`%s %s` \\|.*\\| %s \\|", op.Method, path, op.Extensions["x-sunset"]), string(page))
			for status, response := range op.Responses {
				for _, name := range []string{"Deprecation", "Sunset", "Link"} {
					assert.Contains(t, response.Headers, name, "%s %s", path, status)
				}
			}
		}
	}
	assert.NotZero(t, deprecated)
}
