package persona

import (
	"fmt"
	"strings"
	"time"
)

// salary is paid on a day of the month and grows by two per cent a year.
func (a activity) salary(s *simulation) {
	amount := s.euros(a.Amount)
	for year := 2022; year < s.today.Time().Year(); year++ {
		amount += amount / 50
	}
	d := s.fixedRNG("employer")
	s.addEntry(a.Account, Entry{
		Amount: amount, Party: s.place.Employer, PartyIBAN: iban(s.branch.Country, d),
		Text: s.text(s.words["salary"], "{ref}", d.digits(6)), Code: "PMNT-RCDT-SALA", Purpose: "SALA",
		EndToEnd: "SAL" + s.today.Time().Format("200601") + d.digits(5),
	})
}

// rent is paid by standing order.
func (a activity) rent(s *simulation) {
	s.addEntry(a.Account, Entry{Amount: -s.euros(a.Amount), Party: s.place.Landlord,
		PartyIBAN: iban(s.branch.Country, s.fixedRNG("landlord")),
		Text:      s.text(s.words["rent"]), Code: "PMNT-ICDT-STDO", Purpose: "RENT"})
}

// debit is a direct debit by a brand.
func (a activity) debit(s *simulation) {
	b, d := s.brands[a.Brand], s.fixedRNG("mandate "+a.Brand)
	phrase := s.words["debit"]
	switch b.Sector {
	case water:
		phrase = s.words["waters"]
	case childcare:
		phrase = s.words["childcare"]
	}
	ref := d.digits(8)
	today := s.today.Time()
	raises := today.Year() - 2026 // rows of earlier years are stored
	if today.Month() >= time.September {
		raises++
	}
	price := s.euros(b.Price + a.Raise*Cents(max(0, raises)))
	s.addEntry(a.Account, Entry{Amount: -price, Party: b.Name, PartyIBAN: iban(s.branch.Country, d),
		Text: s.text(phrase, "{brand}", b.Name, "{BRAND}", strings.ToUpper(b.Name), "{ref}", ref),
		Code: "PMNT-RDDT-ESDD", Mandate: "M" + ref,
		Creditor: creditorID(s.branch.Country, s.fixedRNG("creditor "+a.Brand)),
		EndToEnd: s.today.Time().Format("200601") + ref})
}

// received is money from a person or a public office on a day of the month.
func (a activity) received(s *simulation) {
	d := s.fixedRNG(a.Party)
	s.addEntry(a.Account, Entry{Amount: s.euros(a.Amount), Party: s.party(a.Party),
		PartyIBAN: iban(s.branch.Country, d),
		Text:      s.text(s.words[a.Phrase], "{ref}", d.digits(7)), Code: "PMNT-RCDT-ESCT", Purpose: a.Purpose})
}

// party returns the name for a role, or the name itself.
func (s *simulation) party(role string) string {
	switch role {
	case "benefit office":
		return s.place.BenefitOffice
	case "tax office":
		return s.place.TaxOffice
	default:
		return role
	}
}

// tax is prepaid four times a year.
func (a activity) tax(s *simulation) {
	d := s.fixedRNG("tax office")
	s.addEntry(a.Account, Entry{Amount: -s.euros(a.Amount), Party: s.place.TaxOffice,
		PartyIBAN: iban(s.branch.Country, d),
		Text:      s.text(s.words["tax"], "{ref}", d.digits(10)), Code: "PMNT-ICDT-ESCT", Purpose: "TAXS"})
}

