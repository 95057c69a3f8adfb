package letter_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	for _, face := range []string{"regular", "bold", "italic"} {
		file, err := os.ReadFile("fonts/" + face + ".ttf.gz")
		require.NoError(t, err)
		unzipped, err := gzip.NewReader(bytes.NewReader(file))
		require.NoError(t, err)
		ttf, err := io.ReadAll(unzipped)
		require.NoError(t, err)
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
	standIns := map[rune]bool{'\u2010': true, '\u2011': true, '\u02BC': true}
	printed := 0
	for r := range rune(0x1_0000) { // the table has none above
		if standIns[r] || unicode.Is(unicode.Zs, r) || norm.NFC.String(string(r)) != string(r) {
			continue
		}
		if unicode.Is(cancellation.Marks, r) {
			_, err := letter.Printable(string(r))
			require.Error(t, err, "%U: a mark needs a letter", r)
			assert.True(t, inAll(r), "%U", r)
			continue
		}
		want := unicode.IsGraphic(r) && r != utf8.RuneError && inAll(r)
		got, err := letter.Printable(string(r))
		if isPrinted := err == nil && got == string(r); isPrinted != want {
			t.Errorf("%U: printed %t, in the fonts %t", r, isPrinted, want)
		} else if capital := unicode.ToUpper(r); want && !inAll(capital) {
			t.Errorf("%U: cities in capitals need %U", r, capital)
		} else if want {
			printed++
		}
	}
	assert.Equal(t, 1800, printed)
}

// People have names in all of Latin script, so letters print all of it, except what only
// phoneticians write (two blocks, and modifier letters), and reversed Roman numerals.
func TestAllOfLatinScriptIsPrinted(t *testing.T) {
	others := &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x1D00, Hi: 0x1DBF, Stride: 1}, {Lo: 0x2183, Hi: 0x2184, Stride: 1}, {Lo: 0xAB30, Hi: 0xAB6F, Stride: 1},
	}}
	for r := range rune(0x1_0000) {
		isName := unicode.Is(unicode.Latin, r) && unicode.IsLetter(r) && !unicode.In(r, others, unicode.Lm)
		if _, err := letter.Printable(string(r)); isName && err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{
		"Đặng Thị Ngọc Huyền", "Nguyễn Phước Bảo Ưng", // Vietnamese
		"Gülşen İğdır-Şıkoğlu", "Żeżża Ħal Għaxaq", "Siôn ap Ŵyn Llŷr", "GROẞE", // Turkish, Maltese, Welsh, German
		"Ənvər Qəhrəmanov", "Kālani Keliʻi", "Ɗanjuma Ƙwarƙwasa", "Ngũgĩ wa Thiong’o", // Azerbaijani, Hawaiian, Hausa, Gikuyu
		"Ștefăniță Țuțuianu", "Þórður Æðarsson", "Ǯemi Ǧuoʹlǯǯer", "Dvořáková-Ďurišová", // Romanian, Icelandic, Skolt, Czech
		"Đa\u0323\u0306ng Thi\u0323", "Nguye\u0302\u0303n", // as some keyboards send it
	} {
		got, err := letter.Printable(name)
		require.NoError(t, err, name)
		assert.Equal(t, norm.NFC.String(name), got)
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"GROẞE":                      "GROẞE",
		"nai\u0308ve":                "na\u00EFve",
		" a \u00A0\u2003 b\u3000":    "a b",
		"E\u2011Mail\u2010Adresse":   "E-Mail-Adresse",
		"c\u02BCh":                   "c’h",
		"Ｙｕｋｉ":                       "Yuki",
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

// What a template accepts can be printed.
func TestTextIsPrintable(t *testing.T) {
	for _, r := range cancellation.Text.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c++ {
			_, err := letter.Printable(string(c))
			require.NoError(t, err, "%U", c)
		}
	}
	for _, r := range cancellation.Marks.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c++ {
			_, err := letter.Printable("x" + string(c))
			require.NoError(t, err, "%U", c)
		}
	}
}

func TestUnprintableCharacterHasAPosition(t *testing.T) {
	for text, want := range map[string]int{
		"Ivan \uA64B\u0301": 6, "😀": 1, "\u0301a": 1, " \u0301": 2, "e\u0301u\u0323\u0308漢": 3, "ab\xff": 3, "o\u0323\u0300\t": 2,
	} {
		_, err := letter.Printable(text)
		var unprintable *cancellation.UnprintableError
		require.ErrorAs(t, err, &unprintable, "%+q", text)
		assert.Equal(t, want, unprintable.Position, "%+q", text)
	}
}
