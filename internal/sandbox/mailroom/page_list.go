package mailroom

import (
	"net/http"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// overview is the list of letters.
type overview struct {
	letters       []Letter
	settings      []Setting
	later         bool
	next          string
	now           time.Time
	done, problem string
}

func (v overview) write(w http.ResponseWriter, status int) error {
	title := "Sandbox letters"
	list := layout.Cards("letters", "Arrived lately", g.Map(v.letters, card))
	if len(v.letters) == 0 {
		text := "Nothing has arrived yet. Cancel something that goes by post or fax."
		if v.later {
			text = "There are no older ones."
		}
		list = layout.Empty(text)
	}
	return page(title, v.problem, g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text("What Aviso has sent by post and fax. Choose one to read it and to say what becomes of it.")),
		layout.Outcome(v.done, v.problem),
		g.Map(v.settings, v.trouble),
		list,
		layout.Pagination(v.later, PagePath, v.next),
		g.Iff(!v.later, settingForm),
	}).Write(w, status)
}

// trouble says that a carrier does not behave as usual.
func (v overview) trouble(s Setting) g.Node {
	b := s.Now(v.now)
	if b == Normal {
		return nil
	}
	c, _ := layout.FindCommand(behaviours(), string(b))
	return h.P(h.Class("empty"), layout.Tag("off", name(s.Carrier)), g.Text(" "+strings.TrimSuffix(c.Done, ".")+", until "), layout.Timestamp(s.Until), g.Text("."))
}

func name(c Carrier) string {
	if c == Fax {
		return "Fax gateway"
	}
	return "Post office"
}

// way is how a letter went, for people.
func methodName(h How) string {
	if h == RegisteredMail {
		return "Registered mail"
	}
	return string(h)
}

func card(l Letter) g.Node {
	return h.Li(h.Div(
		h.A(h.Href(l.path()), h.B(g.Text(addressee(l)))), g.Text(" "), stateTag(l), lostTag(l),
		h.Small(g.Text(methodName(l.How)+", "), layout.Timestamp(l.CreatedAt)),
		g.If(l.CancellationID != "", h.Small(g.Text("Cancellation "), h.Code(g.Text(l.CancellationID)))),
	))
}

// addressee is the first line of the address, or the number.
func addressee(l Letter) string {
	first, _, _ := strings.Cut(l.To, "\n")
	switch {
	case first != "":
		return first
	case l.Pages == 0:
		return "Not read yet"
	default:
		return "No address found"
	}
}

// stateTag shows the state in the carrier's own word, and by its colour whether
// the letter has arrived or never will.
func stateTag(l Letter) g.Node {
	class := ""
	switch {
	case slices.Contains([]State{"delivered", "COMPLETED"}, l.State):
		class = "on"
	case slices.Contains([]State{"action_required", "invalid", "rejected", "undeliverable", "FAILURE"}, l.State):
		class = "off"
	}
	return layout.Tag(class, string(l.State))
}

// signs say what else is to be known at a glance.
func lostTag(l Letter) g.Node {
	return g.If(l.Lost(), g.Group{g.Text(" "), layout.Tag("off", "lost")})
}

// settingForm is the form for letters to come.
func settingForm() g.Node {
	whose := g.Group{
		h.Option(h.Value(""), g.Text("Both carriers")),
		g.Map(Carriers(), func(c Carrier) g.Node { return h.Option(h.Value(string(c)), g.Text(name(c))) }),
	}
	return layout.CommandForm("coming", PagePath, "Letters to come",
		h.Div(h.Class("fields"), layout.Choice("carrier", "Whose", nil, whose), layout.Minutes()), "behaviour", behaviours())
}
