package bank

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/persona"
)

// controlList lists consents that were approved lately.
func (s *server) controlList(w http.ResponseWriter, desks []*desk, later bool, next string) error {
	title := "Sandbox control"
	list := cards("consents", "Approved lately", g.Map(desks, (*desk).card))
	if len(desks) == 0 {
		text := "Nothing has been approved yet. Connect to one of the banks first."
		if later {
			text = "There are no older ones."
		}
		list = h.P(h.Class("empty"), g.Text(text))
	}
	return s.render(w, http.StatusOK, page{title: title, main: g.Group{
		h.H1(g.Text(title)),
		lead(g.Text("Tell a bank how to behave: choose the consent that it is about. "),
			h.A(h.Href("/sandbox/banks"), g.Text("See all sandbox banks"))),
		list,
		g.If(later || next != "", h.Nav(h.Class("pages"), h.Aria("label", "Pages"),
			g.If(later, h.A(h.Href(controlPath), g.Text("Newest"))),
			g.If(next != "", h.A(h.Href(next), g.Text("Older"))))),
	}})
}

func (d *desk) card() g.Node {
	return h.Li(
		bankLogo(d.Bank),
		h.Div(
			h.A(h.Href(d.approval.path()), h.B(g.Text(d.persona.Name)), g.Text(" at "+d.Name)), g.Text(" "), d.statusTag(),
			g.Map(d.signs(), func(sign string) g.Node { return g.Group{g.Text(" "), h.Span(h.Class("tag off"), g.Text(sign))} }),
			h.Small(g.Text("Customer "+d.approval.CustomerNumber+", approved "), moment(d.approval.At)),
			g.If(d.approval.ConnectionID != "", h.Small(g.Text("Connection "), h.Code(g.Text(d.approval.ConnectionID)))),
		),
	)
}

func (d *desk) statusTag() g.Node {
	class := "tag"
	if d.status == Valid {
		class = "tag on"
	}
	return h.Span(h.Class(class), g.Text(string(d.status)))
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

func moment(t time.Time) g.Node {
	return h.Time(h.DateTime(t.UTC().Format(time.RFC3339)), g.Text(t.UTC().Format("2 January 2006, 15:04 UTC")))
}

// controlPage shows one consent and what can be done about it. done is what has
// just been done, problem why it could not be; mostly both are empty.
func (s *server) controlPage(w http.ResponseWriter, status int, d *desk, done, problem string) error {
	title := "Control a consent"
	return s.render(w, status, page{title, &d.Bank, problem, g.Group{
		h.P(h.Class("step"), h.A(h.Href(controlPath), g.Text("Sandbox control"))),
		h.H1(g.Text(title)),
		lead(g.Text("The bank does at once what you tell it. Aviso notices when it reads the accounts next.")),
		g.If(problem != "", alert(h.Strong(g.Text("This could not be done.")), g.Text(" "+problem))),
		g.If(done != "", h.Div(h.Class("done"), h.Role("status"), h.Strong(g.Text("Done.")), g.Text(" "+done))),
		d.controlFacts(),
		g.Iff(d.status == Valid, d.orders),
		g.If(d.status != Valid, h.P(h.Class("empty"), g.Text("This consent has ended. A new one comes with the next connection or reconnection."))),
	}})
}

func (d *desk) controlFacts() g.Node {
	a := d.approval
	return h.Dl(h.Class("facts"),
		fact("Status", g.Group{d.statusTag(), g.Map(d.signs(), func(sign string) g.Node {
			return g.Group{g.Text(" "), h.Span(h.Class("tag off"), g.Text(sign))}
		})}),
		fact("Customer", g.Text(d.persona.Name+", number "+a.CustomerNumber)),
		g.If(a.ConnectionID != "", fact("Connection", h.Code(g.Text(a.ConnectionID)))),
		fact("Approved", moment(a.At)),
		fact("Until", g.Text(d.consent.ValidUntil.Time().Format("2 January 2006"))),
	)
}

func (d *desk) orders() g.Node {
	return g.Group{
		d.orderForm("consent", "Consent and ids", nil, consentCommands()),
		d.orderForm("rows", "Rows", d.accountField(), rowCommands()),
		d.orderForm("trouble", "Trouble", minutesField(), troubleCommands()),
		d.orderForm("calm", "When you are done", nil, calmCommands()),
	}
}

// orderForm is a group of commands with the field that they share.
func (d *desk) orderForm(id, heading string, field g.Node, commands []command) g.Node {
	return h.Form(h.Method("post"), h.Action(d.approval.path()), h.Aria("labelledby", id),
		h.H2(h.ID(id), g.Text(heading)),
		field,
		h.Ul(h.Class("orders"), g.Map(commands, command.item)),
	)
}

func (c command) item() g.Node {
	hint := "about-" + c.action
	return h.Li(
		h.P(h.ID(hint), g.Text(c.explains)),
		h.Button(h.Type("submit"), h.Class("second"), h.Name("action"), h.Value(c.action), h.Aria("describedby", hint), g.Text(c.label)),
	)
}

func (d *desk) accountField() g.Node {
	var options g.Group
	for acc := range d.granted() {
		options = append(options, h.Option(h.Value(acc.Key), g.Text(d.optionText(acc))))
	}
	return h.Div(h.Class("field"),
		h.Label(h.For("account"), g.Text("Account")),
		g.If(d.traits.bookedOnly, h.P(h.Class("hint"), g.Text("This bank does not tell pending rows. They show up when they are booked."))),
		h.Select(h.ID("account"), h.Name("account"), options),
	)
}

func (d *desk) optionText(acc persona.Account) string {
	return fmt.Sprintf("%s (%s): %d pending", acc.Name, acc.Currency, len(d.statements()[acc.Key].Pending))
}

// minutesField is a choice and not a text, so that the return key does not press
// the first button.
func minutesField() g.Node {
	lengths := []struct {
		minutes int
		text    string
	}{{1, "1 minute"}, {5, "5 minutes"}, {defaultMinutes, "10 minutes"}, {60, "1 hour"}, {maxMinutes, "1 day"}}
	var options g.Group
	for _, l := range lengths {
		options = append(options, h.Option(h.Value(strconv.Itoa(l.minutes)), g.If(l.minutes == defaultMinutes, h.Selected()), g.Text(l.text)))
	}
	return h.Div(h.Class("field"),
		h.Label(h.For("minutes"), g.Text("For how long")),
		h.Select(h.ID("minutes"), h.Name("minutes"), options),
	)
}
