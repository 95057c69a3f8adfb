package mailroom

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/ledongthuc/pdf"
)

// PageInfo is what is known of a document's pages.
type PageInfo struct {
	Pages int
	// A4 tells whether all of them are A4, upright.
	A4 bool
}

// ErrUnreadable says that a document is no PDF, is broken, encrypted or empty.
var ErrUnreadable = errors.New("mailroom: document cannot be read")

// Bounds for documents that are meant to be endless: far beyond what a carrier
// takes.
const maxPages, maxDepth = 500, 32

// The measures of a page, in points of 1/72 inch.
const (
	millimetre = 72 / 25.4
	a4Width    = 210 * millimetre
	a4Height   = 297 * millimetre
	tolerance  = 2 * millimetre
)

// LooksLikePDF tells whether the first bytes are those of a PDF.
func LooksLikePDF(content []byte) bool { return bytes.HasPrefix(content, []byte("%PDF-")) }

// Inspect reads a document's pages, or answers ErrUnreadable.
func Inspect(content []byte) (PageInfo, error) {
	var s PageInfo
	err := open(content, func(r *pdf.Reader) {
		all := pagesOf(r)
		s = PageInfo{Pages: len(all), A4: true}
		for _, p := range all {
			width, height := size(p)
			s.A4 = s.A4 && math.Abs(width-a4Width) <= tolerance && math.Abs(height-a4Height) <= tolerance
		}
	})
	if err == nil && s.Pages == 0 {
		err = ErrUnreadable
	}
	return s, err
}

// Window is the text in the window of the envelope on the first page, its lines
// from above: 20–105 mm from the left edge, or from 105 mm on the right, and
// 40–90 mm from the top. The library takes some characters beyond U+00FF for
// others; whether there is text at all is not touched by that.
func Window(content []byte, right bool) (string, error) {
	var lines []string
	err := open(content, func(r *pdf.Reader) {
		all := pagesOf(r)
		if len(all) == 0 || inherited(all[0], "Resources").IsNull() {
			return // a page without fonts has no text
		}
		page := all[0]
		_, height := size(page)
		from, to := 20*millimetre, 105*millimetre
		if right {
			from, to = 105*millimetre, 200*millimetre
		}
		lines = joinLines(page.Content().Text, func(t pdf.Text) bool {
			top := height - t.Y
			return t.X >= from && t.X < to && top >= 40*millimetre && top <= 90*millimetre
		})
	})
	return strings.Join(lines, "\n"), err
}

// joinLines puts glyphs together to lines.
func joinLines(texts []pdf.Text, in func(pdf.Text) bool) []string {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t pdf.Text) bool { return !in(t) })
	slices.SortStableFunc(texts, func(a, b pdf.Text) int {
		if math.Abs(a.Y-b.Y) > 2 {
			return cmp.Compare(b.Y, a.Y)
		}
		return cmp.Compare(a.X, b.X)
	})
	var lines []string
	var line strings.Builder
	for i, t := range texts {
		if i > 0 && math.Abs(t.Y-texts[i-1].Y) > 2 {
			lines = append(lines, strings.TrimSpace(line.String()))
			line.Reset()
		}
		line.WriteString(t.S)
	}
	lines = append(lines, strings.TrimSpace(line.String()))
	return slices.DeleteFunc(lines, func(l string) bool { return l == "" })
}

// open has a document read. The library panics over some broken documents.
func open(content []byte, read func(*pdf.Reader)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: the reader gave up", ErrUnreadable)
		}
	}()
	if !LooksLikePDF(content) || claimsTooMuch(content) {
		return ErrUnreadable
	}
	r, err := pdf.NewReader(&limitedReaderAt{bytes.NewReader(content), maxRead}, int64(len(content)))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	read(r)
	return nil
}

// hugeNumber is a number of ten million or more where a document says how many of
// something it has, or how long it is.
var hugeNumber = regexp.MustCompile(`(?:/(?:Size|Count|Length|First|Last|N)\s*|\bxref\s+[0-9]+\s+|/(?:Index|W)\s*\[[0-9\s]*)[1-9][0-9]{7,}`)

// claimsTooMuch tells whether a document names such a number: the library makes room
// for as many objects as a document says it has, whatever its size. No letter
// has that many of anything.
func claimsTooMuch(content []byte) bool { return hugeNumber.Match(content) }

// limitedReaderAt ends the reading of a document that is meant to be read for ever.
type limitedReaderAt struct {
	from io.ReaderAt
	left int
}

// maxRead is how much is read of a document in all: the library reads a block for
// each object that it looks at.
const maxRead = 64 << 20

// ReadAt is io.ReaderAt's.
func (b *limitedReaderAt) ReadAt(p []byte, offset int64) (int, error) {
	if b.left -= len(p) + 64; b.left < 0 {
		return 0, errors.New("the document goes round in circles")
	}
	return b.from.ReadAt(p, offset)
}

// size is the width and height of a page, zero where it says nothing.
func size(p pdf.Page) (width, height float64) {
	box := inherited(p, "MediaBox")
	if box.Len() != 4 {
		return 0, 0
	}
	width = math.Abs(box.Index(2).Float64() - box.Index(0).Float64())
	height = math.Abs(box.Index(3).Float64() - box.Index(1).Float64())
	return width, height
}

// inherited is an attribute of a page, or of what stands above it. The library
// has the same, but follows a document whose pages stand above each other for
// ever.
func inherited(p pdf.Page, key string) pdf.Value {
	v := p.V
	for range maxDepth {
		if found := v.Key(key); !found.IsNull() {
			return found
		}
		v = v.Key("Parent")
	}
	return pdf.Value{}
}

// sheets are the pages of a document, in their order; at most maxPages.
func pagesOf(r *pdf.Reader) []pdf.Page {
	var out []pdf.Page
	budget := 2 * maxPages
	var walk func(node pdf.Value, depth int)
	walk = func(node pdf.Value, depth int) {
		budget--
		if depth > maxDepth || budget < 0 || len(out) == maxPages {
			return
		}
		if node.Key("Type").Name() == "Page" {
			out = append(out, pdf.Page{V: node})
			return
		}
		kids := node.Key("Kids")
		for i := range kids.Len() {
			walk(kids.Index(i), depth+1)
		}
	}
	walk(r.Trailer().Key("Root").Key("Pages"), 0)
	return out
}
