package bank

import (
	"fmt"
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// controlList lists the recently approved consents.
func (s *server) controlList(w http.ResponseWriter, controls []*consentControl, later bool, next string) error {
	title := "Sandbox consents"
	list := layout.Cards("consents", "Recently approved", g.Map(controls, (*consentControl).card))
	if len(controls) == 0 {
		text := "No consent has been approved yet. Connect to one of the banks first."
		if later {
			text = "There are no older consents."
		}
		list = layout.Empty(text)
	}
	return s.render(w, http.StatusOK, localBank{}, controlPath, title, "",
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Choose a consent to change how its bank behaves.")),
		list,
		layout.Pagination(later, controlPath, next),
	)
}

func (cc *consentControl) card() g.Node {
	return h.Li(
		bankLogo(cc.Bank),
		h.Div(
			h.A(h.Href(cc.approval.path()), h.B(g.Text(cc.persona.Name)), g.Text(" at "+cc.Name)), g.Text(" "),
			cc.statusTag(),
			g.Map(cc.warnings(), func(sign string) g.Node { return g.Group{g.Text(" "), layout.Tag("off", sign)} }),
			h.Small(g.Text("Customer "+cc.approval.CustomerNumber+", approved "), layout.Timestamp(cc.approval.At)),
			g.If(cc.approval.ConnectionID != "",
				h.Small(g.Text("Connection "), h.Code(g.Text(cc.approval.ConnectionID)))),
		),
	)
}

func (cc *consentControl) statusTag() g.Node {
	class := ""
	if cc.status == Valid {
		class = "on"
	}
	return layout.Tag(class, map[State]string{
		Received: "Waiting for the customer", Rejected: "Refused", Valid: "Valid", Expired: "Expired",
		RevokedByPSU: "Revoked by the customer", TerminatedByTPP: "Ended by Aviso",
	}[cc.status])
}

// warnings returns how the bank behaves differently from normal.
func (cc *consentControl) warnings() []string {
	overrides := cc.consent.Overrides
	if cc.status != Valid {
		return nil
	}
	var warnings []string
	if overrides.SCADue {
		warnings = append(warnings, "SCA due")
	}
	if overrides.faultActive(cc.now) {
		warnings = append(warnings, faultWords(overrides.Trouble)+" until "+overrides.TroubleEnds.UTC().Format("15:04 UTC"))
	}
	return warnings
}

// faultWords returns a fault for people.
func faultWords(b persona.Behaviour) string {
	return map[persona.Behaviour]string{
		persona.Throttled: "Reads return 429", persona.Failing: "Reads return 500",
		persona.Garbled: "Reads return broken JSON", persona.Slow: "Reads hang",
		persona.Blocked: "Reads return 403",
	}[b]
}

// controlPage shows one consent and its commands. done says what was just done, problem
// why it failed; usually both are empty.
func (s *server) controlPage(w http.ResponseWriter, status int, cc *consentControl, done, problem string) error {
	title := "Control a consent"
	return s.render(w, status, cc.localBank, controlPath, title, problem,
		layout.Step(h.A(h.Href(controlPath), g.Text("Sandbox consents"))),
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Changes take effect immediately. Aviso notices them when it next reads the accounts.")),
		layout.Outcome(done, problem),
		cc.controlFacts(),
		g.Iff(cc.status == Valid, cc.commands),
		g.If(cc.status != Valid, layout.Empty("This consent has ended. Connect or reconnect to get a new one.")),
	)
}

func (cc *consentControl) controlFacts() g.Node {
	a := cc.approval
	warnings := g.Map(cc.warnings(), func(sign string) g.Node {
		return g.Group{g.Text(" "), layout.Tag("off", sign)}
	})
	return layout.Facts(
		layout.Fact("Status", g.Group{cc.statusTag(), warnings}),
		layout.Fact("consentStatus", h.Code(g.Text(string(cc.status)))),
		layout.Fact("Customer", g.Text(cc.persona.Name+", number "+a.CustomerNumber)),
		g.If(a.ConnectionID != "", layout.Fact("Connection", h.Code(g.Text(a.ConnectionID)))),
		layout.Fact("Approved", layout.Timestamp(a.At)),
		cc.endFact(),
	)
}

// endFact names the last day of the consent, or the day on which it ended early.
func (cc *consentControl) endFact() g.Node {
	name, day := "Valid until", cc.consent.ValidUntil
	if cc.status != Valid && cc.today <= day {
		name, day = "Ended", cc.consent.LastAction
	}
	return layout.Fact(name, g.Text(day.Time().Format("2 January 2006")))
}

func (cc *consentControl) commands() g.Node {
	form := func(set, heading string, field g.Node) g.Node {
		return layout.CommandForm(set, cc.approval.path(), heading, field, "action", layout.Commands(set))
	}
	return g.Group{
		form("consent", "Consent and IDs", nil), form("rows", "Transactions", cc.accountField()),
		form("faults", "Faults", layout.Minutes()), form("reset", "Reset", nil),
	}
}

func (cc *consentControl) accountField() g.Node {
	var options g.Group
	for acc := range cc.granted() {
		options = append(options, h.Option(h.Value(acc.Key), g.Text(cc.optionText(acc))))
	}
	hint := g.If(cc.Traits.BookedOnly, h.P(h.Class("hint"),
		g.Text("This bank does not report pending transactions. They appear when they are booked.")))
	return layout.Choice("account", "Account", hint, options)
}

func (cc *consentControl) optionText(acc persona.Account) string {
	return fmt.Sprintf("%s (%s): %d pending", acc.Name, acc.Currency, len(cc.statements()[acc.Key].Pending))
}
