package mailroom

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
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

// Page sizes are in points of 1/72 inch.
const (
	millimetre = 72 / 25.4
	a4Width    = 210 * millimetre
	a4Height   = 297 * millimetre
	tolerance  = 2 * millimetre
)

// LooksLikePDF reports whether the content starts like a PDF.
func LooksLikePDF(content []byte) bool { return bytes.HasPrefix(content, []byte("%PDF-")) }

// Inspect reads a document's pages. It may return ErrUnreadable. Documents come from the service only, which
// writes them itself, so there is no protection against those that are made to be read endlessly.
func Inspect(content []byte) (PageInfo, error) {
	s := PageInfo{A4: true}
	err := open(content, func(r *pdf.Reader) {
		for s.Pages < r.NumPage() && !r.Page(s.Pages+1).V.IsNull() {
			s.Pages++
			width, height := size(r.Page(s.Pages))
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
		page := r.Page(1)
		if page.Resources().IsNull() {
			return // a page without fonts has no text
		}
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
	r, err := pdf.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	read(r)
	return nil
}

// size returns the width and height of a page, which may have them from its parents.
func size(p pdf.Page) (width, height float64) {
	for v := p.V; !v.IsNull(); v = v.Key("Parent") {
		if box := v.Key("MediaBox"); box.Len() == 4 {
			at := func(i int) float64 { return box.Index(i).Float64() }
			return math.Abs(at(2) - at(0)), math.Abs(at(3) - at(1))
		}
	}
	return 0, 0
}
