package template_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

// The preset for a large stack is copied into an environment's parameters.
func TestTheLargePresetFitsTheTemplate(t *testing.T) {
	t.Parallel()
	given, err := template.Preset("../..", "large")
	require.NoError(t, err)
	taken := map[string]bool{}
	tpl, err := template.Load("../../template.yaml", func(parameter string) (string, bool) {
		value, ok := given[parameter]
		taken[parameter] = ok
		return value, ok
	})
	require.NoError(t, err)
	for parameter := range given {
		assert.True(t, taken[parameter], "the template has no parameter %s", parameter)
	}
	for _, table := range tpl.Tables {
		if table.ID == "PfmTable" || table.ID == "NotificationTable" {
			warm := table.Definition.WarmThroughput
			require.NotNil(t, warm, table.ID)
			assert.Positive(t, *warm.WriteUnitsPerSecond, table.ID)
			for _, index := range table.Definition.GlobalSecondaryIndexes {
				assert.NotNil(t, index.WarmThroughput, "with a new one's four partitions, it holds up its table: %s", *index.IndexName)
			}
		}
	}
	_, err = template.Preset("../..", "gigantic")
	require.Error(t, err)
}

// CloudFormation would reject wrong parameters only after the build.
func TestEveryEnvironmentHasValidParameters(t *testing.T) {
	t.Parallel()
	for _, environment := range []string{"test", "acceptance", "production"} {
		given, err := template.Preset("../..", environment)
		require.NoError(t, err)
		assert.Equal(t, environment, given["Environment"])
		if environment != "test" {
			// sam keeps a parameter's former value if it is not given.
			assert.Equal(t, "true", given["DeletionProtection"], environment)
			assert.NotEmpty(t, given["ReserveConcurrency"], environment)
		}
		taken := map[string]bool{}
		_, err = template.Load("../../template.yaml", func(parameter string) (string, bool) {
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

// sam local invoke reads a section of its own. It has no option host: only start-api listens (reference of the SAM CLI).
func TestSAMLocalInvokesAsItServes(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../../samconfig.toml")
	require.NoError(t, err)
	section := func(name string) (settings []string) {
		_, rest, found := strings.Cut(string(src), "["+name+".parameters]\n")
		require.True(t, found, name)
		rest, _, _ = strings.Cut(rest, "\n\n")
		for setting := range strings.Lines(rest) {
			if !strings.HasPrefix(setting, "host =") {
				settings = append(settings, strings.TrimSpace(setting))
			}
		}
		return settings
	}
	serves := section("default.local_start_api")
	assert.ElementsMatch(t, serves, section("default.local_invoke"))
	for i := range serves { // sam runs a function on the processor that the template names
		serves[i] = strings.Replace(serves[i], `"]`, `", "Architecture=x86_64"]`, strings.Count(serves[i], "Environment="))
	}
	assert.ElementsMatch(t, serves, section("x86_64.local_invoke"))
}

// sam local passes on only variables that the template declares. On AWS, none may lead calls elsewhere.
func TestSAMLocalFindsTheEmulators(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../env.json")
	require.NoError(t, err)
	var given struct{ Parameters map[string]string }
	require.NoError(t, json.Unmarshal(src, &given))
	require.Contains(t, given.Parameters, "AWS_ENDPOINT_URL")
	for _, environment := range []string{"local", "test", "acceptance", "production"} {
		tpl, err := template.Load("../../template.yaml", func(parameter string) (string, bool) {
			return environment, parameter == "Environment"
		})
		require.NoError(t, err)
		for _, f := range tpl.Functions {
			for name := range given.Parameters {
				_, declared := f.Environment[name]
				assert.Equal(t, environment == "local", declared, "%s in %s, in %s", name, f.ID, environment)
			}
		}
	}
}
