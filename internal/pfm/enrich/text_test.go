package enrich

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestFoldIgnoresSpelling(t *testing.T) {
	for _, c := range []struct{ name, text, words string }{
		{"upper case and umlauts", "MÜLLER", "muller"},
		{"umlauts written out", "MUELLER Gruesse", "muller grusse"},
		{"accents", "Crédit à l'Hôtel ÇA", "credit a l hotel ca"},
		{"combining accents", "Cre\u0301dit", "credit"},
		{"letters without accent", "Łódź Øre Straße Æble Cœur", "lodz ore strasse able cour"},
		{"an accented e like a plain one", "Noël NOEL", "nol nol"},
		{"apostrophe before s", "McDonald's L'Oréal DOMINO’S", "mcdonalds l oreal dominos"},
		{"SEPA tags", "SVWZ+Miete Mai EREF+AB12-34 KREF+99 BIC+ABCDEFGH", "miete mai"},
		{"card numbers", "4871 04XX XXXX X911 4106XXXXXXXX0098 3x", "xxxx 3x"},
		{"terminals", "TESCO2041 LIDL 4312 ESSO12 CB*1234", "tesco lidl esso cb"},
		{"short numbers stay", "O2 7-Eleven 1&1", "o2 7 eleven 1 1"},
		{"references are dropped", "P1A2B3C4D5 DE89370400440532013000 Spotify", "spotify"},
		{"digits within a name stay", "Fitness24Seven", "fitness24seven"},
		{"provider's asterisk", "PAYPAL *SPOTIFY ZETTLE_*CAFE", "paypal spotify zettle cafe"},
		{"slashes", "/NAME/J JANSEN/REMI/HUUR", "name j jansen remi huur"},
		{"other scripts", "ΚΑΦΕ Кафе", "καφε кафе"},
		{"no words", " -/*", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.words, strings.Join(foldedWords(c.text), " "))
		})
	}
}

func TestScanAcceptsAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var words text
		scan(&words, rapid.String().Draw(t, "party"), fieldParty, nil)
		scan(&words, strings.Repeat(rapid.String().Draw(t, "note"), rapid.IntRange(1, 100).Draw(t, "times")), fieldNote, nil)
		at := 0
		for _, w := range words.words[:words.count] {
			assert.Equal(t, at, int(w.start), "words have no gaps between them")
			assert.Greater(t, w.end, w.start)
			at = int(w.end)
		}
		assert.LessOrEqual(t, at, maxBytes)
	})
}

func TestFoldIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := foldedWords(rapid.StringMatching(`[A-Za-zÀ-ž' ]{0,40}`).Draw(t, "text"))
		for _, w := range once {
			assert.True(t, utf8.ValidString(w))
		}
		assert.Equal(t, strings.Join(once, " "), strings.Join(foldedWords(strings.Join(once, " ")), " "))
	})
}
