package mailroomtest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// PDF returns an A4 letter with an address in the left window.
func PDF(t testing.TB, pages int, address ...string) []byte {
	t.Helper()
	return paper{width: 595, height: 842, pages: pages, address: address}.bytes()
}

// Letter returns a PDF in US letter format.
func Letter(t testing.TB) []byte {
	t.Helper()
	return paper{width: 612, height: 792, pages: 1, address: []string{"Somebody"}}.bytes()
}

// paper is a PDF without compression. Its first object is the tree of its pages.
type paper struct {
	width, height, pages int // points
	address              []string
}

func (p paper) bytes() []byte {
	const pageTree, font, firstPage = 1, 2, 3 // each page has its content after it
	escape := strings.NewReplacer("(", `\(`, ")", `\)`, `\`, `\\`).Replace
	b := bytes.NewBufferString("%PDF-1.4\n")
	var offsets []int
	add := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(b, "%d 0 obj\n%s\nendobj\n", len(offsets), fmt.Sprintf(format, args...))
	}
	var kids, content strings.Builder
	for i, line := range append(p.address, "Dear all,") {
		top := 156 + 14*i // points from the upper edge
		if i == len(p.address) {
			top = 312
		}
		fmt.Fprintf(&content, "BT /F1 11 Tf 71 %d Td (%s) Tj ET\n", p.height-top, escape(line))
	}
	for i := range p.pages {
		fmt.Fprintf(&kids, "%d 0 R ", firstPage+2*i)
	}
	add("<</Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 %d %d]>>", kids.String(), p.pages, p.width, p.height)
	add("<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>")
	for range p.pages {
		add("<</Type /Page /Parent %d 0 R /Resources <</Font <</F1 %d 0 R>>>> /Contents %d 0 R>>", pageTree, font, len(offsets)+2)
		add("<</Length %d>>\nstream\n%sendstream", content.Len(), content.String())
	}
	add("<</Type /Catalog /Pages %d 0 R>>", pageTree)
	xref := b.Len()
	fmt.Fprintf(b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(b, "trailer\n<</Size %d /Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, len(offsets), xref)
	return b.Bytes()
}
