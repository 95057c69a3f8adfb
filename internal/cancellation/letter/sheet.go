package letter

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
)

// face is a style of the one family, in points.
type face struct {
	style string // regular, bold or italic
	size  float64
}

const (
	regular = ""
	bold    = "B"
	italic  = "I"

	family = "Go"
	// hand is the name of the signature's image in the document.
	hand = "signature"
)

// mm is a length given in points.
func mm(points float64) float64 { return points * 25.4 / 72 }

// sheet draws on A4, in mm from the upper left corner.
type sheet struct{ pdf *fpdf.Fpdf }

// newSheet makes an empty document. Nothing in it comes from the clock or from
// chance.
func newSheet() *sheet {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetMargins(0, 0, 0)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetCatalogSort(true)
	pdf.AddUTF8FontFromBytes(family, regular, goregular.TTF)
	pdf.AddUTF8FontFromBytes(family, bold, gobold.TTF)
	pdf.AddUTF8FontFromBytes(family, italic, goitalic.TTF)
	return &sheet{pdf: pdf}
}

// describe fills in what a reader shows as the document's properties. The day is
// that of the letter, whatever hour it was made at.
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

// lines wraps the text. It is asked before the first page is begun, so that
// trying a face leaves no trace in the document.
func (s *sheet) lines(text string, width float64, f face) []string {
	s.pdf.SetFont(family, f.style, f.size)
	return wrap(text, width, s.pdf.GetStringWidth)
}

func (s *sheet) width(text string, f face) float64 {
	s.pdf.SetFont(family, f.style, f.size)
	return s.pdf.GetStringWidth(text)
}

func (s *sheet) text(x, baseline float64, text string, f face) {
	s.pdf.SetFont(family, f.style, f.size)
	s.pdf.Text(x, baseline, strings.ReplaceAll(text, nbsp, " "))
}

// rule is a hairline across.
func (s *sheet) rule(x, y, length float64) {
	const grey = 0x80
	s.pdf.SetDrawColor(grey, grey, grey)
	s.pdf.SetLineWidth(0.2)
	s.pdf.Line(x, y, x+length, y)
}

func (s *sheet) image(x, y float64, p picture) {
	options := fpdf.ImageOptions{ImageType: "png"}
	s.pdf.RegisterImageOptionsReader(hand, options, bytes.NewReader(p.png))
	s.pdf.ImageOptions(hand, x, y, p.width, p.height, false, options, 0, "")
}

func (s *sheet) bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := s.pdf.Output(&b); err != nil {
		return nil, fmt.Errorf("write PDF: %w", err)
	}
	return b.Bytes(), nil
}
