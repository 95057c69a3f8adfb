package replydesk

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// answer is what an organization may say.
type answer struct {
	layout.Command
	status, reason string
}

func answers() []answer {
	rejected := func(reason, label, explains string) answer {
		return answer{layout.Command{
			Value: reason, Label: label, Hint: explains, Done: "The organization has rejected the cancellation (" + reason + ").",
		}, "Rejected", reason}
	}
	return []answer{
		{layout.Command{
			Value: "Confirmed", Label: "Confirm", Hint: "The contract ends. The cancellation becomes Confirmed.", Done: "The organization has confirmed the cancellation.",
		}, "Confirmed", ""},
		rejected("UserNotFound", "Reject: nobody of this name", "The organization does not find the customer."),
		rejected("InconsistentData", "Reject: the data do not fit", "Name, address and number do not belong together."),
		rejected("AlreadyCancelled", "Reject: already cancelled", "The contract has been cancelled before."),
		rejected("BindingPeriod", "Reject: binding period", "The contract cannot end yet."),
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

// form is the page with what was filled in.
type form struct {
	cancellation, chosen string
	done, problem        string
}

func (f form) write(w http.ResponseWriter, status int) error {
	title := "What the organization answers"
	var orders []layout.Command
	for _, a := range answers() {
		orders = append(orders, a.Command)
	}
	return layout.Page{Title: title, Problem: f.problem, Section: Path, Footer: "These organizations are fictional. Nobody else learns of their answers.", Main: g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text("When a letter has been sent, the organization confirms or rejects. Say which; Aviso hears of it at once.")),
		layout.Outcome(f.done, f.problem),
		layout.CommandForm("answers", Path, "Answer", h.Div(h.Class("field"),
			h.Label(h.For("cancellation"), g.Text("Cancellation")),
			h.P(h.Class("hint"), h.ID("about-cancellation"), g.Text("The cancellationId; letters show it on their pages.")),
			h.Input(h.ID("cancellation"), h.Name("cancellation"), h.Value(f.cancellation), h.Required(), h.MaxLength("36"),
				h.Pattern("[0-9a-fA-F\\-]{36}"), h.Aria("describedby", "about-cancellation"), h.AutoComplete("off"), g.Attr("spellcheck", "false")),
		), "answer", orders),
	}}.Write(w, status)
}
