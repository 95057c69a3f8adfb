package textfold_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"aviso/internal/textfold"
)

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"Sparkasse":               "sparkasse",
		"  Credit  du \t Midi ":   "credit du midi",
		"Crédit du Midi":          "credit du midi",
		"Cre\u0301dit du Midi":    "credit du midi",
		"CRÉDIT DU MIDI":          "credit du midi",
		"Österreichische Bank":    "osterreichische bank",
		"Weißbank":                "weissbank",
		"WEIẞBANK":                "weissbank",
		"Øresund Bank":            "oresund bank",
		"Ærø Sparekasse":          "aero sparekasse",
		"Łódzki Bank":             "lodzki bank",
		"Đakovačka banka":         "dakovacka banka",
		"Íslandsbanki Þórshöfn":   "islandsbanki thorshofn",
		"Yapı Kredi":              "yapi kredi",
		"İş Bankası":              "is bankasi",
		"Caisse d'Épargne":        "caisse d epargne",
		"1822direkt":              "1822direkt",
		"N26 (Europe) GmbH & Co.": "n26 europe gmbh co",
		"Bank—Haus":               "bank haus",
		"ﬁnanz ＢＡＮＫ":              "finanz bank",
		"Εθνική Τράπεζα της Ελλάδος": "εθνικη τραπεζα τησ ελλαδοσ",
		"ΕΘΝΙΚΗ ΤΡΑΠΕΖΑ ΤΗΣ ΕΛΛΑΔΟΣ": "εθνικη τραπεζα τησ ελλαδοσ",
		"Сбер Банк":    "сбер банк",
		"***":          "",
		"\xff\xfebank": "bank",
	} {
		t.Run(text, func(t *testing.T) { assert.Equal(t, want, textfold.Name(text)) })
	}

	t.Run("is idempotent", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			once := textfold.Name(rapid.String().Draw(t, "text"))
			assert.Equal(t, once, textfold.Name(once))
		})
	})

	t.Run("is the same with and without the fast way", func(t *testing.T) {
		// The transformers of golang.org/x/text, in which Name was first written.
		reference := func(s string) string {
			chain := transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
			folded, _, err := transform.String(chain, strings.ToLower(s))
			require.NoError(t, err)
			for r, by := range map[string]string{
				"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ς": "σ",
			} {
				folded = strings.ReplaceAll(strings.ToLower(folded), r, by)
			}
			words := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			return strings.Join(words, " ")
		}
		texts := []*rapid.Generator[string]{
			rapid.String(), rapid.StringOf(rapid.RuneFrom(nil, unicode.Latin, unicode.Mn, unicode.Greek)),
			rapid.StringOf(rapid.RuneFrom([]rune("aA zZ09-_/*~@[`{\x7f"))),
		}
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.OneOf(texts...).Draw(t, "text")
			assert.Equal(t, reference(text), textfold.Name(text))
		})
	})
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "toechter": "tochter", "tochter": "tochter", "goethe haus": "gothe haus", "praestoe": "prasto",
		"haarlem": "harlem", "bauer": "baur", "neue": "neu", "aaa": "aa", "aae": "ae", "caixa": "caixa", "東京 ae": "東京 a",
	} {
		assert.Equal(t, want, textfold.Short(text), text)
	}
}
