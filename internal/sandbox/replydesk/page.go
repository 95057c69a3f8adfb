package replydesk

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/mailroom"
)

// answer is a possible reply of an organization.
type answer struct {
	layout.Command
	status, reason string
}

func answers() []answer {
	rejected := func(reason, label, explains string) answer {
		return answer{layout.Command{
			Value: reason, Label: label, Hint: explains,
			Done: "The organization rejected the cancellation (" + reason + ").",
		}, "Rejected", reason}
	}
	return []answer{
		{layout.Command{
			Value: mailroom.Confirmed, Label: "Confirm", Hint: "Confirmed: the contract ends.",
			Done: "The organization confirmed the cancellation.",
		}, mailroom.Confirmed, ""},
		rejected("UserNotFound", "Customer not found", "Rejected: the organization cannot find the customer."),
		rejected("InconsistentData", "Inconsistent data", "Rejected: the name, address and number do not match."),
		rejected("AlreadyCancelled", "Already cancelled", "Rejected: the contract was already cancelled."),
		rejected("BindingPeriod", "Binding period", "Rejected: the contract is still in its minimum term."),
	}
}

func find(value string) (answer, bool) {
	for _, a := range answers() {
		if a.Value == value {
			return a, true
		}
	}
	return answer{}, false
}

// form is the page with the values of the form.
type form struct {
	cancellation, chosen string
	done, problem        string
	// waiting are the letters that wait for an answer, if they are listed: a visitor of a
	// shared environment signs in first.
	waiting []mailroom.Letter
	listed  bool
}

func (f form) write(w http.ResponseWriter, status int) error {
	title := "Answer as an organization"
	var orders []layout.Command
	for _, a := range answers() {
		orders = append(orders, a.Command)
	}
	return layout.Page{Title: title, Problem: f.problem, Section: Path,
		Footer: "These organizations are fictional. Their replies go only to Aviso.", Main: g.Group{
			h.H1(g.Text(title)),
			layout.Lead(g.Text("After a letter is sent, the organization confirms or rejects the cancellation. " +
				"Choose its answer; Aviso receives it immediately.")),
			layout.Outcome(f.done, f.problem),
			g.Iff(f.cancellation == "" && f.problem == "", f.list),
			layout.CommandForm("answers", Path, "The answer", h.Div(h.Class("field"),
				h.Label(h.For("cancellation"), g.Text("Cancellation")),
				h.P(h.Class("hint"), h.ID("about-cancellation"),
					g.Text("Its cancellationId. Choose one from the list, or enter it.")),
				h.Input(h.ID("cancellation"), h.Class("id"), h.Name("cancellation"), h.Value(f.cancellation), h.Required(),
					h.MaxLength("36"), h.Pattern("[0-9a-fA-F\\-]{36}"), h.Aria("describedby", "about-cancellation"),
					h.AutoComplete("off"), g.Attr("spellcheck", "false")),
			), "answer", orders),
			g.If(f.cancellation != "" || f.problem != "", h.P(h.A(h.Href(Path), g.Text("See all that wait")))),
		}}.Write(w, status)
}

// list shows what waits.
func (f form) list() g.Node {
	switch {
	case !f.listed:
		return h.P(h.Class("empty"), h.A(h.Href("/sandbox/sign-in?next="+Path), g.Text("Sign in")),
			g.Text(" to see which of your cancellations wait for an answer."))
	case len(f.waiting) == 0:
		return layout.Empty("Nothing waits for an answer.")
	}
	shown := f.waiting[:min(len(f.waiting), maxShown)]
	return g.Group{
		layout.Cards("waiting", "Waiting for an answer", g.Map(shown, mailroom.Card)),
		g.If(len(f.waiting) > maxShown, h.P(g.Textf("And %d older ones.", len(f.waiting)-maxShown))),
	}
}

// maxShown is how many letters the page lists.
const maxShown = 25
