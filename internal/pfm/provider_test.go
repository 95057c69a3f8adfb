package pfm_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/fault"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmtest"
)

func TestFoldName(t *testing.T) {
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
		t.Run(text, func(t *testing.T) { assert.Equal(t, want, pfm.FoldName(text)) })
	}

	t.Run("of what is folded is the same", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			once := pfm.FoldName(rapid.String().Draw(t, "text"))
			assert.Equal(t, once, pfm.FoldName(once))
		})
	})
}

// catalogue is a ProviderStore that notes what it was asked for.
type catalogue struct {
	pfm.ProviderStore
	asked pfm.ProviderFilter
	err   error
}

func (c *catalogue) Provider(context.Context, string) (pfm.Provider, error) {
	return pfmtest.Provider(), c.err
}

func (c *catalogue) Providers(_ context.Context, f pfm.ProviderFilter, _ int, _ string) ([]pfm.Provider, string, error) {
	c.asked = f
	return nil, "", nil
}

func TestProviders(t *testing.T) {
	t.Run("are looked for in the spelling of the index", func(t *testing.T) {
		store := &catalogue{}
		_, _, err := pfm.NewProviders(store).List(t.Context(), pfm.ProviderFilter{CountryCode: "de", NamePrefix: " Créd"}, 10, "")
		require.NoError(t, err)
		assert.Equal(t, pfm.ProviderFilter{CountryCode: "DE", NamePrefix: "cred"}, store.asked)
	})

	t.Run("that are not there are not found", func(t *testing.T) {
		_, err := pfm.NewProviders(&catalogue{err: pfm.ErrNotFound}).Get(t.Context(), "x")
		assert.True(t, fault.Is(err, fault.NotFound), err)
	})

	t.Run("that cannot be read are not missing", func(t *testing.T) {
		down := errors.New("down")
		_, err := pfm.NewProviders(&catalogue{err: down}).Get(t.Context(), "x")
		assert.ErrorIs(t, err, down)
	})

	t.Run("give no consent longer than the law", func(t *testing.T) {
		for days, want := range map[int]int{0: 0, 90: 90, 180: 180, 181: 180, 9999: 180} {
			assert.Equal(t, want, pfm.Provider{MaxConsentDays: days}.ConsentDays())
		}
	})
}
