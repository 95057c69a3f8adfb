package apigateway

import (
	"encoding/base64"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestBase64MatchesTheLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, src := rapid.SliceOf(rapid.Byte()).Draw(t, "before"), rapid.SliceOfN(rapid.Byte(), 0, 1000).Draw(t, "bytes")
		require.Equal(t, base64.StdEncoding.AppendEncode(slices.Clip(before), src), appendBase64(before, src))
	})
}
