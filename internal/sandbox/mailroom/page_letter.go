package mailroom

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// detail is the page of one letter.
type detail struct {
	letter Letter
	now    time.Time
	// orders can be carried out now, and delays where the letter is on its way.
	commands, delays []layout.Command
	done, problem    string
}

func (p *pages) detail(l Letter, done, problem string) detail {
	d := detail{letter: l, now: p.processor.Now(), done: done, problem: problem}
	driver := p.processor.Drivers[l.Carrier]
	_, moves := driver.Wait(l)
	for _, c := range commands(l.Carrier) {
		trial := l
		if c.Value == "lose" && (moves || len(d.commands) > 0) || c.Value != "lose" && driver.Apply(&trial, c.Value, d.now) == nil {
			d.commands = append(d.commands, c)
		}
	}
	if moves {
		d.delays = delays()
	}
	return d
}

func (d detail) write(w http.ResponseWriter, status int) error {
	l := d.letter
	title := "A letter by " + map[How]string{Mail: "post", RegisteredMail: "registered post", ByFax: "fax"}[l.How]
	p := page(title, d.problem, g.Group{
		layout.Step(h.A(h.Href(PagePath), g.Text("Sandbox letters"))),
		h.H1(g.Text(title)),
		layout.Outcome(d.done, d.problem),
		d.facts(),
		d.forms(),
		g.Iff(l.HasFile, d.document),
	})
	p.Header = layout.HeaderText(name(l.Carrier))
	return p.Write(w, status)
}

func (d detail) facts() g.Node {
	l := d.letter
	return layout.Facts(
		layout.Fact("State", g.Group{stateTag(l), lostTag(l), g.If(d.held(), g.Group{g.Text(" waits until "), layout.Timestamp(l.HeldUntil)})}),
		g.If(l.To != "", layout.Fact("To", h.Span(h.Class("lines"), g.Text(l.To)))),
		g.If(l.CancellationID != "", layout.Fact("Cancellation", g.Group{
			h.Code(g.Text(l.CancellationID)), g.Text(" "), h.A(h.Href("/sandbox/replies?cancellation="+url.QueryEscape(l.CancellationID)), g.Text("Answer it")),
		})),
		layout.Fact("Sent by", g.Text(how(l))),
		g.If(l.HasFile, layout.Fact("Document", h.A(h.Href(d.file()), g.Text("Open the PDF")))),
		g.If(l.Posted.TrackingNumber != "", layout.Fact("Tracking", h.Code(g.Text(l.Posted.TrackingNumber)))),
		g.If(l.Faxed.ErrorMessage != "", layout.Fact("Failure", g.Text(l.Faxed.ErrorType+" "+strconv.Itoa(l.Faxed.ErrorCode)+": "+l.Faxed.ErrorMessage))),
		g.If(l.Pages > 0, layout.Fact("Pages", g.Text(strconv.Itoa(l.Pages)))),
		layout.Fact("Arrived", layout.Timestamp(l.CreatedAt)),
		layout.Fact("History", h.Ol(h.Class("number"), g.Map(l.History, func(e Entry) g.Node {
			return h.Li(clock(e.At, l.CreatedAt), g.Text(" "+string(e.State)))
		}))),
		g.If(len(l.Notices) > 0, layout.Fact("Told Aviso", h.Ol(g.Map(l.Notices, noticeItem)))),
		layout.Fact("Id", h.Code(g.Text(l.ID))),
	)
}

func (d detail) held() bool { return len(d.delays) > 0 && d.letter.HeldUntil.After(d.now) }

func (d detail) file() string { return d.letter.path() + "/file.pdf" }

// how is the way of a letter in its carrier's words.
func how(l Letter) string {
	if l.Carrier == Fax {
		return "Fax"
	}
	text := methodName(l.How)
	if l.Posted.DeliveryProduct != "" {
		text += ": " + l.Posted.DeliveryProduct + ", " + l.Posted.PrintMode + ", " + l.Posted.PrintSpectrum
	}
	return text
}

// clock is a time to the second, in which most letters come and go, with its day
// where that is not the day of the letter.
func clock(t, arrived time.Time) g.Node {
	form := "15:04:05"
	if t.UTC().Format(time.DateOnly) != arrived.UTC().Format(time.DateOnly) {
		form = "2 January, 15:04:05"
	}
	return h.Time(h.DateTime(t.UTC().Format(time.RFC3339)), g.Text(t.UTC().Format(form)))
}

// noticeItem is how a notice fared.
func noticeItem(n Notice) g.Node {
	outcome := "not yet"
	switch {
	case n.Acknowledged:
		outcome = "answered " + strconv.Itoa(n.LastStatus)
	case n.LastStatus != 0:
		outcome = "refused with " + strconv.Itoa(n.LastStatus) + ", attempt " + strconv.Itoa(n.Attempts)
	case n.Attempts > 0:
		outcome = "no answer, attempt " + strconv.Itoa(n.Attempts)
	}
	text := n.Event
	if n.Reason != "" {
		text += " (" + n.Reason + ")"
	}
	return h.Li(g.Text(text + ": " + outcome))
}

// document shows the PDF where there is room for it; phones open it by its link.
func (d detail) document() g.Node {
	return h.Object(h.Class("paper"), h.Type("application/pdf"), g.Attr("data", d.file()), h.Aria("label", "The letter as a PDF"),
		h.P(g.Text("This browser does not show PDFs inside of pages.")))
}

// forms are what can be done about the letter.
func (d detail) forms() g.Node {
	switch {
	case d.letter.Lost():
		return layout.Empty("It is lost: nothing will be heard of it again, and nothing can be done about it.")
	case len(d.commands) == 0 && d.letter.CompletedAt.IsZero():
		return layout.Empty("It waits for Aviso: until then, nothing can become of it.")
	case len(d.commands) == 0:
		return layout.Empty("It has come to its end.")
	}
	return g.Group{
		layout.CommandForm("fate", d.letter.path(), "What becomes of it", nil, "action", d.commands),
		g.If(len(d.delays) > 0, layout.CommandForm("wait", d.letter.path(), "Or later", layout.Minutes(), "action", d.delays)),
	}
}
