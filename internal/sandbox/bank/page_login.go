package bank

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// loginForm is the login form, with the values and the error of a failed attempt.
type loginForm struct {
	visit *visit
	// chosen is the persona picked, customer the number typed in.
	chosen, customer, problem string
}

func (s *server) loginPage(w http.ResponseWriter, status int, v *visit, chosen, customer, problem string) error {
	if chosen == "" {
		chosen = persona.All()[0].ID
	}
	form := loginForm{v, chosen, customer, problem}
	title := "Log in to " + v.Name
	return s.render(w, status, page{title, &v.Bank, "", problem, g.Group{
		layout.Step(g.Text("Step 1 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(g.Text(form.purpose())),
		g.If(problem != "", layout.Alert(h.ID("problem"), h.Strong(g.Text("Please check:")), g.Text(" "+problem))),
		h.Form(h.Method("post"), h.Action(v.address()),
			form.people(),
			form.customerNumber(),
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text("Log in"))),
		),
		h.Form(h.Method("post"), h.Action(v.address()), h.Class("aside"),
			decisionButton("refuse", "Cancel and go back", "quiet")),
	}})
}

func (f loginForm) purpose() string {
	who := f.visit.requester()
	if f.visit.authorisation.Brand != "" {
		who += ","
	}
	return who + " would like to read your accounts. You choose which ones on the next page."
}

// people shows the personas. Those with a faulty bank are collapsed unless one of them is
// chosen.
func (f loginForm) people() g.Node {
	var healthy, troubled g.Group
	open := false
	for _, p := range persona.All() {
		if p.Behaviour == persona.Healthy {
			healthy = append(healthy, f.person(p))
		} else {
			troubled = append(troubled, f.person(p))
			open = open || p.ID == f.chosen
		}
	}
	return h.FieldSet(g.If(f.problem != "", h.Aria("describedby", "problem")),
		h.Legend(g.Text("Who are you?")),
		h.P(h.Class("hint"), g.Text("The sandbox has no passwords. Choose a person.")),
		h.Div(h.Class("choices"), healthy),
		h.Details(g.If(open, g.Attr("open")),
			h.Summary(g.Text("People with a faulty bank")),
			h.Div(h.Class("choices"), troubled),
		),
	)
}

func (f loginForm) person(p persona.Persona) g.Node {
	return h.Label(h.Class("choice"),
		h.Input(h.Type("radio"), h.Name("persona"), h.Value(p.ID), g.If(p.ID == f.chosen, h.Checked()), h.Required()),
		h.Span(h.B(g.Text(p.Name)), h.Small(g.Text(p.Summary))),
	)
}

func (f loginForm) customerNumber() g.Node {
	describedBy := "customer-hint"
	if f.problem != "" {
		describedBy += " problem"
	}
	return h.Div(h.Class("field"),
		h.Label(h.For("customer"), g.Text("Customer number "), h.Span(h.Class("optional"), g.Text("(optional)"))),
		h.P(h.Class("hint"), h.ID("customer-hint"),
			g.Text("A new approval ends the customer’s previous one. "+
				"If you leave this empty, this browser is one customer at each bank.")),
		h.Input(h.ID("customer"), h.Name("customer"), h.Value(f.customer), h.MaxLength("20"),
			h.Pattern(`[0-9A-Za-z\-]*`), h.AutoComplete("off"), h.Aria("describedby", describedBy)),
	)
}
