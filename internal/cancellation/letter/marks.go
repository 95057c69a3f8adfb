package letter

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/cancellation"
)

// A letter with marks that has no character of its own, such as the last one of Adébáyọ̀, is printed as one glyph,
// which is composed of the font's glyphs. All else in this package sees one character: a code, a width, a text.

// isMark reports whether a character is drawn on the character before it.
func isMark(r rune) bool { return r >= '\u0300' && unicode.Is(cancellation.Marks, r) }

// firstCluster returns the first character of a text, with its marks.
func firstCluster(text string) string {
	_, end := utf8.DecodeRuneInString(text)
	for end < len(text) && text[end] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isMark(r) {
			break
		}
		end += size
	}
	return text[:end]
}

// component is a glyph of a composed one, and by how much it is moved, in units of the font.
type component struct {
	character rune
	x, y      int
}

// box is the smallest rectangle around a glyph, in units of the font.
type box struct{ left, bottom, right, top int }

func (b box) with(other box) box {
	return box{
		min(b.left, other.left), min(b.bottom, other.bottom), max(b.right, other.right), max(b.top, other.top),
	}
}

// box returns the box of a character, which is empty if its glyph is.
func (f *font) box(r rune) box {
	outline := f.outline(glyphOf(r))
	if len(outline) == 0 {
		return box{}
	}
	side := func(i int) int { return int(int16(binary.BigEndian.Uint16(outline[2*i:]))) } // #nosec G115 -- signed there
	return box{left: side(1), bottom: side(2), right: side(3), top: side(4)}
}

const (
	// markGap is between a letter and a mark, and between two marks, as in precomposed letters.
	markGap = 90
	// mostStacked marks are placed over each other; others cover the last of them, so that no text of a partner
	// reaches the lines above.
	mostStacked = 3
)

// components returns the glyphs of a character with its marks, and their box. Marks are centred over or under the
// character, along the slant of an italic font, in the order of their combining classes.
func (f *font) components(cluster string) ([]component, box) {
	characters := []rune(cluster)
	all := []component{{character: undotted(characters)}}
	base := f.box(all[0].character)
	covered := base
	lean := math.Tan(-float64(f.angle) * math.Pi / 180)
	for i, r := range characters[1:] {
		mark := f.box(r)
		c := component{character: r, x: (base.left + base.right - mark.left - mark.right) / 2}
		switch norm.NFC.PropertiesString(string(r)).CCC() {
		case 230: // above
			c.y = covered.top + markGap - mark.bottom
		case 202: // attached below: cedilla, ogonek
			c.y = base.bottom - mark.top
		case 216: // attached above right: horn
			c.x, c.y = base.right-(mark.left+mark.right)/2, base.top-mark.bottom-3*(mark.top-mark.bottom)/4
		case 232: // comma above right
			c.x, c.y = base.right-mark.left, max(0, base.top-mark.top)
		case 233: // below this letter and the next
			c.x, c.y = f.advance(all[0].character)-(mark.left+mark.right)/2, covered.bottom-markGap-mark.top
		default: // below
			c.y = covered.bottom - markGap - mark.top
		}
		c.x += int(lean * float64(mark.bottom+mark.top+2*c.y-base.bottom-base.top) / 2)
		if last := all[len(all)-1]; i >= mostStacked {
			c.y = last.y
		}
		all = append(all, c)
		covered = covered.with(box{mark.left + c.x, mark.bottom + c.y, mark.right + c.x, mark.top + c.y})
	}
	return all, covered
}

// undotted returns the first character, without a dot if a mark is above it.
func undotted(characters []rune) rune {
	for _, r := range characters[1:] {
		if norm.NFC.PropertiesString(string(r)).CCC() == 230 {
			switch characters[0] {
			case 'i':
				return 'ı'
			case 'j':
				return 'ȷ'
			}
		}
	}
	return characters[0]
}

// composite returns a glyph of glyphs, which have the codes of their characters.
func composite(all []component, covered box, codes map[string]uint16) []byte {
	const (
		wordsAreOffsets, more = 0x1 | 0x2, 0x20
		countOfComposite      = 0xFFFF
	)
	glyph := binary.BigEndian.AppendUint16(nil, countOfComposite)
	put := func(values ...int) {
		for _, v := range values {
			glyph = binary.BigEndian.AppendUint16(glyph, uint16(v)) // #nosec G115 -- the font's units
		}
	}
	put(covered.left, covered.bottom, covered.right, covered.top)
	for i, c := range all {
		flags := wordsAreOffsets
		if i < len(all)-1 {
			flags |= more
		}
		put(flags, int(codes[string(c.character)]), c.x, c.y)
	}
	return glyph
}
