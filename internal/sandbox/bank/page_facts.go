package bank

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// facts shows who asks for which data, until when and how often.
func (v *visit) facts() g.Node {
	return layout.Facts(
		layout.Fact("Requested by", g.Text(v.requester())),
		layout.Fact("Data", h.Ul(g.Map(v.rights(), func(right string) g.Node { return h.Li(g.Text(right)) }))),
		layout.Fact("Access", g.Text(v.until())),
		g.If(v.consent.Recurring, layout.Fact("How often", g.Text(v.howOften()))),
	)
}

// requester returns the name of the service, with the name under which the customer knows
// it.
func (v *visit) requester() string {
	if v.authorisation.Brand == "" {
		return "Aviso"
	}
	return "Aviso, for " + v.authorisation.Brand
}

func (v *visit) rights() []string {
	rights := []string{"Names and numbers of the accounts you choose"}
	a := v.consent.Access
	if a.AllPSD2 != "" || a.AvailableAccountsWithBalance != "" || a.Balances != nil {
		rights = append(rights, "Balances")
	}
	if a.AllPSD2 != "" || a.Transactions != nil {
		rights = append(rights, "Transactions")
	}
	if a.ownerNames() {
		rights = append(rights, "Your name")
	}
	return rights
}

func (v *visit) until() string {
	day := v.consent.ValidUntil.Time().Format("2 January 2006")
	if !v.consent.Recurring {
		return "Once, until " + day
	}
	return "Until " + day
}

func (v *visit) howOften() string {
	times := "once"
	if n := v.consent.FrequencyPerDay; n != 1 {
		times = fmt.Sprintf("%d times", n)
	}
	return "Up to " + times + " a day while you are away, and whenever you ask"
}
