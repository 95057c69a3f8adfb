package letter

import (
	"strconv"
	"strings"

	"aviso/internal/cancellation"
)

// The font size of the body in points, its line height and gaps in mm.
const (
	textSize     = 10.5
	textPitch    = 5.0
	paragraphGap = 2.7
	// signatureLine is the length of the line to sign on in mm.
	signatureLine = 80.0
)

// composer composes one letter.
type composer struct {
	letter    cancellation.Letter
	words     wording
	signature picture // empty if the signature is text
	values    *strings.Replacer
}

// newComposer returns the composer of a letter.
func newComposer(l cancellation.Letter, words wording, signature picture) *composer {
	end := l.End
	values := []string{"product", l.Product, "organization", l.Organization, "date", words.formatDate(l.Date),
		"email", l.ReplyTo()}
	if o := l.Objection; o != nil {
		end = o.EndedOn
		values = append(values, "sent", words.formatDate(o.SentOn), "debits", words.debits(*o), "digest", o.SHA256)
	}
	reason, facts, article := words.reason(l.Reason)
	values = append(values, "reason", reason, "facts", facts, "article", article,
		"since", words.unbrokenDate(l.Reason.Date.Day()), "end", words.unbrokenDate(end))
	return &composer{letter: l, words: words, signature: signature, values: placeholders(values...)}
}

func (c *composer) properties() properties {
	return properties{plain(c.title()), plain(c.subject()), c.letter.Sender.Name, string(c.letter.Locale), c.letter.Date}
}

// drawOn lays out the letter and then draws it.
func (c *composer) drawOn(s *sheet) error {
	head, y, err := c.head(s)
	if err != nil {
		return err
	}
	pages := paginate(c.body(s), y)
	pages[0] = append(head, pages[0]...)
	numbers := make([][]placed, len(pages))
	if len(pages) > 1 {
		numbers = c.words.pageNumbers(s, len(pages))
	}
	for i, rows := range pages {
		s.addPage()
		if i == 0 {
			s.rule(4, upperFold, 4)
			s.rule(4, hole, 6)
			s.rule(4, lowerFold, 4)
		}
		s.draw(append(rows, numbers[i]...))
	}
	return nil
}

// filled replaces the placeholders of the letter in a text.
func (c *composer) filled(text string) string { return c.values.Replace(text) }

// pageNumbers returns the page numbers.
func (w *wording) pageNumbers(s *sheet, pages int) [][]placed {
	numbers := make([][]placed, pages)
	f := face{regular, 8}
	for i := range numbers {
		text := fill(w.Page, "page", strconv.Itoa(i+1), "pages", strconv.Itoa(pages))
		x := leftMargin + textWidth - s.width(text, f)
		numbers[i] = []placed{{y: footer, row: row{height: mm(f.size), runs: []run{{x, text, f, asDecoration}}}}}
	}
	return numbers
}

// body returns the rows from the subject to the name under the signature.
func (c *composer) body(s *sheet) []row {
	l := c.letter
	heading := fill(c.words.Heading, "subject", c.subject())
	rows := tie(paragraph(s, heading, face{bold, 11}, leftMargin, textWidth, 0, 5.4))
	rows[0].runs[0].role = asTitle
	if l.Registered {
		rows[0].gap = 1.5
		rows = append(paragraph(s, c.words.Registered, face{bold, textSize}, leftMargin, textWidth, 0, textPitch), rows...)
	}
	rows[0].tied = false
	rows = append(rows, c.references(s)...)
	rows = append(rows, tie(c.text(s, c.filled(c.words.Salutation), 7))...)

	notice := c.words.Notice
	if !l.End.IsZero() {
		notice = c.words.NoticeTo
	}
	texts := nonEmpty(c.filled(notice), c.confirmation(), c.filled(c.words.DirectDebit), c.filled(c.words.Contact))
	if l.DeleteData {
		texts = append(texts, c.words.Deletion)
	}
	for i, text := range texts {
		p := c.text(s, text, paragraphGap)
		p[0].tied = i == 0 // to the salutation
		rows = append(rows, p...)
	}
	rows = append(rows, tie(c.text(s, c.words.Closing, 5))...)
	return append(rows, c.signatureRows(s)...)
}

func (c *composer) text(s *sheet, text string, gap float64) []row {
	return paragraph(s, text, face{regular, textSize}, leftMargin, textWidth, gap, textPitch)
}

// references returns a table of the references. There is no table if the subject shows the only reference.
func (c *composer) references(s *sheet) []row {
	references := c.letter.References
	if len(references) == 0 || len(references) == 1 && c.numbered() == 0 {
		return nil
	}
	const gutter, widest, pitch = 5.0, 60.0, 4.7
	f := face{regular, 10}
	column := 0.0
	for _, r := range references {
		column = max(column, min(s.width(r.Label, f), widest))
	}
	var rows []row
	for i, r := range references {
		labels := spaced(s.lines(r.Label, column+0.01, f), r.Label)
		values := spaced(s.lines(c.value(r), textWidth-column-gutter, f), c.value(r))
		for k := range max(len(labels), len(values)) {
			line, role := row{height: pitch, tied: i == 0 || k > 0}, ""
			if k == 0 {
				role = asText
			}
			if k < len(labels) {
				line.runs = append(line.runs, run{leftMargin, labels[k], f, role})
			}
			if k < len(values) {
				line.runs = append(line.runs, run{leftMargin + column + gutter, values[k], f, role})
			}
			rows = append(rows, line)
		}
	}
	rows[0].gap = 2.5
	return rows
}

// signatureRows returns the typed signature, its image or a line to sign on, and the sender's name below. They stay
// on the same page as the closing.
func (c *composer) signatureRows(s *sheet) []row {
	var rows []row
	switch {
	case c.signature.png != nil:
		rows = []row{{gap: 3, height: c.signature.height, tied: true, picture: &c.signature}}
	case c.letter.SignByHand:
		rows = []row{{gap: 3, height: signatureHeight, line: signatureLine}}
	default:
		f := face{italic, 15}
		for f.size > 10 && !s.single([]string{c.letter.Signature.Text}, textWidth, f) {
			f.size--
		}
		rows = paragraph(s, c.letter.Signature.Text, f, leftMargin, textWidth, 5, f.size*8/15)
	}
	return tie(append(rows, c.text(s, c.letter.Sender.Name, 2.5)...))
}
