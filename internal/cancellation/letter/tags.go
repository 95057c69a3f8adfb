package letter

import (
	"fmt"
	"strings"
)

// What a text is in the structure of a document, which programs read aloud. A text
// without a role goes on with the text above it, at the same x.
const (
	asText    = "P"
	asTitle   = "H1"
	asSection = "H2"
	asFigure  = "Figure"
	// asDecoration is for what is not read: page numbers, lines.
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

// list returns the content of an element for the numbers of the pages' objects.
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

// begin marks what follows as content of an element. What is decoration is part of none.
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
