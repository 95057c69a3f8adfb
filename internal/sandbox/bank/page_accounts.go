package bank

import (
	"net/http"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// accountsForm is the form in which the customer chooses accounts, with errors if any.
type accountsForm struct {
	visit *visit
	// accounts are those that the customer may share: at least one.
	accounts []persona.Account
	// picked are the keys of the accounts to tick; nil ticks all.
	picked  []string
	problem string
}

// accountsPage shows the accounts that the customer may share. All are picked unless
// picked names some.
func (s *server) accountsPage(w http.ResponseWriter, status int, v *visit, p persona.Persona, picked []string,
	problem string) error {
	decision := nothingToShare(v, p)
	if accounts := v.askedFor(p); len(accounts) > 0 {
		decision = accountsForm{v, accounts, picked, problem}.choice()
	}
	title := "Share your accounts?"
	return s.render(w, status, v.localBank, "", title, problem,
		layout.Step(g.Text("Step 2 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(g.Text("You are logged in as "), h.B(g.Text(p.Name)), g.Text(". "),
			h.A(h.Href(v.address()+"?step=login"), g.Text("Log in as someone else"))),
		v.facts(),
		decision,
	)
}

// askedFor returns the persona's accounts that the consent is for.
func (v *visit) askedFor(p persona.Persona) []persona.Account {
	return slices.DeleteFunc(v.accounts(p), func(acc persona.Account) bool {
		_, asked := v.consent.Access.grant(acc)
		return !asked
	})
}

func nothingToShare(v *visit, p persona.Persona) g.Node {
	return g.Group{
		layout.Alert(g.Text("None of the requested accounts belongs to " + p.Name + ".")),
		h.Form(h.Method("post"), h.Action(v.address()),
			h.Div(h.Class("actions"), DecisionButton("refuse", "Go back without sharing", "")),
		),
	}
}

func (f accountsForm) choice() g.Node {
	wrong := f.problem != ""
	return g.Group{
		g.Iff(wrong, f.alert),
		h.Form(h.Method("post"), h.Action(f.visit.address()),
			h.FieldSet(g.If(wrong, h.Class("wrong")), f.describedByAlert(),
				h.Legend(g.Text("Accounts to share")),
				h.Div(h.Class("choices"), g.Map(f.accounts, f.account)),
			),
			h.P(h.Class("hint"),
				g.Text("You can withdraw your approval in Aviso at any time. Aviso cannot move money.")),
			h.Div(h.Class("actions"), DecisionButton("approve", "Approve", ""),
				DecisionButton("refuse", "Refuse", "second")),
		),
	}
}

// alert shows the error and links to the first account.
func (f accountsForm) alert() g.Node {
	return layout.Alert(h.ID("account-error"), h.Strong(g.Text("No account is selected.")), g.Text(" "),
		h.A(h.Href("#account-"+f.accounts[0].Key), g.Text(f.problem)))
}

func (f accountsForm) describedByAlert() g.Node {
	return g.If(f.problem != "", h.Aria("describedby", "account-error"))
}

func (f accountsForm) account(acc persona.Account) g.Node {
	bankLanguage := h.Lang(f.visit.Traits.Language)
	return h.Label(h.Class("choice"),
		h.Input(h.Type("checkbox"), h.ID("account-"+acc.Key), h.Name("account[]"), h.Value(acc.Key),
			g.If(f.picked == nil || slices.Contains(f.picked, acc.Key), h.Checked()),
			g.If(f.problem != "", h.Aria("invalid", "true")), f.describedByAlert()),
		h.Span(
			h.B(bankLanguage, g.Text(acc.Name)),
			h.Small(h.Span(bankLanguage, g.Text(acc.Product)), g.Text(", "+acc.Currency)),
			h.Small(h.Class("number"), g.Text(displayNumber(acc))),
		),
	)
}

func displayNumber(acc persona.Account) string {
	if acc.IBAN == "" {
		return acc.MaskedPAN
	}
	return groupIBAN(acc.IBAN)
}

// groupIBAN writes an IBAN in groups of four, as it is printed.
func groupIBAN(iban string) string {
	var b strings.Builder
	for i, c := range iban {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}
