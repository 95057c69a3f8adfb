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

// PageInfo describes a document's pages.
type PageInfo struct {
	Pages int
	// A4 reports whether all pages are A4 portrait.
	A4 bool
}

// ErrUnreadable is returned if a document is not a PDF, or is broken, encrypted or empty.
var ErrUnreadable = errors.New("mailroom: document cannot be read")

// These limits stop malicious documents with endless structures. They are far beyond what
// a carrier accepts.
const maxPages, maxDepth = 500, 32

// Page sizes are in points of 1/72 inch.
const (
	millimetre = 72 / 25.4
	a4Width    = 210 * millimetre
	a4Height   = 297 * millimetre
	tolerance  = 2 * millimetre
)

// LooksLikePDF reports whether the content starts like a PDF.
func LooksLikePDF(content []byte) bool { return bytes.HasPrefix(content, []byte("%PDF-")) }

// Inspect reads a document's pages. It may return ErrUnreadable.
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

// Window returns the text in the envelope's window on the first page, line by line:
// 20–105 mm from the left edge, or from 105 mm with right, and 40–90 mm from the top. The
// library misreads some characters beyond U+00FF, but always finds whether there is text.
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

// joinLines joins glyphs to lines.
func joinLines(texts []pdf.Text, in func(pdf.Text) bool) []string {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t pdf.Text) bool { return !in(t) })
	slices.SortStableFunc(texts, func(a, b pdf.Text) int {
		if math.Abs(a.Y-b.Y) > 2 {
			return cmp.Compare(b.Y, a.Y)
		}
		return cmp.Compare(a.X, b.X)
	})
	var lines []string
	for i, t := range texts {
		if i == 0 || math.Abs(t.Y-texts[i-1].Y) > 2 {
			lines = append(lines, "")
		}
		lines[len(lines)-1] += t.S
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return slices.DeleteFunc(lines, func(l string) bool { return l == "" })
}

// open reads a document. It recovers from panics, because the library panics on some
// broken documents.
func open(content []byte, read func(*pdf.Reader)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: the PDF library panicked", ErrUnreadable)
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

// hugeNumber matches a number of ten million or more where a document declares a count or
// a length.
var hugeNumber = regexp.MustCompile(`(?:/(?:Size|Count|Length|First|Last|N)\s*` +
	`|\bxref\s+[0-9]+\s+|/(?:Index|W)\s*\[[0-9\s]*)[1-9][0-9]{7,}`)

// claimsTooMuch reports whether a document declares such a number. The library allocates
// memory for as many objects as a document declares, whatever its size. No letter has
// that many.
func claimsTooMuch(content []byte) bool { return hugeNumber.Match(content) }

// limitedReaderAt limits how much is read of a document, which may be made to be read
// endlessly.
type limitedReaderAt struct {
	from io.ReaderAt
	left int
}

// maxRead is the limit for one document. The library reads a block for each object that
// it looks at.
const maxRead = 64 << 20

// ReadAt implements io.ReaderAt.
func (b *limitedReaderAt) ReadAt(p []byte, offset int64) (int, error) {
	if b.left -= len(p) + 64; b.left < 0 {
		return 0, errors.New("the document refers to itself endlessly")
	}
	return b.from.ReadAt(p, offset)
}

// size returns the width and height of a page, or zeros if it has none.
func size(p pdf.Page) (width, height float64) {
	box := inherited(p, "MediaBox")
	if box.Len() != 4 {
		return 0, 0
	}
	width = math.Abs(box.Index(2).Float64() - box.Index(0).Float64())
	height = math.Abs(box.Index(3).Float64() - box.Index(1).Float64())
	return width, height
}

// inherited returns an attribute of a page or of its parents. The library's own function
// would loop forever on a document with cyclic parents.
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

// pagesOf returns the pages of a document in order, at most maxPages.
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
