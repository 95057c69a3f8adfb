package bank

import (
	"fmt"
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// controlList lists consents that were approved lately.
func (s *server) controlList(w http.ResponseWriter, desks []*desk, later bool, next string) error {
	title := "Sandbox control"
	list := layout.Cards("consents", "Approved lately", g.Map(desks, (*desk).card))
	if len(desks) == 0 {
		text := "Nothing has been approved yet. Connect to one of the banks first."
		if later {
			text = "There are no older ones."
		}
		list = layout.Empty(text)
	}
	return s.render(w, http.StatusOK, page{title: title, section: controlPath, main: g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Tell a bank how to behave: choose the consent that it is about.")),
		list,
		layout.Pagination(later, controlPath, next),
	}})
}

func (d *desk) card() g.Node {
	return h.Li(
		bankLogo(d.Bank),
		h.Div(
			h.A(h.Href(d.approval.path()), h.B(g.Text(d.persona.Name)), g.Text(" at "+d.Name)), g.Text(" "), d.statusTag(),
			g.Map(d.signs(), func(sign string) g.Node { return g.Group{g.Text(" "), layout.Tag("off", sign)} }),
			h.Small(g.Text("Customer "+d.approval.CustomerNumber+", approved "), layout.Timestamp(d.approval.At)),
			g.If(d.approval.ConnectionID != "", h.Small(g.Text("Connection "), h.Code(g.Text(d.approval.ConnectionID)))),
		),
	)
}

func (d *desk) statusTag() g.Node {
	if d.status == Valid {
		return layout.Tag("on", string(d.status))
	}
	return layout.Tag("", string(d.status))
}

// signs say how the bank behaves otherwise than it should by itself.
func (d *desk) signs() []string {
	orders := d.consent.Orders
	if d.status != Valid {
		return nil
	}
	var signs []string
	if orders.SCADue {
		signs = append(signs, "SCA due")
	}
	if orders.troubled(d.now) {
		signs = append(signs, string(orders.Trouble)+" until "+orders.TroubleEnds.UTC().Format("15:04 UTC"))
	}
	return signs
}

// controlPage shows one consent and what can be done about it. done is what has
// just been done, problem why it could not be; mostly both are empty.
func (s *server) controlPage(w http.ResponseWriter, status int, d *desk, done, problem string) error {
	title := "Control a consent"
	return s.render(w, status, page{title, &d.Bank, controlPath, problem, g.Group{
		layout.Step(h.A(h.Href(controlPath), g.Text("Sandbox control"))),
		h.H1(g.Text(title)),
		layout.Lead(g.Text("The bank does at once what you tell it. Aviso notices when it reads the accounts next.")),
		layout.Outcome(done, problem),
		d.controlFacts(),
		g.Iff(d.status == Valid, d.orders),
		g.If(d.status != Valid, layout.Empty("This consent has ended. A new one comes with the next connection or reconnection.")),
	}})
}

func (d *desk) controlFacts() g.Node {
	a := d.approval
	return layout.Facts(
		layout.Fact("Status", g.Group{d.statusTag(), g.Map(d.signs(), func(sign string) g.Node {
			return g.Group{g.Text(" "), layout.Tag("off", sign)}
		})}),
		layout.Fact("Customer", g.Text(d.persona.Name+", number "+a.CustomerNumber)),
		g.If(a.ConnectionID != "", layout.Fact("Connection", h.Code(g.Text(a.ConnectionID)))),
		layout.Fact("Approved", layout.Timestamp(a.At)),
		layout.Fact("Until", g.Text(d.consent.ValidUntil.Time().Format("2 January 2006"))),
	)
}

func (d *desk) orders() g.Node {
	return g.Group{
		d.orderForm("consent", "Consent and ids", nil, consentCommands()),
		d.orderForm("rows", "Rows", d.accountField(), rowCommands()),
		d.orderForm("trouble", "Trouble", layout.Minutes(), troubleCommands()),
		d.orderForm("calm", "When you are done", nil, calmCommands()),
	}
}

// orderForm is a group of commands with the field that they share.
func (d *desk) orderForm(id, heading string, field g.Node, commands []command) g.Node {
	orders := make([]layout.Command, len(commands))
	for i, c := range commands {
		orders[i] = c.Command
	}
	return layout.CommandForm(id, d.approval.path(), heading, field, "action", orders)
}

func (d *desk) accountField() g.Node {
	var options g.Group
	for acc := range d.granted() {
		options = append(options, h.Option(h.Value(acc.Key), g.Text(d.optionText(acc))))
	}
	silent := g.If(d.Traits.BookedOnly, h.P(h.Class("hint"), g.Text("This bank does not tell pending rows. They show up when they are booked.")))
	return layout.Choice("account", "Account", silent, options)
}

func (d *desk) optionText(acc persona.Account) string {
	return fmt.Sprintf("%s (%s): %d pending", acc.Name, acc.Currency, len(d.statements()[acc.Key].Pending))
}
