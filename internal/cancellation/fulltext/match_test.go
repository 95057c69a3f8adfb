package fulltext_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/cancellation/fulltext"
)

// TestOneTypoIsForgiven compares every beginning of a word with what was typed.
func TestOneTypoIsForgiven(t *testing.T) {
	t.Parallel()
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abяж京")), 1, 7, -1) // few letters, so that many words are similar
	rapid.Check(t, func(t *rapid.T) {
		name, typed := word.Draw(t, "name"), word.Draw(t, "typed")
		if strings.HasPrefix(name, typed) {
			return // without a typo
		}
		letters, whole, beginning := []rune(name), false, false
		for n := 4; n <= len(letters); n++ {
			if isNear(string(letters[:n]), typed) {
				whole, beginning = whole || n == len(letters), true
			}
		}
		found, isWhole := fulltext.WithTypo(name, typed, false)
		require.Equal(t, []bool{whole, whole}, []bool{found, isWhole}, "before the last word")
		found, isWhole = fulltext.WithTypo(name, typed, true)
		require.Equal(t, []bool{beginning, whole}, []bool{found, isWhole}, "the last word")
	})
}

// isNear reports whether two texts differ by one typo.
func isNear(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	for i := range y {
		longer := len(x)+1 == len(y) && slices.Equal(x, slices.Delete(slices.Clone(y), i, i+1))
		wrong := len(x) == len(y) && slices.Equal(x[:i], y[:i]) && slices.Equal(x[i+1:], y[i+1:])
		swapped := len(x) == len(y) && i > 0 && slices.Equal(x[:i-1], y[:i-1]) && x[i-1] == y[i] && x[i] == y[i-1] &&
			slices.Equal(x[i+1:], y[i+1:])
		if longer || wrong || swapped {
			return true
		}
	}
	return false
}
