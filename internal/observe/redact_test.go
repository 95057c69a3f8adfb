package observe_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
)

func TestSecretsAreNeverShown(t *testing.T) {
	const secret = "whsec_c2VjcmV0"
	type holder struct{ Secret observe.Secret }
	type hidden struct {
		observe.Hidden
		Text string
	}
	whole := hidden{Text: secret}
	for name, value := range map[string]any{
		"a secret":        observe.Secret(secret),
		"in a struct":     holder{secret},
		"a hidden struct": whole,
		"a pointer to a hidden struct": struct {
			Name string
			Ptr  *hidden
		}{"n", &whole},
		"in a list": []observe.Secret{secret},
		"in a map":  map[string]observe.Secret{"a": secret},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
				fmt.Fprintf(&out, verb+"\n", value)
			}
			slog.New(slog.NewTextHandler(&out, nil)).Info("m", "value", value)
			slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "value", value)
			require.NoError(t, json.NewEncoder(&out).Encode(value))

			assert.NotContains(t, out.String(), secret)
			assert.NotContains(t, out.String(), hex.EncodeToString([]byte(secret)))
			assert.Contains(t, out.String(), "[secret]")
		})
	}
	assert.Equal(t, "[secret]", observe.Secret(secret).String())
}

func TestSecretsCanBeDecoded(t *testing.T) {
	var s struct{ Secret observe.Secret }
	require.NoError(t, json.Unmarshal([]byte(`{"secret":"abc"}`), &s))
	assert.Equal(t, "abc", string(s.Secret))
}
