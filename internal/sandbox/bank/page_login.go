package bank

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

func (s *server) loginPage(w http.ResponseWriter, status int, v *visit, chosen, customer, problem string) error {
	title, who, describedBy := "Log in to "+v.Name, v.requester(), "customer-hint"
	if v.authorisation.Brand != "" {
		who += ","
	}
	if problem != "" {
		describedBy += " problem"
	}
	return s.render(w, status, v.localBank, "", title, problem,
		layout.Step(g.Text("Step 1 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(g.Text(who+" would like to read your accounts. You choose which ones on the next page.")),
		g.If(problem != "", layout.Alert(h.ID("problem"), h.Strong(g.Text("Please check:")), g.Text(" "+problem))),
		h.Form(h.Method("post"), h.Action(v.address()),
			People(chosen, problem != ""),
			h.Div(h.Class("field"),
				h.Label(h.For("customer"), g.Text("Customer number "), h.Span(h.Class("optional"), g.Text("(optional)"))),
				h.P(h.Class("hint"), h.ID("customer-hint"),
					g.Text("A new approval ends the customer’s previous one. "+
						"If you leave this empty, this browser is one customer at each bank.")),
				h.Input(h.ID("customer"), h.Name("customer"), h.Value(customer), h.MaxLength("20"),
					h.Pattern(`[0-9A-Za-z\-]*`), h.AutoComplete("off"), h.Aria("describedby", describedBy)),
			),
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text("Log in"))),
		),
		h.Form(h.Method("post"), h.Action(v.address()), h.Class("aside"),
			DecisionButton("refuse", "Cancel and go back", "quiet")),
	)
}

// People is the choice of who logs in: the chosen persona, or the first. Those with a faulty bank
// are collapsed unless one of them is chosen. A problem with the form has the ID "problem".
func People(chosen string, problem bool) g.Node {
	var healthy, troubled g.Group
	if chosen == "" {
		chosen = persona.All()[0].ID
	}
	open := false
	for _, p := range persona.All() {
		choice := h.Label(h.Class("choice"),
			h.Input(h.Type("radio"), h.Name("persona"), h.Value(p.ID), g.If(p.ID == chosen, h.Checked()), h.Required()),
			h.Span(h.B(g.Text(p.Name)), h.Small(g.Text(p.Summary))),
		)
		if p.Behaviour == persona.Healthy {
			healthy = append(healthy, choice)
		} else {
			troubled = append(troubled, choice)
			open = open || p.ID == chosen
		}
	}
	return h.FieldSet(g.If(problem, h.Aria("describedby", "problem")),
		h.Legend(g.Text("Who are you?")),
		h.P(h.Class("hint"), g.Text("The sandbox has no passwords. Choose a person.")),
		h.Div(h.Class("choices"), healthy),
		h.Details(g.If(open, g.Attr("open")),
			h.Summary(g.Text("People with a faulty bank")),
			h.Div(h.Class("choices"), troubled),
		),
	)
}
