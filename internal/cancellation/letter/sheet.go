package letter

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// The fonts, cut by make fonts.
var (
	//go:embed fonts/regular.ttf
	regularFont []byte
	//go:embed fonts/bold.ttf
	boldFont []byte
	//go:embed fonts/italic.ttf
	italicFont []byte
)

// face is a style and size of the letters' font family.
type face struct {
	style string  // regular, bold or italic
	size  float64 // in points
}

const (
	regular = ""
	bold    = "B"
	italic  = "I"

	family = "AvisoLetter"
	// signatureName is the name of the signature's image in the document.
	signatureName = "signature"
)

// mm converts points to mm.
func mm(points float64) float64 { return points * 25.4 / 72 }

// sheet draws on A4 pages, in mm from the upper left corner.
type sheet struct{ pdf *fpdf.Fpdf }

// newSheet returns an empty document. Nothing in it depends on the clock or on
// randomness.
func newSheet() *sheet {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetMargins(0, 0, 0)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetCatalogSort(true)
	pdf.AddUTF8FontFromBytes(family, regular, regularFont)
	pdf.AddUTF8FontFromBytes(family, bold, boldFont)
	pdf.AddUTF8FontFromBytes(family, italic, italicFont)
	return &sheet{pdf: pdf}
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
	lines, _ := wrap(text, width, s.pdf.GetStringWidth)
	return lines
}

// whole reports whether lines breaks none of the texts inside a word.
func (s *sheet) whole(texts []string, width float64, f face) bool {
	s.pdf.SetFont(family, f.style, f.size)
	return !slices.ContainsFunc(texts, func(text string) bool {
		_, whole := wrap(text, width, s.pdf.GetStringWidth)
		return !whole
	})
}

func (s *sheet) width(text string, f face) float64 {
	s.pdf.SetFont(family, f.style, f.size)
	return s.pdf.GetStringWidth(text)
}

func (s *sheet) text(x, baseline float64, text string, f face) {
	s.pdf.SetFont(family, f.style, f.size)
	s.pdf.Text(x, baseline, plain(text))
}

// rule draws a thin horizontal line.
func (s *sheet) rule(x, y, length float64) {
	const grey = 0x80
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
