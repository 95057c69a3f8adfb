package mailroom

import (
	"net/http"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// overview is the list of letters.
type overview struct {
	partner       string // whose letters; empty for all
	letters       []Letter
	settings      []Setting
	later         bool
	next          string
	now           time.Time
	done, problem string
}

func (v overview) write(w http.ResponseWriter, status int) error {
	list := layout.Cards("letters", "What went out", g.Map(v.letters, Card))
	if len(v.letters) == 0 {
		text := "Nothing has gone out yet. Create a cancellation."
		if v.later {
			text = "There are no older letters."
		}
		list = layout.Empty(text)
	}
	return page(title, v.problem, g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Everything that Aviso has sent in the last 30 days, by e-mail, post and fax. " +
			"Open a letter or a fax to decide what happens to it.")),
		layout.Outcome(v.done, v.problem),
		g.Map(v.settings, v.behaviour),
		list,
		layout.Pagination(v.later, PagePath, v.next),
		g.Iff(!v.later, v.settingForm),
		signedIn(v.partner),
	}).Write(w, status)
}

// behaviour shows that a carrier does not behave normally.
func (v overview) behaviour(s Setting) g.Node {
	b := s.Now(v.now)
	if b == Normal {
		return nil
	}
	c, _ := layout.FindCommand(behaviours(v.partner), string(b))
	return h.P(h.Class("empty"), layout.Tag("off", name(s.Carrier)),
		g.Text(" "+strings.TrimSuffix(c.Done, ".")+" until "), layout.Timestamp(s.Until), g.Text("."))
}

func name(c Carrier) string {
	return map[Carrier]string{Post: "Post office", Fax: "Fax gateway", Email: "Mail"}[c]
}

// methodName returns a delivery method for people.
func methodName(h How) string {
	return map[How]string{
		Mail: "Letter", RegisteredMail: "Registered letter", ByFax: "Fax", ByEmail: "E-mail",
	}[h]
}

// Card shows a letter in a list.
func Card(l Letter) g.Node {
	return h.Li(h.Div(
		h.A(h.Href(l.path()), h.B(g.Text(addressee(l)))), g.Text(" "), stateTag(l), lostTag(l), replyTag(l),
		g.If(l.Subject != "", h.Small(g.Text(l.Subject))),
		h.Small(g.Text(methodName(l.How)+", "), layout.Timestamp(l.CreatedAt)),
		g.If(l.CancellationID != "", h.Small(g.Text("Cancellation "), h.Code(g.Text(l.CancellationID)))),
		g.If(l.HasFile || l.AwaitsReply(), h.Small(h.Class("links"),
			g.If(l.HasFile, h.A(h.Href(l.file()), g.Text("Open the PDF"))),
			g.If(l.AwaitsReply(), h.A(h.Href(l.replyPath()), g.Text("Answer it"))))),
	))
}

// replyTag shows the organization's answer.
func replyTag(l Letter) g.Node {
	if l.Reply == "" {
		return nil
	}
	class := "off"
	if l.Reply == Confirmed {
		class = "on"
	}
	return g.Group{g.Text(" "), layout.Tag(class, replyWords(l.Reply))}
}

// addressee returns the first line of the address, or the fax number.
func addressee(l Letter) string {
	first, _, _ := strings.Cut(l.To, "\n")
	switch {
	case first != "":
		return first
	case l.Pages == 0:
		return "Not processed yet"
	default:
		return "No address found"
	}
}

// settingForm is the form for the behaviour with new letters.
func (v overview) settingForm() g.Node {
	options := g.Group{
		h.Option(h.Value(""), g.Text("Both carriers")),
		g.Map(Carriers(), func(c Carrier) g.Node { return h.Option(h.Value(string(c)), g.Text(name(c))) }),
	}
	return layout.CommandForm("coming", PagePath, "New letters and faxes",
		h.Div(h.Class("fields"), layout.Choice("carrier", "Carrier", nil, options), layout.Minutes()),
		"behaviour", behaviours(v.partner))
}
