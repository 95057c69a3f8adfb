package jsonwriter

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestStringsMatchEncodingJSON(t *testing.T) {
	t.Parallel()
	check := func(t require.TestingT, s string) {
		var want, got string
		quoted, err := json.Marshal(s)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(quoted, &want))
		require.NoError(t, json.Unmarshal(String(nil, s), &got))
		require.Equal(t, want, got)
	}
	t.Run("any byte at any position", func(t *testing.T) {
		t.Parallel()
		for c := range 256 {
			for at := range 20 {
				check(t, strings.Repeat("a", at)+string([]byte{byte(c)})+strings.Repeat("~", 19-at))
			}
		}
	})
	t.Run("any text", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			check(t, rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~\x00-\x20\x7f-\xff]{0,40}`)).Draw(t, "text"))
		})
	})
	t.Run("recognizes plain text", func(t *testing.T) {
		t.Parallel()
		assert.True(t, plain("1b4e28ba-2fa1-4d1e-883f-0016d3cca427 !~"))
		assert.True(t, plain(""))
	})
}
