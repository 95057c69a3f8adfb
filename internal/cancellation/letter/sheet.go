package letter

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
)

// The fonts, cut by make fonts.
var (
	//go:embed fonts/regular.ttf.gz
	regularFont []byte
	//go:embed fonts/bold.ttf.gz
	boldFont []byte
	//go:embed fonts/italic.ttf.gz
	italicFont []byte
)

// fonts unpacks the fonts for the first letter. Packed, they take a third less of the binary.
var fonts = sync.OnceValues(func() (map[string][]byte, error) { //nolint:gochecknoglobals // unpacked on first use
	all := map[string][]byte{}
	for style, packed := range map[string][]byte{regular: regularFont, bold: boldFont, italic: italicFont} {
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err == nil {
			all[style], err = io.ReadAll(r)
		}
		if err != nil {
			return nil, fmt.Errorf("unpack font: %w", err)
		}
	}
	return all, nil
})

// face is a style and size of the letters' font family.
type face struct {
	style string  // regular, bold or italic
	size  float64 // in points
}

const (
	regular = ""
	bold    = "B"
	italic  = "I"

	// The levels of grey: of lines, and of text that is read last.
	grey, darkGrey = 0x80, 0x55

	family = "AvisoLetter"
	// signatureName is the name of the signature's image in the document.
	signatureName = "signature"
)

// mm converts points to mm.
func mm(points float64) float64 { return points * 25.4 / 72 }

// sheet draws on A4 pages, in mm from the upper left corner.
type sheet struct{ pdf *fpdf.Fpdf }

// part is a part of a document: a letter or a summary.
type part interface {
	rare() bool
	describe(s *sheet)
	// layOut adds no pages. draw does.
	layOut(s *sheet) (draw func(), err error)
}

// compose lays out the parts and then draws them. The document is described as its first part.
func compose(parts ...part) ([]byte, error) {
	s, err := newSheet(!slices.ContainsFunc(parts, part.rare))
	if err != nil {
		return nil, err
	}
	parts[0].describe(s)
	draws := make([]func(), len(parts))
	for i, p := range parts {
		if draws[i], err = p.layOut(s); err != nil {
			return nil, err
		}
	}
	for _, draw := range draws {
		draw()
	}
	return s.bytes()
}

// newSheet returns an empty document, for texts of common characters or for all. Nothing
// in it depends on the clock or on randomness.
func newSheet(common bool) (*sheet, error) {
	faces, err := fonts()
	if err != nil {
		return nil, err
	}
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetMargins(0, 0, 0)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetCatalogSort(true)
	for style, font := range faces {
		if !common {
			font = mapAll(font)
		}
		pdf.AddUTF8FontFromBytes(family, style, font)
	}
	return &sheet{pdf: pdf}, nil
}

// isCommon reports whether the fonts' first character map has the character, as it is
// and in capitals.
func isCommon(r rune) bool {
	has := func(r rune) bool { return r < 0x180 || r >= 0x2010 && r <= 0x20AC }
	return has(r) && has(unicode.ToUpper(r))
}

// mapAll returns the font with its second character map, of all characters, in place of
// the first one, of the common ones. fpdf reads the first, twice for each letter and
// face, which takes a tenth of the letter's time if it has all.
func mapAll(font []byte) []byte {
	font = bytes.Clone(font)
	const record = 8 // bytes, after the table's version and number of records
	cmap := binary.BigEndian.Uint32(font[bytes.Index(font, []byte("cmap"))+8:]) + 4
	copy(font[cmap:], font[cmap+record:][:record])
	return font
}

// describe sets the document's properties. Its timestamps are the letter's day at
// midnight, so that they do not depend on the time of writing.
func (s *sheet) describe(title, subject, author, language string, day time.Time) {
	s.pdf.SetTitle(title, true)
	s.pdf.SetSubject(subject, true)
	s.pdf.SetAuthor(author, true)
	s.pdf.SetLang(language)
	s.pdf.SetProducer("Aviso", false)
	y, m, d := day.Date()
	at := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	s.pdf.SetCreationDate(at)
	s.pdf.SetModificationDate(at)
}

// lines wraps the text. It is called before the first page is added, so that trying a
// face leaves no trace in the document.
func (s *sheet) lines(text string, width float64, f face) []string {
	s.pdf.SetFont(family, f.style, f.size)
	return wrap(text, width, s.pdf.GetStringWidth)
}

// fitted returns the largest face, from f down to the smallest size, in which lines
// breaks no word of the text.
func (s *sheet) fitted(text string, width float64, f face, smallest float64) face {
	widest := 0.0
	for word := range strings.SplitSeq(text, " ") {
		for _, part := range hyphenated(word) {
			widest = max(widest, s.width(part, f))
		}
	}
	if widest > width {
		f.size = max(math.Floor(10*f.size*width/widest)/10, smallest)
	}
	return f
}

// single reports whether each of the texts takes a single line.
func (s *sheet) single(texts []string, width float64, f face) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return s.width(text, f) > width })
}

func (s *sheet) width(text string, f face) float64 {
	s.pdf.SetFont(family, f.style, f.size)
	return s.pdf.GetStringWidth(text)
}

func (s *sheet) text(x, baseline float64, text string, f face) {
	s.pdf.SetFont(family, f.style, f.size)
	s.pdf.Text(x, baseline, plain(text))
}

// draw draws rows.
func (s *sheet) draw(rows []placed) {
	for _, p := range rows {
		if p.row.grey {
			s.pdf.SetTextColor(darkGrey, darkGrey, darkGrey)
		}
		for _, r := range p.row.runs {
			s.text(r.x, p.row.baseline(p.y), r.text, r.face)
		}
		if p.row.grey {
			s.pdf.SetTextColor(0, 0, 0)
		}
		if p.row.line > 0 {
			s.rule(leftMargin, p.y+p.row.height, p.row.line)
		}
		if p.row.picture != nil {
			s.image(leftMargin, p.y, *p.row.picture)
		}
	}
}

// rule draws a thin horizontal line.
func (s *sheet) rule(x, y, length float64) {
	s.pdf.SetDrawColor(grey, grey, grey)
	s.pdf.SetLineWidth(0.2)
	s.pdf.Line(x, y, x+length, y)
}

func (s *sheet) image(x, y float64, p picture) {
	options := fpdf.ImageOptions{ImageType: "png"}
	s.pdf.RegisterImageOptionsReader(signatureName, options, bytes.NewReader(p.png))
	s.pdf.ImageOptions(signatureName, x, y, p.width, p.height, false, options, 0, "")
}

func (s *sheet) bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := s.pdf.Output(&b); err != nil {
		return nil, fmt.Errorf("write PDF: %w", err)
	}
	return b.Bytes(), nil
}
