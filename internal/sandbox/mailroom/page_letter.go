package mailroom

import (
	"net/http"
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// detail is the page of one letter.
type detail struct {
	partner string // who reads it; empty for anybody
	letter  Letter
	now     time.Time
	// commands are those possible now; delays is set if the letter has a next step.
	commands, delays []layout.Command
	done, problem    string
}

func (p *pages) detail(r *http.Request, l Letter, done, problem string) detail {
	d := detail{partner: partnerOf(r), letter: l, now: p.processor.TimeOf(r.Context(), l), done: done, problem: problem}
	if l.Carrier == Email {
		return d
	}
	driver := p.processor.Drivers[l.Carrier]
	_, moves := driver.Wait(l)
	for _, c := range commands(l.Carrier) {
		trial := l
		if c.Value == "lose" && (moves || len(d.commands) > 0) ||
			c.Value != "lose" && driver.Apply(&trial, c.Value, d.now) == nil {
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
	method := methodName(l.How)
	p := page(method, d.problem, g.Group{
		layout.Step(h.A(h.Href(PagePath), g.Text(title))),
		h.H1(g.Text(method)),
		layout.Outcome(d.done, d.problem),
		d.facts(),
		d.forms(),
		g.Iff(l.HasFile, d.document),
		signedIn(d.partner),
	})
	p.Header = layout.HeaderText(name(l.Carrier))
	return p.Write(w, status)
}

func (d detail) facts() g.Node {
	l := d.letter
	return layout.Facts(
		layout.Fact("State", g.Group{stateTag(l), lostTag(l), replyTag(l),
			g.If(d.held(), g.Group{g.Text(" delayed until "), layout.Timestamp(l.HeldUntil)})}),
		g.If(l.To != "", layout.Fact("To", h.Span(h.Class("lines"), g.Text(l.To)))),
		g.If(l.CancellationID != "", layout.Fact("Cancellation", g.Group{
			h.Code(g.Text(l.CancellationID)),
			g.If(l.AwaitsReply(), g.Group{g.Text(" "), h.A(h.Href(l.replyPath()), g.Text("Answer it"))}),
		})),
		g.If(l.Subject != "", layout.Fact("Subject", g.Text(l.Subject))),
		g.If(l.Posted.DeliveryProduct != "", layout.Fact("Sent by", g.Text(product(l)))),
		g.If(l.HasFile, layout.Fact("Document", h.A(h.Href(l.file()), g.Text("Open the PDF")))),
		g.If(!l.HasFile && l.Carrier == Email, layout.Fact("Document", g.Text("too large to be shown here"))),
		g.If(l.Text != "", layout.Fact("Text", h.Span(h.Class("lines"), g.Text(l.Text)))),
		g.If(l.Posted.TrackingNumber != "", layout.Fact("Tracking", h.Code(g.Text(l.Posted.TrackingNumber)))),
		g.If(l.Faxed.ErrorMessage != "", layout.Fact("Failure",
			g.Text(l.Faxed.ErrorType+" "+strconv.Itoa(l.Faxed.ErrorCode)+": "+l.Faxed.ErrorMessage))),
		g.If(l.Pages > 0, layout.Fact("Pages", g.Text(strconv.Itoa(l.Pages)))),
		layout.Fact(received(l), layout.Timestamp(l.CreatedAt)),
		layout.Fact("History", h.Ol(h.Class("number"), g.Map(l.History, func(e Entry) g.Node {
			return h.Li(eventTime(e.At, l.CreatedAt), g.Text(" "), stateAndName(e.State))
		}))),
		g.If(len(l.Notices) > 0, layout.Fact("Callbacks", h.Ol(g.Map(l.Notices, noticeItem)))),
		layout.Fact("ID", h.Code(g.Text(l.ID))),
	)
}

func (d detail) held() bool { return len(d.delays) > 0 && d.letter.HeldUntil.After(d.now) }

// received names the time at which the carrier got it. A mail is here because it was sent.
func received(l Letter) string {
	if l.Carrier == Email {
		return "Sent"
	}
	return "Arrived"
}

// product returns the delivery method in the carrier's words.
func product(l Letter) string {
	return l.Posted.DeliveryProduct + ", " + l.Posted.PrintMode + ", " + l.Posted.PrintSpectrum
}

// eventTime shows a time to the second, because most letters take only seconds. It adds the
// day if that is not the letter's own day.
func eventTime(t, arrived time.Time) g.Node {
	form := "15:04:05"
	if t.UTC().Format(time.DateOnly) != arrived.UTC().Format(time.DateOnly) {
		form = "2 January, 15:04:05"
	}
	return h.Time(h.DateTime(t.UTC().Format(time.RFC3339)), g.Text(t.UTC().Format(form)))
}

// noticeItem shows the result of a notice.
func noticeItem(n Notice) g.Node {
	outcome := "not sent yet"
	switch {
	case n.Acknowledged:
		outcome = "acknowledged with " + strconv.Itoa(n.LastStatus)
	case n.LastStatus != 0:
		outcome = "refused with " + strconv.Itoa(n.LastStatus) + ", attempt " + strconv.Itoa(n.Attempts)
	case n.Attempts > 0:
		outcome = "no response, attempt " + strconv.Itoa(n.Attempts)
	}
	text := n.Event
	if n.Reason != "" {
		text += " (" + n.Reason + ")"
	}
	return h.Li(g.Text(text + ": " + outcome))
}

// document shows the PDF if there is room; on phones the link opens it.
func (d detail) document() g.Node {
	return h.Object(h.Class("paper"), h.Type("application/pdf"), g.Attr("data", d.letter.file()),
		h.Aria("label", "The letter as a PDF"),
		h.P(g.Text("This browser cannot show PDFs in a page.")))
}

// forms shows the commands for the letter.
func (d detail) forms() g.Node {
	switch {
	case d.letter.Carrier == Email:
		return layout.Empty("SES has accepted this mail. Whether it arrives depends on the recipient's address, as in " +
			"SES's mailbox simulator. The status of the cancellation says so.")
	case d.letter.Lost():
		return layout.Empty("This item is lost. Its state never changes again.")
	case len(d.commands) == 0 && d.letter.CompletedAt.IsZero():
		return layout.Empty("It is waiting for Aviso. There is nothing to choose until Aviso continues.")
	case len(d.commands) == 0:
		return layout.Empty("It is complete. There is nothing more to choose.")
	}
	return g.Group{
		layout.CommandForm("fate", d.letter.path(), "What happens next", nil, "action", d.commands),
		g.If(len(d.delays) > 0,
			layout.CommandForm("wait", d.letter.path(), "Or delay it", layout.Minutes(), "action", d.delays)),
	}
}
