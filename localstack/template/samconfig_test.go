package template_test

import (
	"encoding/json"
	"os"
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
