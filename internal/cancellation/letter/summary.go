package letter

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"
	"golang.org/x/text/unicode/norm"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
)

const (
	// maxPages is the maximum length of a summary. Steps that do not fit are left out.
	maxPages = 3
	// firstSteps are never left out, because they show the request.
	firstSteps = 2
	// summaryTop is the start of the text on the first page. runningHead is the line with the cancellation's ID on each
	// page. Both are in mm.
	summaryTop, runningHead = 57.0, 12.0
	// Labels and dates are on the left of the second column, in mm.
	secondColumn, dateLeft = leftMargin + 46, leftMargin + 6
	// shortDigest is the length of a digest in a step. evidence.json has the whole digest.
	shortDigest = 16
	// The code is below the margin at the upper right.
	codeWidth, codeTop = 30.0, 20.0
	// guide is the page about checking evidence.
	guide = "https://aviso.example/docs/evidence"
)

// summary composes the summary of evidence.
type summary struct {
	evidence.Document
	sender string
	words  wording
	texts  summaryWords
	sheet  *sheet
	// laidOut are the rows of the steps.
	laidOut [][]row
}

// Summarize returns the evidence for people, in the locale of the letter. The same evidence gives the same bytes.
func Summarize(d evidence.Document, sender string) ([]byte, error) {
	s, err := newSummary(d, sender)
	if err != nil {
		return nil, err
	}
	return compose(s)
}

func newSummary(d evidence.Document, sender string) (*summary, error) {
	locale := cancellation.Locale(d.Cancellation.Locale)
	w, err := wordsIn(locale)
	if err != nil {
		return nil, err
	}
	texts := w.Evidence
	if d.Cancellation.ObjectionID != "" {
		texts.Title, texts.Events = texts.Objection, maps.Clone(texts.Events)
		texts.Events[evidence.EventRequested] = texts.ObjectionOrdered
	}
	s := summary{Document: d, sender: sender, words: w.Letter, texts: texts}
	if len(s.Entries) == 0 {
		return nil, errors.New("letter: evidence without steps")
	}
	return &s, nil
}

func (s *summary) properties() properties {
	return properties{s.texts.Title, s.id(), "Aviso", s.Cancellation.Locale, s.Entries[len(s.Entries)-1].At.Time}
}

// id returns the ID of the cancellation or objection.
func (s *summary) id() string { return cmp.Or(s.Cancellation.ObjectionID, s.Cancellation.ID) }

// drawOn lays out the summary and then draws it.
func (s *summary) drawOn(on *sheet) error {
	s.sheet = on
	symbol, err := qr.Encode(s.Head.String(), qr.M, qr.Unicode) // one pixel for each module
	if err != nil {
		return fmt.Errorf("QR code: %w", err)
	}
	for i, e := range s.Entries {
		s.laidOut = append(s.laidOut, s.step(i+1, e))
	}
	head, facts, rest := s.head(), s.facts(), s.rest()
	var pages [][]placed
	for left := 0; left == 0 || len(pages) > maxPages && left <= len(s.Entries)-firstSteps; left++ {
		pages = paginate(slices.Concat(facts, s.section(s.texts.Steps, s.stepRows(left)), rest), summaryTop)
	}
	running := row{height: 4, shade: darkGrey, runs: []run{{leftMargin, s.texts.Title + " · " + s.id(), face{regular, 8}, asDecoration}}}
	pages[0] = append(head, pages[0]...)
	for i, number := range s.words.pageNumbers(s.sheet, len(pages)) {
		s.sheet.addPage()
		s.sheet.draw(slices.Concat(pages[i], number, []placed{{y: runningHead, row: running}}))
		if i == 0 {
			s.sheet.code(leftMargin+textWidth-codeWidth, codeTop, codeWidth, symbol, s.Head.String())
		}
	}
	return nil
}

// legible replaces each unprintable character with a box. Carriers' texts are not checked like those of letters.
func legible(text string) string {
	printed, err := Printable(text)
	if err == nil {
		return printed
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		if _, err := Printable(string(r)); err != nil {
			r = '□'
		}
		b.WriteRune(r)
	}
	printed, _ = Printable(b.String()) // each character can be printed
	return printed
}

