package bankcheck_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"aviso/internal/pfm/bankcheck"
)

// Each finding of the code is described in the file, completely, and nothing else is.
func TestFindingsAreDescribed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("findings.yaml")
	require.NoError(t, err)
	var all []bankcheck.Finding
	require.NoError(t, yaml.Unmarshal(text, &all))
	described := map[string]bool{}
	for _, f := range all {
		assert.Contains(t, []bankcheck.Level{bankcheck.Blocks, bankcheck.Lost, bankcheck.Setting, bankcheck.Decide}, f.Level, f.Code)
		assert.NotEmpty(t, f.Aviso, f.Code)
		if f.When != "" {
			_, err := regexp.Compile(f.When)
			assert.NoError(t, err, f.Code)
			assert.Equal(t, bankcheck.Blocks, f.Level, f.Code)
			continue
		}
		assert.NotEmpty(t, f.Seen, f.Code)
		described[f.Code] = true
	}
	code, err := os.ReadFile("check.go")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`\.add(?:Some)?\("([^"]+)"`).FindAllStringSubmatch(string(code), -1) {
		used[m[1]] = true
	}
	assert.Equal(t, used, described)
}
