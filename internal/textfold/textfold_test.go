package textfold_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
}
