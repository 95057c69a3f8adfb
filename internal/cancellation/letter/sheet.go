package letter

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// face is a style and size of the letters' font family.
type face struct {
	style style
	size  float64 // in points
}

const (
	// The shades of lines, and of the least important text. Black is 0.
	grey, darkGrey = 0.5, 0.333

	pageHeight = 297.0
	// signatureName is the name of the signature's image in the document.
	signatureName = "Signature"
)

// mm converts points to mm, and points converts mm to points.
func mm(points float64) float64 { return points * 25.4 / 72 }
func points(mm float64) float64 { return mm * 72 / 25.4 }

// properties are the properties of a document. Its timestamps are the day at midnight, so that they do not depend on
// the time of writing.
type properties struct {
	title, subject, author, language string
	day                              time.Time
}

// sheet draws on A4 pages, in mm from the upper left corner. Nothing in it depends on the
// clock or on randomness.
type sheet struct {
	properties
	fonts [3]*font
	// characters has the texts' characters, with their marks, by code, and codes the reverse. Code 0 stands for
	// missing characters.
	characters []string
	codes      map[string]uint16
	pages      []*page
	picture    *picture
	elements   []*element
	decoration *element
	// columns has the elements for texts without a role, by x.
	columns map[float64]*element
}

func newSheet() *sheet {
	return &sheet{
		fonts: [...]*font{
			regular: newFont("Regular", faces()[regular], 4, 0, 88), bold: newFont("Bold", faces()[bold], 4, 0, 166),
			italic: newFont("Italic", faces()[italic], 4|64, -12, 88),
		},
		characters: []string{""}, codes: map[string]uint16{}, columns: map[float64]*element{},
		decoration: &element{role: asDecoration},
	}
}

// paper is a letter or a summary.
type paper interface {
	properties() properties
	// drawOn adds its pages.
	drawOn(s *sheet) error
}

// compose returns a document of papers, with the properties of the first.
func compose(papers ...paper) ([]byte, error) {
	s := newSheet()
	s.properties = papers[0].properties()
	for _, p := range papers {
		if err := p.drawOn(s); err != nil {
			return nil, err
		}
	}
	return s.bytes(), nil
}

func (s *sheet) lines(text string, width float64, f face) []string {
	return wrap(text, width, func(text string) float64 { return s.width(text, f) })
}

// fitted returns the largest face, from f down to the smallest size, in which lines breaks no word of the text.
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
	sum := 0
	for _, r := range text {
		sum += s.fonts[f.style].width(r)
	}
	return float64(sum) * mm(f.size) / 1000
}

// draw draws rows.
func (s *sheet) draw(rows []placed) {
	for _, p := range rows {
		for _, r := range p.runs {
			s.text(r, p.baseline(p.y), p.shade)
		}
		if p.line > 0 {
			s.rule(leftMargin, p.y+p.height, p.line)
		}
		if p.picture != nil {
			s.image(leftMargin, p.y, p.picture)
		}
	}
}

func (s *sheet) addPage() { s.pages = append(s.pages, &page{}) }

// put writes operators for the page, as part of an element.
func (s *sheet) put(e *element, format string, args ...any) {
	last := len(s.pages) - 1
	p := s.pages[last]
	p.begin(e, last)
	p.content = fmt.Appendf(p.content, format, args...)
}

func (s *sheet) text(r run, baseline, shade float64) {
	e := s.decoration
	switch r.role {
	case asDecoration:
	case "":
		e = s.columns[r.x]
	default:
		e = s.newElement(r.role, "")
		s.columns[r.x] = e
	}
	s.put(e, "BT %.3f g /F%d %.2f Tf %.2f %.2f Td (%s) Tj ET\n", shade, r.face.style, r.face.size,
		points(r.x), points(pageHeight-baseline), s.encode(plain(r.text), s.fonts[r.face.style]))
}

// encode returns the text as a string of codes of two bytes.
func (s *sheet) encode(text string, f *font) string {
	var codes []byte
	for text != "" {
		character := firstCluster(text)
		if utf8.RuneCountInString(character) > 1 {
			all, _ := f.components(character)
			for _, c := range all {
				s.codeOf(string(c.character), f)
			}
		}
		codes = binary.BigEndian.AppendUint16(codes, s.codeOf(character, f))
		text = text[len(character):]
	}
	return escaped.Replace(string(codes))
}

// codeOf returns the code of a character, which the font then has.
func (s *sheet) codeOf(character string, f *font) uint16 {
	code, known := s.codes[character]
	if !known {
		code = uint16(len(s.characters))
		s.codes[character] = code
		s.characters = append(s.characters, character)
	}
	f.used[character] = true
	return code
}

// escaped escapes the special characters of a string in a PDF.
var escaped = strings.NewReplacer("\r", `\r`, "(", `\(`, ")", `\)`, `\`, `\\`) //nolint:gochecknoglobals // fixed

// rule draws a thin horizontal line.
func (s *sheet) rule(x, y, length float64) {
	s.put(s.decoration, "%.3f G 0.57 w %.2f %.2f m %.2f %.2[3]f l S\n", grey, points(x), points(pageHeight-y),
		points(x+length))
}

// image draws the signature.
func (s *sheet) image(x, y float64, p *picture) {
	s.picture = p
	s.put(s.newFigure(s.author), "q %.2f 0 0 %.2f %.2f %.2f cm /%s Do Q\n",
		points(p.width), points(p.height), points(x), points(pageHeight-y-p.height), signatureName)
}

// The role of a text in the structure of a document, which programs read aloud. A text without a role continues the
// text above it, at the same x.
const (
	asText    = "P"
	asTitle   = "H1"
	asSection = "H2"
	asFigure  = "Figure"
	// asDecoration is for parts that are not read: page numbers, lines.
	asDecoration = "Artifact"
)

// element is an element of the structure.
type element struct {
	role    string
	entries string // of its dictionary
	parts   []part
	number  int // of its object
}

// part is marked content of an element.
type part struct{ page, id int }

// newElement adds an element to the document.
func (s *sheet) newElement(role, entries string) *element {
	e := &element{role: role, entries: entries}
	s.elements = append(s.elements, e)
	return e
}

// newFigure adds a picture that has a text to be read.
func (s *sheet) newFigure(text string) *element { return s.newElement(asFigure, "/Alt"+pdfText(text)) }

// list returns the content of an element, given the object numbers of the pages.
func (e *element) list(pages []int) string {
	var b strings.Builder
	for _, p := range e.parts {
		fmt.Fprintf(&b, "<</Type/MCR/Pg %d 0 R/MCID %d>>", pages[p.page], p.id)
	}
	return b.String()
}

// page is the content of a page.
type page struct {
	content []byte // operators
	open    *element
	// marked are the elements of the page's marked content, by ID.
	marked []*element
}

// begin marks the following content as part of an element. Decoration belongs to none.
func (p *page) begin(e *element, number int) {
	if p.open == e {
		return
	}
	p.end()
	p.open = e
	if e.role == asDecoration {
		p.content = append(p.content, "/Artifact BMC\n"...)
		return
	}
	id := len(p.marked)
	p.content = fmt.Appendf(p.content, "/%s <</MCID %d>> BDC\n", e.role, id)
	p.marked = append(p.marked, e)
	e.parts = append(e.parts, part{number, id})
}

func (p *page) end() {
	if p.open != nil {
		p.content = append(p.content, "EMC\n"...)
		p.open = nil
	}
}
