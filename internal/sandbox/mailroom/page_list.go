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
	partner       string // whose letters; empty for all
	letters       []Letter
	settings      []Setting
	later         bool
	next          string
	now           time.Time
	done, problem string
}

func (v overview) write(w http.ResponseWriter, status int) error {
	title := "Sandbox letters"
	list := layout.Cards("letters", "Recently received", g.Map(v.letters, card))
	if len(v.letters) == 0 {
		text := "Nothing has arrived yet. Send a cancellation by post or fax."
		if v.later {
			text = "There are no older letters."
		}
		list = layout.Empty(text)
	}
	return page(title, v.problem, g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Letters and faxes from Aviso. Choose one to read it and decide what happens to it.")),
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
	if c == Fax {
		return "Fax gateway"
	}
	return "Post office"
}

// methodName returns a delivery method for people.
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

// stateTag shows the state as the carrier calls it. Its colour shows whether the letter
// has arrived or never will.
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

// lostTag marks a lost letter.
func lostTag(l Letter) g.Node {
	return g.If(l.Lost(), g.Group{g.Text(" "), layout.Tag("off", "lost")})
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