// head returns the title and the introduction, beside the code.
func (s *summary) head() []placed {
	const width = textWidth - codeWidth - 12
	title := stack(s.sheet, []string{s.texts.Title}, face{bold, 18}, 12, leftMargin, width, codeTop)
	title[0].runs[0].role = asTitle
	intro := stack(s.sheet, []string{s.texts.Intro}, face{regular, 9}, 7, leftMargin, width, lowerEdge(title)+2)
	return append(title, intro...)
}

// stepRows returns the rows of the steps. It leaves out left of them after the first ones.
func (s *summary) stepRows(left int) []row {
	var rows []row
	for i, step := range s.laidOut {
		if left > 0 && i == firstSteps {
			text := fill(s.texts.More, "count", strconv.Itoa(left))
			rows = append(rows, paragraph(s.sheet, text, face{italic, 9}, secondColumn, s.right(secondColumn), 3.5, 4.2)...)
		}
		if i < firstSteps || i >= firstSteps+left {
			rows = append(rows, step...)
		}
	}
	return rows
}

// rest returns the sections below the steps.
func (s *summary) rest() []row {
	var limits []row
	for _, text := range s.texts.LimitTexts {
		limits = append(limits, s.text(text, 9, leftMargin, 1.5)...)
	}
	check := s.text(fill(s.texts.CheckText, "guide", guide), 9, leftMargin, 1.5)
	return append(s.section(s.texts.Limits, limits), s.section(s.texts.Check, append(check, s.digests()...))...)
}

// right returns the width from x to the right margin.
func (s *summary) right(x float64) float64 { return leftMargin + textWidth - x }

func (s *summary) text(text string, size, x, gap float64) []row {
	return paragraph(s.sheet, text, face{regular, size}, x, s.right(x), gap, mm(size)*1.27)
}

// section returns rows with a heading. The heading stays with the first row.
func (s *summary) section(heading string, rows []row) []row {
	rows[0].tied = true
	return append([]row{{gap: 6, height: 6, line: textWidth, runs: []run{{leftMargin, heading, face{bold, 11.5}, asSection}}}}, rows...)
}

// fact returns the rows of a label and its value, or none without a value.
func (s *summary) fact(label, value string, f face) []row {
	if value = legible(value); value == "" {
		return nil
	}
	rows := tie(paragraph(s.sheet, value, f, secondColumn, s.right(secondColumn), 1.2, 4.4))
	f.style = regular
	labels := spaced(s.sheet.lines(label, secondColumn-leftMargin-3, f), label)
	role := asText
	for i, text := range nonEmpty(labels...) {
		if i == len(rows) {
			rows = append(rows, row{height: 4.4, tied: true})
		}
		rows[i].runs = append([]run{{leftMargin, text, f, role}}, rows[i].runs...)
		role = ""
	}
	rows[0].tied = false
	return rows
}

// reason returns the reason for an end before the term with its facts, and the article.
func (s *summary) reason() (reason, article string) {
	r := s.Cancellation.Reason
	reason, facts, article := s.words.reason(deadline.Reason{
		Kind: deadline.ReasonKind(r.Kind), Date: deadline.Date(r.Date), Article: r.Article, Text: r.Text,
	})
	if facts != "" && facts != reason {
		reason += "; " + facts
	}
	return reason, article
}

func (s *summary) facts() []row {
	c, t, strong, f := s.Cancellation, s.texts, face{bold, 9.5}, face{regular, 9.5}
	channel := "" // of the last step that has one
	for _, e := range s.Entries {
		channel = cmp.Or(e.Channel, channel)
	}
	status := t.event(cancellation.Status(c.Status).Event(), channel)
	if c.StatusReason != "" {
		status += " (" + t.reason(c.StatusReason) + ")"
	}
	reason, article := s.reason()
	if article != "" {
		reason += " (" + article + ")"
	}
	rows := slices.Concat(
		s.fact(t.Sender, s.sender, strong), s.fact(t.Organization, cmp.Or(c.Organization, c.OrganizationID), strong),
		s.fact(t.Product, cmp.Or(c.Product, c.ProductID), strong), s.fact(t.Reason, reason, f),
		s.fact(t.Status, status, strong), s.fact(t.AsOf, s.moment(s.Entries[len(s.Entries)-1].At.Time), f),
		s.fact(t.Received, s.moment(c.CreatedAt.Time), f),
	)
	for i, r := range c.Recipients {
		label := ""
		if i == 0 {
			label = t.Recipients
		}
		rows = append(rows, s.fact(label, s.labelled(t.channel(r.Channel), r.Address), f)...)
	}
	return slices.Concat(rows, s.fact(t.ObjectionID, c.ObjectionID, f), s.fact(t.ID, c.ID, f),
		s.fact(t.External, c.ExternalID, f))
}

