package letter

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"
)

// fontFiles are cut by .ci/fonts/cut.py. They are linked compressed, at half their size.
//
//go:embed fonts/*.ttf.gz
var fontFiles embed.FS

// faces has the files of the styles. The first letter of an instance decompresses them, which takes about 6 ms.
var faces = sync.OnceValue(func() [italic + 1][]byte {
	return [...][]byte{regular: decompress("regular"), bold: decompress("bold"), italic: decompress("italic")}
})

func decompress(face string) []byte {
	file, err := fontFiles.Open("fonts/" + face + ".ttf.gz")
	var unzipped *gzip.Reader
	if err == nil {
		unzipped, err = gzip.NewReader(file)
	}
	var ttf []byte
	if err == nil {
		ttf, err = io.ReadAll(unzipped)
	}
	if err != nil { // every letter of the tests reads them
		panic(fmt.Sprintf("font %s: %v", face, err))
	}
	return ttf
}

// The styles of the letters' font family.
type style int

const (
	regular style = iota
	bold
	italic
)

const (
	// space is the glyph after the glyph for missing characters.
	space = 1
	// The sizes of a table's record at the start of a font, of a glyph's width and of its offset.
	recordSize, widthSize, offsetSize = 16, 4, 4
)

// font is a font of the family. Its tables are parts of the file, without a copy.
type font struct {
	name                               string
	flags, angle, stem                 int // for the font's descriptor
	head, hhea, maxp, hmtx, loca, glyf []byte
	used                               map[string]bool // by the document
}

func newFont(name string, ttf []byte, flags, angle, stem int) *font {
	f := &font{name: "AvisoLetter-" + name, flags: flags, angle: angle, stem: stem, used: map[string]bool{}}
	tables := map[string]*[]byte{
		"head": &f.head, "hhea": &f.hhea, "maxp": &f.maxp, "hmtx": &f.hmtx, "loca": &f.loca, "glyf": &f.glyf,
	}
	for i := range int(binary.BigEndian.Uint16(ttf[4:])) {
		record := ttf[12+i*recordSize:]
		if table := tables[string(record[:4])]; table != nil {
			*table = ttf[binary.BigEndian.Uint32(record[8:]):][:binary.BigEndian.Uint32(record[12:])]
		}
	}
	return f
}

// glyphOf returns a character's glyph. All fonts have glyphs in the order of the
// characters.
func glyphOf(r rune) int {
	if r == ' ' || r == '\u00A0' {
		return space
	}
	glyph := space + 1
	for _, characters := range glyphs.R16 {
		first, last := rune(characters.Lo), rune(characters.Hi)
		if r < first {
			break
		}
		if r <= last {
			return glyph + int(r-first)
		}
		glyph += int(last-first) + 1
	}
	return 0
}

// advance returns the width of a character in units of the font. Marks have none.
func (f *font) advance(r rune) int {
	return int(binary.BigEndian.Uint16(f.hmtx[widthSize*glyphOf(r):]))
}

// width returns the width of a character in thousandths of the font's size.
func (f *font) width(r rune) int {
	const unitsPerEm = 2048
	return (f.advance(r)*1000 + unitsPerEm/2) / unitsPerEm
}

// outline returns how a glyph is drawn, which is empty for a space.
func (f *font) outline(glyph int) []byte {
	offsets := f.loca[offsetSize*glyph:]
	return f.glyf[binary.BigEndian.Uint32(offsets):binary.BigEndian.Uint32(offsets[offsetSize:])]
}

// subset returns a font with only the used glyphs, numbered by the characters' codes.
func (f *font) subset(characters []string, codes map[string]uint16) []byte {
	var hmtx, loca, glyf []byte
	for code, cluster := range characters {
		r, size := utf8.DecodeRuneInString(cluster)
		glyph := glyphOf(r)
		metrics := f.hmtx[widthSize*glyph:][:widthSize]
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		switch {
		case !f.used[cluster] && code > 0:
		case size < len(cluster):
			all, covered := f.components(cluster)
			metrics = binary.BigEndian.AppendUint16(slices.Clone(metrics[:2]), uint16(covered.left)) // #nosec G115 -- signed
			glyf = append(glyf, composite(all, covered, codes)...)
			glyf = append(glyf, make([]byte, -len(glyf)&3)...)
		default:
			glyf = append(glyf, f.outline(glyph)...)
		}
		hmtx = append(hmtx, metrics...)
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	count := binary.BigEndian.AppendUint16(nil, uint16(len(characters)))
	hhea := slices.Concat(f.hhea[:34], count)
	maxp := slices.Concat(f.maxp[:4], count, f.maxp[6:])
	head := bytes.Clone(f.head)
	const sumAt = 8 // the sum of the whole font
	clear(head[sumAt:][:4])

	names := []string{"glyf", "head", "hhea", "hmtx", "loca", "maxp"}
	tables := [][]byte{glyf, head, hhea, hmtx, loca, maxp}
	out := slices.Concat([]byte{0, 1, 0, 0, 0, 6, 0, 64, 0, 2, 0, 32}, make([]byte, len(tables)*recordSize))
	headAt := 0
	for i, table := range tables {
		record := out[12+i*recordSize:]
		copy(record, names[i])
		binary.BigEndian.PutUint32(record[4:], checksum(table))
		binary.BigEndian.PutUint32(record[8:], uint32(len(out)))
		binary.BigEndian.PutUint32(record[12:], uint32(len(table)))
		if names[i] == "head" {
			headAt = len(out)
		}
		out = append(append(out, table...), make([]byte, -len(table)&3)...)
	}
	binary.BigEndian.PutUint32(out[headAt+sumAt:], 0xB1B0AFBA-checksum(out))
	return out
}

// checksum returns the sum of a font or of its table, as 32-bit numbers.
func checksum(data []byte) uint32 {
	var sum uint32
	for len(data) >= 4 {
		sum += binary.BigEndian.Uint32(data)
		data = data[4:]
	}
	var rest [4]byte
	copy(rest[:], data)
	return sum + binary.BigEndian.Uint32(rest[:])
}
