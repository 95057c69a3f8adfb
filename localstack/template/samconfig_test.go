package template_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

var override = regexp.MustCompile(`"(\w+)=([^"]*)"`)

// CloudFormation would reject wrong parameters only after the build.
func TestEveryEnvironmentHasValidParameters(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../../samconfig.toml")
	require.NoError(t, err)
	for _, environment := range []string{"test", "acceptance", "production"} {
		_, section, found := strings.Cut(string(src), "["+environment+".deploy.parameters]\n")
		require.True(t, found, environment)
		section, _, _ = strings.Cut(section, "\n[")
		for line := range strings.SplitSeq(section, "\n") {
			if !strings.HasPrefix(line, "parameter_overrides = ") {
				continue
			}
			given := map[string]string{}
			for _, m := range override.FindAllStringSubmatch(line, -1) {
				given[m[1]] = m[2]
			}
			assert.Equal(t, environment, given["Environment"])
			if environment != "test" {
				// sam keeps a parameter's former value if it is not given.
				assert.Equal(t, "true", given["DeletionProtection"], environment)
				assert.NotEmpty(t, given["ReserveConcurrency"], environment)
			}
			taken := map[string]bool{}
			_, err := template.Load("../../template.yaml", func(parameter string) (string, bool) {
				value, ok := given[parameter]
				taken[parameter] = ok
				return value, ok
			})
			require.NoError(t, err, environment)
			for parameter := range given {
				assert.True(t, taken[parameter], "%s: the template has no parameter %s", environment, parameter)
			}
		}
	}
}