// labelled returns a value with its label, with a colon in the language's style.
func (s *summary) labelled(label, value string) string {
	return fill(s.words.Reference, "label", label, "value", value)
}

func (s *summary) moment(t time.Time) string {
	t = t.UTC()
	return s.words.formatDate(t) + ", " + t.Format("15:04:05") + nbsp + "UTC"
}

// step returns a step with its proofs, and with what they show and do not show.
func (s *summary) step(number int, e evidence.Entry) []row {
	t, width := s.texts, s.right(secondColumn)
	title, why := t.event(e.Event, e.Channel), t.reason(e.Reason)
	if e.Event == evidence.EventRequested && e.Reason != "" {
		why, _ = s.reason()
	}
	rows := paragraph(s.sheet, title, face{bold, 9.5}, secondColumn, width, 3, 4.4)
	by := nonEmpty(t.Actors[string(e.Actor)], t.channel(e.Channel), why)
	rows = append(rows,
		paragraph(s.sheet, legible(strings.Join(by, " · ")), face{regular, 8.5}, secondColumn, width, 0, 4)...)
	at, f := e.At.UTC(), face{regular, 8.5}
	rows[0].runs = append([]run{
		{leftMargin, strconv.Itoa(number), face{bold, 9.5}, asText}, {dateLeft, s.words.formatDate(at), f, asText},
	}, rows[0].runs...)
	rows[1].runs = append([]run{{dateLeft, at.Format("15:04:05") + nbsp + "UTC", f, ""}}, rows[1].runs...)
	meaning := t.meaning(e)
	for _, text := range meaning {
		rows = append(rows, s.text(text, 8.5, secondColumn, 0.4)...)
	}
	if proofs := s.proofs(e); proofs != "" {
		for _, r := range s.text(s.labelled(t.Proofs, proofs), 7.5, secondColumn, 0.6) {
			r.shade = darkGrey
			rows = append(rows, r)
		}
	}
	tie(rows)[0].tied = false
	return rows
}

// proofs returns the proofs of a step. A file appears by its name.
func (s *summary) proofs(e evidence.Entry) string {
	var list []string
	for _, p := range e.Proofs {
		text := legible(p.Value)
		if !p.SHA256.IsZero() {
			text = p.SHA256.String()
		}
		if !evidence.Hex(text).IsZero() { // a signature can have that length too
			text = text[:shortDigest] + "…"
		}
		is := func(f evidence.FileDigest) bool { return p.SHA256 != nil && f.SHA256 == *p.SHA256 }
		if i := slices.IndexFunc(s.Files, is); i >= 0 {
			text = s.Files[i].Name
		} else if kind := s.texts.Kinds[string(p.Kind)]; kind != "" {
			text = kind + nbsp + text
		}
		list = append(list, text)
	}
	return strings.Join(list, " · ")
}

// digests returns the digests, for comparing them with the archive.
func (s *summary) digests() []row {
	f := face{regular, 8.5}
	rows := s.fact(s.texts.Chain+" (SHA-256)", s.Head.String(), f)
	for _, d := range s.Files {
		if d.Name == evidence.LetterFile {
			rows = append(rows, s.fact(d.Name+" (SHA-256)", d.SHA256.String(), f)...)
		}
	}
	return tie(rows)
}

// code draws a QR code of the text. Its modules are squares instead of pixels, so it is sharp at any size.
func (s *sheet) code(x, y, width float64, symbol image.Image, text string) {
	size := symbol.Bounds().Dx()
	module := width / float64(size)
	e := s.newFigure(text)
	s.put(e, "0 g\n")
	for row := range size {
		for column := 0; column < size; column++ {
			first := column
			for column < size && symbol.At(column, row) == color.Black {
				column++
			}
			if column > first { // one bar for neighbours leaves no gaps between them
				s.put(e, "%.2f %.2f %.2f %.2f re f\n", points(x+float64(first)*module), points(pageHeight-y-float64(row+1)*module),
					points(float64(column-first)*module), points(module))
			}
		}
	}
}
