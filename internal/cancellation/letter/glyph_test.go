package letter

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/sfnt"

	"aviso/internal/cancellation"
)

func TestCheck(t *testing.T) {
	w := Writer{}
	for _, text := range []string{
		"", "Jörg Müßiggang", "STRAẞE", "Łódź", "Ďáblická", "Αθήνα", "Київ", "ȘŢ", "2. OG (links), c/o O’Neill & Söhne",
		"na\u00EFve", "nai\u0308ve", "12\u00A0345", "12\u202F345", "50 €", "Geschäftszeichen №\u00A05", "\u2011", "don\u02BCt",
	} {
		assert.NoError(t, w.Check(text), "%+q", text)
	}
	for text, name := range map[string]string{
		"a\nb":              "U+000A line feed",
		"a\rb":              "U+000D carriage return",
		"a\tb":              "U+0009 tab",
		"a\x00":             "U+0000",
		"a\u0085":           "U+0085",
		"a\u200Bb":          "U+200B zero width space",
		"a\u200Db":          "U+200D zero width joiner",
		"\uFEFFa":           "U+FEFF byte order mark",
		"a\u00ADb":          "U+00AD soft hyphen",
		"a\u2028b":          "U+2028 line separator",
		"a\u2029b":          "U+2029 paragraph separator",
		"\u202Egnp.exe":     "U+202E bidirectional control",
		"\u2066a\u2069":     "U+2066 bidirectional control",
		"\u200Fa":           "U+200F right-to-left mark",
		"\u061Ca":           "U+061C arabic letter mark",
		"\u2060":            "U+2060 word joiner",
		"\uE000":            "U+E000",
		"\u0378":            "U+0378",
		"\U0010FFFF":        "U+10FFFF",
		"\uFFFD":            "U+FFFD replacement character",
		"broken \xff UTF-8": "U+FFFD replacement character",
		"\u0331a":           "U+0331",
		"a\u0338":           "U+0338",
		"Ivan 😀":            "U+1F600",
		"漢字":                "U+6F22",
		"שלום":              "U+05E9",
		"\u3164":            "U+3164",
		"\u2800":            "U+2800",
		"\uFE0F":            "U+FE0F",
		"\U000E0041":        "U+E0041",
	} {
		var unprintable *cancellation.UnprintableError
		if assert.ErrorAs(t, w.Check(text), &unprintable, "%+q", text) {
			assert.Equal(t, name, unprintable.Name, "%+q", text)
			assert.Contains(t, unprintable.Error(), name)
		}
	}
}

// everyPrintable returns every character that letters print unchanged. The fonts have
// none beyond the Basic Multilingual Plane.
func everyPrintable(t testing.TB) []rune {
	var all []rune
	for r := rune('!'); r <= 0xFFFF; r++ {
		if got, err := Printable(string(r)); err == nil && got == string(r) {
			all = append(all, r)
		}
	}
	return all
}

// Every character in the blocks of European scripts is either printed with its own glyph
// or rejected. All characters that European languages use are printed.
func TestEveryCharacterHasAGlyph(t *testing.T) {
	all := everyPrintable(t)
	for name, block := range map[string]struct {
		first, last rune
		least       int
	}{
		"ASCII":             {'!', '~', 94},
		"Latin-1":           {0xA1, 0xFF, 94}, // except the soft hyphen
		"Latin Extended-A":  {0x100, 0x17F, 128},
		"Latin Extended-B":  {0x180, 0x24F, 208},
		"Latin, Vietnamese": {0x1E00, 0x1EFF, 256 - 2}, // two compose: ẛ̣
		"Greek, monotonic":  {0x384, 0x3CE, 71},
		"Cyrillic":          {0x400, 0x45F, 96},
		"Romanian":          {0x218, 0x21B, 4},
		"Ukrainian Ghe":     {0x490, 0x491, 2},
		"quotes and dashes": {0x2013, 0x201E, 11},
	} {
		n := 0
		for _, r := range all {
			if block.first <= r && r <= block.last {
				n++
			}
		}
		assert.GreaterOrEqual(t, n, block.least, name)
	}

	for len(all) > 0 {
		n := min(len(all), MaxLength)
		l := sampleLetter("de-DE")
		l.Sender.Name = string(all[:n]) // printed in bold and in regular
		l.Signature.Text = l.Sender.Name
		d := write(t, l)
		text := squeezed(poppler(t, d.PDF, "pdftotext", "-raw"))
		assert.GreaterOrEqual(t, strings.Count(text, l.Sender.Name), 3)
		fonts := embeddedFonts(t, d.PDF)
		require.Len(t, fonts, 3)
		for _, r := range all[:n] {
			for _, font := range fonts {
				assert.True(t, font.draws(r), "%U", r)
			}
		}
		all = all[n:]
	}
}

