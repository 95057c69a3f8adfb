package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
)

func env(values map[string]string) config.Env {
	return func(name string) string { return values[name] }
}

func TestReader(t *testing.T) {
	t.Run("reads what is set", func(t *testing.T) {
		r := config.NewReader(env(map[string]string{
			"ENVIRONMENT": "acceptance", "TABLE": "pfm", "COUNT": "7", "NOTE": "n",
		}))
		assert.Equal(t, config.Acceptance, r.Stage())
		assert.Equal(t, "pfm", r.Required("TABLE"))
		assert.Equal(t, "n", r.Optional("NOTE", "x"))
		assert.Equal(t, 7, r.Int("COUNT", 1, 0))
		assert.NoError(t, r.Err())
	})

	t.Run("uses the fallback of optional variables", func(t *testing.T) {
		r := config.NewReader(env(nil))
		assert.Equal(t, "x", r.Optional("NOTE", "x"))
		assert.Equal(t, 3, r.Int("COUNT", 3, 5), "the fallback is ours, so min does not bind it")
		assert.NoError(t, r.Err())
	})

	t.Run("reports all errors at once, without values", func(t *testing.T) {
		r := config.NewReader(env(map[string]string{"COUNT": "secret", "LOW": "4"}))
		assert.Empty(t, r.Required("TABLE"))
		assert.Equal(t, 1, r.Int("COUNT", 1, 0))
		assert.Equal(t, 6, r.Int("LOW", 6, 5))
		assert.Empty(t, r.Stage())

		err := r.Err()

		require.Error(t, err)
		for _, name := range []string{"TABLE", "COUNT", "LOW", "environment"} {
			assert.ErrorContains(t, err, name)
		}
		assert.NotContains(t, err.Error(), "secret")
	})

	t.Run("accepts the minimum", func(t *testing.T) {
		r := config.NewReader(env(map[string]string{"COUNT": "5"}))
		assert.Equal(t, 5, r.Int("COUNT", 9, 5))
		assert.NoError(t, r.Err())
	})
}

func TestStage(t *testing.T) {
	for _, stage := range []config.Stage{config.Local, config.Test, config.Acceptance, config.Production} {
		r := config.NewReader(env(map[string]string{"ENVIRONMENT": string(stage)}))
		assert.Equal(t, stage, r.Stage())
		require.NoError(t, r.Err())
	}
	for _, s := range []string{"", "Production", "prod", "local "} {
		r := config.NewReader(env(map[string]string{"ENVIRONMENT": s}))
		assert.Empty(t, r.Stage())
		require.Error(t, r.Err())
	}
}