// invoices are paid by clients at irregular times, some of them in dollars.
func (a activity) invoices(s *simulation) {
	clients := []string{"Brightmoor Studio", "Kontor Elf", "Maison Aubrac", "Fjordline Media", "Peregrine Labs"}
	if !s.today.isBusinessDay() {
		return
	}
	if s.rng.chance(9) {
		client := choose(s.rng, clients)
		e := Entry{Amount: s.euros(s.rng.between(90_000, 420_000)), Party: client,
			PartyIBAN: iban(s.branch.Country, s.fixedRNG(client)), Code: "PMNT-RCDT-ESCT", Purpose: "SCVE"}
		if s.rng.chance(30) {
			n := s.rng.digits(8)
			e.Reference = fmt.Sprintf("RF%02d%s", 98-mod97(n+"RF00"), n) // ISO 11649
		} else {
			e.Text = s.text(s.words["invoice"], "{ref}", s.rng.digits(5))
		}
		s.addEntry(a.Account, e)
	}
	if s.rng.chance(4) {
		s.addEntry(a.Other, Entry{Amount: s.rng.between(70_000, 260_000), Party: "Redwood Parallel Inc",
			Text: s.text(s.words["invoice"], "{ref}", s.rng.digits(5)), Code: "PMNT-RCDT-XBCT", Purpose: "SCVE"})
	}
}

// sellDollars converts most of a dollar account into the home currency on Mondays.
func (a activity) sellDollars(s *simulation) {
	have := s.balance(a.Account)
	if s.today.Time().Weekday() != time.Monday || have < 250_000 {
		return
	}
	amount := have / 10_000 * 10_000
	home, x := s.exchange("USD", amount)
	text := s.text(s.words["exchange"], "{amount}", "USD "+amount.String(), "{rate}", x.Rate)
	own := s.books[a.Other].account.IBAN
	s.addEntry(a.Account, Entry{Amount: -amount, Party: s.who.Name, PartyIBAN: own, Text: text, Code: "FORX-SPOT-OTHR"})
	s.addEntry(a.Other, Entry{Amount: home, Party: s.who.Name, PartyIBAN: own, Text: text, Code: "FORX-SPOT-OTHR",
		Exchange: x})
}

// level keeps an account near a target at the end of the month: a surplus goes to
// savings, a shortfall comes back from there.
func (a activity) level(s *simulation) {
	over := (s.balance(a.Account) - s.euros(a.Amount)) / 1000 * 1000
	switch {
	case over > s.euros(5_000):
		s.transfer(a.Account, "savings", over, s.text(s.words["toSavings"]))
	case over < 0 && s.balance("savings") > -over:
		s.transfer("savings", a.Account, -over, s.text(s.words["back"]))
	}
}

// share pays a fixed part of the household costs from one own account to another.
func (a activity) share(s *simulation) {
	s.transfer(a.Account, a.Other, s.euros(a.Amount), s.text(s.words["moveIn"]))
}

// invest moves the surplus of the savings account to a broker twice a year.
func (a activity) invest(s *simulation) {
	over := (s.balance("savings") - s.euros(a.Amount)) / 10_000 * 10_000
	if over > 0 {
		d := s.fixedRNG("broker")
		s.addEntry("savings", Entry{Amount: -over, Party: s.brands["depotanker"].Name,
			PartyIBAN: iban(s.branch.Country, d),
			Text:      s.text(s.words["invest"], "{ref}", d.digits(9)), Code: "PMNT-ICDT-ESCT", Purpose: "INVS"})
	}
}

// interest is paid and charged at the end of each quarter, the fee every month.
func (a activity) interest(s *simulation) {
	if a.Amount > 0 {
		s.addEntry(a.Account, Entry{Amount: -s.euros(a.Amount), Text: s.text(s.words["fee"]), Code: "ACMT-MDOP-CHRG"})
	}
	if s.today.month()%3 != 0 {
		return
	}
	switch have := s.balance(a.Account); {
	case have < 0:
		s.addEntry(a.Account, Entry{Amount: have/40 - 1, Text: s.text(s.words["overdraft"]), Code: "ACMT-MDOP-INTR"})
	case have > 0 && s.books[a.Account].account.Kind == Savings:
		s.addEntry(a.Account, Entry{Amount: have/300 + 1, Text: s.text(s.words["interest"]), Code: "ACMT-MCOP-INTR"})
	}
}

// cardBill pays the credit card from the current account.
func (a activity) cardBill(s *simulation) {
	if owed := -s.balance("card"); owed > 0 {
		s.transfer(a.Account, "card", owed, s.text(s.words["cardBill"], "{card}", s.books["card"].pan))
	}
}