func TestGlyphTestDetectsMissingGlyphs(t *testing.T) {
	for _, font := range embeddedFonts(t, write(t, sampleLetter("de-DE")).PDF) {
		assert.True(t, font.draws('Å'))
		assert.False(t, font.draws('Ж'), "the text does not contain it, so the subset must not")
		assert.False(t, font.draws(' '))
	}
}

// All fonts have the glyphs in the order that glyphOf assumes.
func TestGlyphOf(t *testing.T) {
	for _, ttf := range faces() {
		font, err := sfnt.Parse(ttf)
		require.NoError(t, err)
		var buffer sfnt.Buffer
		for _, r := range append(everyPrintable(t), ' ', 0) {
			want, err := font.GlyphIndex(&buffer, r)
			require.NoError(t, err)
			assert.Equal(t, int(want), glyphOf(r), "%U", r)
		}
	}
}

// embeddedFont is a font embedded in a PDF: a subset, whose glyphs have the characters' codes.
type embeddedFont struct {
	codes map[rune]int
	*font
}

func (f embeddedFont) draws(r rune) bool {
	code := f.codes[r]
	offsets := f.loca[offsetSize*code:]
	return code > 0 && binary.BigEndian.Uint32(offsets) < binary.BigEndian.Uint32(offsets[offsetSize:])
}

var (
	streamPattern = regexp.MustCompile(`(?s)\n<<([^\n]*)/Length (\d+)>>stream\n`)
	codePattern   = regexp.MustCompile(`<([0-9a-f]{4})><([0-9a-f]{4})>`)
)

// streamsOf returns the uncompressed streams of a PDF with an entry in their dictionaries.
func streamsOf(t *testing.T, pdf []byte, entry string) [][]byte {
	t.Helper()
	var streams [][]byte
	for _, at := range streamPattern.FindAllSubmatchIndex(pdf, -1) {
		if !bytes.Contains(pdf[at[2]:at[3]], []byte(entry)) {
			continue
		}
		length, err := strconv.Atoi(string(pdf[at[4]:at[5]]))
		require.NoError(t, err)
		reader, err := zlib.NewReader(bytes.NewReader(pdf[at[1] : at[1]+length]))
		require.NoError(t, err)
		data, err := io.ReadAll(reader)
		require.NoError(t, err)
		streams = append(streams, data)
	}
	require.NotEmpty(t, streams)
	return streams
}

func embeddedFonts(t *testing.T, pdf []byte) []embeddedFont {
	t.Helper()
	codes := map[rune]int{}
	for _, pair := range codePattern.FindAllSubmatch(streamsOf(t, pdf, "")[0], -1) {
		code, err := strconv.ParseUint(string(pair[1]), 16, 16)
		require.NoError(t, err)
		r, err := strconv.ParseUint(string(pair[2]), 16, 16)
		require.NoError(t, err)
		codes[rune(r)] = int(code)
	}
	var fonts []embeddedFont
	for _, file := range streamsOf(t, pdf, "/Length1") {
		assert.Equal(t, uint32(0xB1B0AFBA), checksum(file), "the sum of a font with its sum")
		fonts = append(fonts, embeddedFont{codes: codes, font: newFont("", file, 0, 0, 0)})
	}
	return fonts
}
