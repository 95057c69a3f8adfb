package fulltext_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/cancellation/fulltext"
)

// word generates words from few letters, so that many are similar.
func word() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune("abö京")), 1, 6, -1)
}

func list() *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		return slices.Compact(slices.Sorted(slices.Values(rapid.SliceOfN(word(), 0, 30).Draw(t, "words"))))
	})
}

func TestWithPrefixReturnsAllWordsWithThePrefix(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l, beginning := list().Draw(t, "list"), word().Draw(t, "beginning")
		var want []string
		for _, w := range l {
			if strings.HasPrefix(w, beginning) {
				want = append(want, w)
			}
		}
		v := fulltext.VocabularyOf(l...)
		s := v.WithPrefix(beginning)
		require.Equal(t, len(want) == 0, s.Empty())
		require.Equal(t, slices.Contains(want, beginning), v.IsWord(s))
		if !s.Empty() {
			require.Equal(t, want, l[s.From:s.To])
			require.Equal(t, beginning, v.Prefix(s))
		}
	})
}

// This makes every possible typo in every prefix of every word.
func TestWithTypoVisitsEveryWordWithOneTypo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l, typed := list().Draw(t, "list"), word().Draw(t, "typed")
		want := map[string]bool{}
		for _, w := range l {
			for i := range len([]rune(w)) + 1 {
				if beginning := string([]rune(w)[:i]); isNear(beginning, typed) {
					want[beginning] = true
				}
			}
		}
		got, v := map[string]bool{}, fulltext.VocabularyOf(l...)
		v.WithTypo(typed, func(s fulltext.Span) {
			require.False(t, s.Empty())
			require.Equal(t, v.WithPrefix(v.Prefix(s)), s)
			got[v.Prefix(s)] = true
		})
		// It may also visit typed itself, which the caller has already looked up.
		delete(want, typed)
		delete(got, typed)
		require.Equal(t, want, got)
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
