package bank

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// facts say who asks for what, until when and how often.
func (v *visit) facts() g.Node {
	return layout.Facts(
		layout.Fact("Who asks", g.Text(v.asker())),
		layout.Fact("To read", h.Ul(g.Map(v.rights(), func(right string) g.Node { return h.Li(g.Text(right)) }))),
		layout.Fact("Until", g.Text(v.until())),
		g.If(v.consent.Recurring, layout.Fact("How often", g.Text(v.howOften()))),
	)
}

// asker is the service, with the name under which the customer knows it.
func (v *visit) asker() string {
	if v.authorisation.Brand == "" {
		return "Aviso"
	}
	return "Aviso, for " + v.authorisation.Brand
}

func (v *visit) rights() []string {
	rights := []string{"Names and numbers of the accounts you pick"}
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
		return "One reading, by " + day + " at the latest"
	}
	return day
}

func (v *visit) howOften() string {
	times := "once"
	if n := v.consent.FrequencyPerDay; n != 1 {
		times = fmt.Sprintf("%d times", n)
	}
	return "Up to " + times + " a day while you are away, and whenever you ask"
}
