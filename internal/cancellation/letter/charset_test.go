package letter_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/letter"
)

// Exactly the letters, numbers, symbols, punctuation and marks that have a glyph in every
// face are printable. Controls, format characters, separators, unassigned and
// private-use characters are not.
func TestPrintedIsWhatAllFontsHave(t *testing.T) {
	var fonts []*sfnt.Font
	for _, ttf := range [][]byte{goregular.TTF, gobold.TTF, goitalic.TTF} {
		font, err := sfnt.Parse(ttf)
		require.NoError(t, err)
		fonts = append(fonts, font)
	}
	var buffer sfnt.Buffer
	inAll := func(r rune) bool {
		for _, font := range fonts {
			if glyph, err := font.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
				return false
			}
		}
		return true
	}
	standIns := map[rune]bool{'ẞ': true, '\u2010': true, '\u2011': true, '\u02BC': true}
	printed := 0
	for r := range rune(0x1_0000) { // the table has none above
		if standIns[r] || unicode.Is(unicode.Zs, r) || norm.NFC.String(string(r)) != string(r) {
			continue
		}
		want := unicode.IsGraphic(r) && r != utf8.RuneError && inAll(r)
		got, err := letter.Printable(string(r))
		if isPrinted := err == nil && got == string(r); isPrinted != want {
			t.Errorf("%U: printed %t, in the fonts %t", r, isPrinted, want)
		} else if want {
			printed++
		}
	}
	assert.Equal(t, 699, printed)
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"GROẞE":                      "GROSSE",
		"nai\u0308ve":                "na\u00EFve",
		" a \u00A0\u2003 b\u3000":    "a b",
		"E\u2011Mail\u2010Adresse":   "E-Mail-Adresse",
		"c\u02BCh":                   "c’h",
		"\u212Bngstro\u0308m \u2126": "Ångström Ω",
		"\u0418\u0306ошкар-Ола":      "Йошкар-Ола",
		"already fine: “ß”, ‘Ĳ’, – € §": "already fine: “ß”, ‘Ĳ’, – € §",
	} {
		got, err := letter.Printable(text)
		require.NoError(t, err, "%+q", text)
		assert.Equal(t, want, got)
	}
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"Jörg", "a\u0308\u0308", "ẞ\u00A0", "\u202Ex", "\xf0\x28", "ﬁ\u0338"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := letter.Printable(text)
		if err != nil {
			var unprintable *cancellation.UnprintableError
			require.ErrorAs(t, err, &unprintable)
			return
		}
		for _, r := range got {
			if r != ' ' {
				assert.True(t, unicode.IsGraphic(r) && !unicode.IsSpace(r), "%U", r)
			}
		}
		again, err := letter.Printable(got)
		require.NoError(t, err)
		assert.Equal(t, got, again)
	})
}
