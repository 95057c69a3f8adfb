package persona

import (
	"fmt"
	"strings"
	"time"
)

// salary comes on a day of the month and grows by two per cent a year.
func (h habit) salary(p *player) {
	amount := p.euros(h.Amount)
	for year := 2022; year < p.today.Time().Year(); year++ {
		amount += amount / 50
	}
	d := p.standing("employer")
	p.enter(h.Account, Entry{Amount: amount, Party: p.place.Employer, PartyIBAN: iban(p.branch.Country, d),
		Text: p.text(p.words["salary"], "{ref}", d.digits(6)), Code: "PMNT-RCDT-SALA", Purpose: "SALA", EndToEnd: "SAL" + p.today.Time().Format("200601") + d.digits(5)})
}

// rent goes out by standing order.
func (h habit) rent(p *player) {
	p.enter(h.Account, Entry{Amount: -p.euros(h.Amount), Party: p.place.Landlord, PartyIBAN: iban(p.branch.Country, p.standing("landlord")),
		Text: p.text(p.words["rent"]), Code: "PMNT-ICDT-STDO", Purpose: "RENT"})
}

// debit is a direct debit of a brand in the given months, or in all.
func (h habit) debit(p *player) {
	b, d := p.brands[h.Brand], p.standing("mandate "+h.Brand)
	phrase := p.words["debit"]
	switch b.Sector {
	case water:
		phrase = p.words["waters"]
	case childcare:
		phrase = p.words["childcare"]
	}
	ref := d.digits(8)
	p.enter(h.Account, Entry{Amount: -p.euros(b.Price), Party: b.Name, PartyIBAN: iban(p.branch.Country, d),
		Text: p.text(phrase, "{brand}", b.Name, "{BRAND}", strings.ToUpper(b.Name), "{ref}", ref),
		Code: "PMNT-RDDT-ESDD", Mandate: "M" + ref, Creditor: creditorID(p.branch.Country, p.standing("creditor "+h.Brand)),
		EndToEnd: p.today.Time().Format("200601") + ref})
}

// received is money from a person or an office on a day of the month.
func (h habit) received(p *player) {
	d := p.standing(h.Party)
	p.enter(h.Account, Entry{Amount: p.euros(h.Amount), Party: p.party(h.Party), PartyIBAN: iban(p.branch.Country, d),
		Text: p.text(p.words[h.Phrase], "{ref}", d.digits(7)), Code: "PMNT-RCDT-ESCT", Purpose: h.Purpose})
}

// party is the name behind a role, or the name itself.
func (p *player) party(role string) string {
	switch role {
	case "benefit office":
		return p.place.BenefitOffice
	case "tax office":
		return p.place.TaxOffice
	default:
		return role
	}
}

// tax is paid ahead four times a year.
func (h habit) tax(p *player) {
	d := p.standing("tax office")
	p.enter(h.Account, Entry{Amount: -p.euros(h.Amount), Party: p.place.TaxOffice, PartyIBAN: iban(p.branch.Country, d),
		Text: p.text(p.words["tax"], "{ref}", d.digits(10)), Code: "PMNT-ICDT-ESCT", Purpose: "TAXS"})
}

// invoices are paid by clients when they please, some of them in dollars.
func (h habit) invoices(p *player) {
	clients := []string{"Brightmoor Studio", "Kontor Elf", "Maison Aubrac", "Fjordline Media", "Peregrine Labs"}
	if !p.today.business() {
		return
	}
	if p.dice.percent(9) {
		client := pick(p.dice, clients)
		e := Entry{Amount: p.euros(p.dice.between(90_000, 420_000)), Party: client, PartyIBAN: iban(p.branch.Country, p.standing(client)), Code: "PMNT-RCDT-ESCT", Purpose: "SCVE"}
		if p.dice.percent(30) {
			n := p.dice.digits(8)
			e.Reference = fmt.Sprintf("RF%02d%s", 98-mod97(n+"RF00"), n) // ISO 11649
		} else {
			e.Text = p.text(p.words["invoice"], "{ref}", p.dice.digits(5))
		}
		p.enter(h.Account, e)
	}
	if p.dice.percent(4) {
		p.enter(h.Other, Entry{Amount: p.dice.between(70_000, 260_000), Party: "Redwood Parallel Inc",
			Text: p.text(p.words["invoice"], "{ref}", p.dice.digits(5)), Code: "PMNT-RCDT-XBCT", Purpose: "SCVE"})
	}
}

// sellDollars turns most of a dollar account into the home currency on Mondays.
func (h habit) sellDollars(p *player) {
	have := p.balance(h.Account)
	if p.today.Time().Weekday() != time.Monday || have < 250_000 {
		return
	}
	amount := have / 10_000 * 10_000
	home, x := p.exchange("USD", amount)
	text := p.text(p.words["exchange"], "{amount}", "USD "+amount.String(), "{rate}", x.Rate)
	own := p.books[h.Other].account.IBAN
	p.enter(h.Account, Entry{Amount: -amount, Party: p.who.Name, PartyIBAN: own, Text: text, Code: "FORX-SPOT-OTHR"})
	p.enter(h.Other, Entry{Amount: home, Party: p.who.Name, PartyIBAN: own, Text: text, Code: "FORX-SPOT-OTHR", Exchange: x})
}

// level keeps an account near a target at the month's end: what is over goes to
// savings, what is missing comes back from there.
func (h habit) level(p *player) {
	over := (p.balance(h.Account) - p.euros(h.Amount)) / 1000 * 1000
	switch {
	case over > p.euros(5_000):
		p.transfer(h.Account, "savings", over, p.text(p.words["toSavings"]))
	case over < 0 && p.balance("savings") > -over:
		p.transfer("savings", h.Account, -over, p.text(p.words["back"]))
	}
}

// share pays a fixed part of the household from one own account to another.
func (h habit) share(p *player) {
	p.transfer(h.Account, h.Other, p.euros(h.Amount), p.text(p.words["moveIn"]))
}

// invest moves what piles up on the savings account to a broker twice a year.
func (h habit) invest(p *player) {
	over := (p.balance("savings") - p.euros(h.Amount)) / 10_000 * 10_000
	if over > 0 {
		d := p.standing("broker")
		p.enter("savings", Entry{Amount: -over, Party: p.brands["depotanker"].Name, PartyIBAN: iban(p.branch.Country, d),
			Text: p.text(p.words["invest"], "{ref}", d.digits(9)), Code: "PMNT-ICDT-ESCT", Purpose: "INVS"})
	}
}

// interest is paid and charged at the end of each quarter; the fee every month.
func (h habit) interest(p *player) {
	if h.Amount > 0 {
		p.enter(h.Account, Entry{Amount: -p.euros(h.Amount), Text: p.text(p.words["fee"]), Code: "ACMT-MDOP-CHRG"})
	}
	if p.today.month()%3 != 0 {
		return
	}
	switch have := p.balance(h.Account); {
	case have < 0:
		p.enter(h.Account, Entry{Amount: have/40 - 1, Text: p.text(p.words["overdraft"]), Code: "ACMT-MDOP-INTR"})
	case have > 0 && p.books[h.Account].account.Kind == Savings:
		p.enter(h.Account, Entry{Amount: have/300 + 1, Text: p.text(p.words["interest"]), Code: "ACMT-MCOP-INTR"})
	}
}

// cardBill settles the credit card from the current account.
func (h habit) cardBill(p *player) {
	if owed := -p.balance("card"); owed > 0 {
		p.transfer(h.Account, "card", owed, p.text(p.words["cardBill"], "{card}", p.books["card"].pan))
	}
}
