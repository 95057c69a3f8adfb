package persona

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// activity is something that a persona does or that happens to it. It is evaluated every
// day and depends on the simulation's calendar and random numbers. Amounts are in euros.
type activity struct {
	// Do names the kind of activity; see activities.
	Do string
	// Account is the account of the activity, Other another one of the persona's own.
	Account, Other string
	// Party is the other side, a role or a name; or Parties are the candidates for it.
	Party   string
	Parties []string
	// Brand is the payee, or Brands are the candidates for it.
	Brand  string
	Brands []string
	// Day is the day of the month and Months the months; zero values stand for all.
	Day    int
	Months []int
	// Percent is how often it happens on a possible day; 0 means always.
	Percent int
	// Raise is by how much a debit grows each September, from 2026 on.
	Raise Cents
	// Amount is the amount paid, or Low and High are its bounds.
	Amount, Low, High Cents
	// Above: it happens only while the balance is above this amount.
	Above Cents
	// Phrase, Code and Purpose are texts of the row; Digits is the length of the phrase's reference.
	Phrase, Code, Purpose string
	Digits                int
}

// activities returns the kinds of activity by name.
var activities = sync.OnceValue(func() map[string]func(activity, *simulation) {
	return map[string]func(activity, *simulation){
		"salary": activity.salary, "pay": activity.pay, "debit": activity.debit,
		"invoices": activity.invoices, "sellDollars": activity.sellDollars,
		"level": activity.level, "share": activity.share, "invest": activity.invest, "interest": activity.interest,
		"cardBill": activity.cardBill, "shop": activity.shop,
		"subscribe": activity.subscribe, "commute": activity.commute, "online": activity.online, "fuel": activity.fuel,
		"cash": activity.cash, "travel": activity.travel, "gift": activity.gift,
	}
})

// isDue reports whether the activity happens today.
func (a activity) isDue(s *simulation) bool {
	early := a.Do == "salary" || a.Do == "interest" // others pay or collect afterwards
	return (a.Day == 0 || s.today.isMonthly(a.Day, early)) &&
		(len(a.Months) == 0 || slices.Contains(a.Months, s.today.month())) &&
		(a.Above == 0 || s.balance(a.Account) > s.euros(a.Above)) && (a.Percent == 0 || s.rng.chance(a.Percent))
}

//go:embed data/lives.json
var lifeData []byte

// entry returns a row with the party of the activity, whose account and references are always the
// same.
func (a activity) entry(s *simulation, amount Cents) (Entry, *rng) {
	d := s.fixedRNG(a.Party)
	return Entry{
		Amount: amount, Party: cmp.Or(s.place.Roles[a.Party], a.Party), PartyIBAN: iban(s.branch.Country, d),
		Text: s.text(s.words[a.Phrase], "{ref}", d.digits(a.Digits)), Code: a.Code, Purpose: a.Purpose,
	}, d
}

// salary grows by two per cent each January.
func (a activity) salary(s *simulation) {
	amount := s.euros(a.Amount)
	for year := 2022; year < s.today.Time().Year(); year++ {
		amount += amount / 50
	}
	e, d := a.entry(s, amount)
	e.EndToEnd = "SAL" + s.today.Time().Format("200601") + d.digits(5)
	s.addEntry(a.Account, e)
}

// pay is a payment to the party, or (a positive amount) from it.
func (a activity) pay(s *simulation) {
	e, _ := a.entry(s, s.euros(a.Amount))
	s.addEntry(a.Account, e)
}

// debit is a direct debit by a brand.
func (a activity) debit(s *simulation) {
	b, d := s.brands[a.Brand], s.fixedRNG("mandate "+a.Brand)
	phrase := s.words[cmp.Or(map[Sector]string{"Water": "waters", "Childcare": "childcare"}[b.Sector], "debit")]
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

// invoices are paid by clients at irregular times, some of them in dollars.
func (a activity) invoices(s *simulation) {
	if !s.today.isBusinessDay() {
		return
	}
	if s.rng.chance(9) {
		client := choose(s.rng, a.Parties)
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
		e, _ := a.entry(s, -over)
		s.addEntry("savings", e)
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

// shop is a card payment on random days at one of the brands.
func (a activity) shop(s *simulation) {
	b := s.brands[choose(s.rng, a.Brands)]
	if s.solvent(a.Account) && s.isOpen(b) {
		s.pay(a.Account, b, s.euros(1)*s.rng.between(a.Low, a.High))
	}
}

// isOpen reports whether a shop is open. In Germany and Austria most are closed on Sundays
// and holidays.
func (s *simulation) isOpen(b Brand) bool {
	isClosedDay := s.today.Time().Weekday() == time.Sunday ||
		!s.today.isBusinessDay() && s.today.Time().Weekday() != time.Saturday
	keepsHours := []Sector{"Groceries", "Fashion", "Home", "Electronics", "Books", "Pharmacy"}
	return s.branch.Language != "de" || !isClosedDay || !slices.Contains(keepsHours, b.Sector)
}

// solvent reports whether the account is far enough from its limit to spend more.
func (s *simulation) solvent(key string) bool {
	b := s.books[key]
	return b.balance > -b.account.Limit*3/4
}

// pay pays by card in the home country. The row is pending at first and booked one to
// three days later, or after a weekend.
func (s *simulation) pay(from string, b Brand, amount Cents) {
	minute := s.minute()
	if b.MCC == "5812" || b.MCC == "5813" { // restaurants open for lunch
		minute = 11*60 + 30 + s.rng.intn(10*60)
	}
	s.addEntry(from, s.cardEntry(from, b, amount, minute, s.words["card"], "PMNT-CCRD-POSD"))
}

func (s *simulation) cardEntry(from string, b Brand, amount Cents, minute int, phrase, code string) Entry {
	return Entry{
		Amount: -amount, Party: b.Name, MCC: b.MCC, Code: code, Booked: s.settlementDay(), Minute: minute,
		Text: s.textAt(minute, phrase, "{BRAND}", strings.ToUpper(b.Name), "{city}", s.city(b),
			"{card}", s.books[from].pan),
	}
}

// city returns the place of the terminal: the seat of a brand that sells online,
// otherwise where the persona lives, or where a trip of this day goes.
func (s *simulation) city(b Brand) string {
	online := []Sector{"Streaming", "Software", "Games", "Marketplace", "Delivery", "News"}
	if slices.Contains(online, b.Sector) {
		return choose(s.fixedRNG("seat of "+b.Slug), s.place.Cities)
	}
	if trip := s.fixedRNG("trip " + s.today.String()); trip.chance(7) {
		return choose(trip, s.place.Cities)
	}
	return choose(s.fixedRNG("home"), s.place.Cities)
}

func (s *simulation) settlementDay() Day { return (s.today + 1 + Day(s.rng.intn(3))).nextBusiness() }

// subscribe is a monthly charge to a card on file.
func (a activity) subscribe(s *simulation) {
	s.pay(a.Account, s.brands[a.Brand], s.euros(s.brands[a.Brand].Price))
}

// commute buys a day ticket in the morning, and sometimes two at once: two identical rows.
func (a activity) commute(s *simulation) {
	const from = "current"
	if !s.today.isBusinessDay() || !s.solvent(from) {
		return
	}
	minute := 6*60 + 30 + s.rng.intn(150)
	e := s.cardEntry(from, s.brands["citrabus"], s.euros(620), minute, s.words["card"], "PMNT-CCRD-POSD")
	s.addEntry(from, e)
	if s.rng.chance(4) {
		s.addEntry(from, e)
	}
}

// online buys at the marketplace and sometimes returns the goods.
func (a activity) online(s *simulation) {
	if !s.solvent(a.Account) {
		return
	}
	b, amount := s.brands["shopandria"], s.euros(1)*s.rng.between(900, 9_500)
	s.pay(a.Account, b, amount)
	if s.rng.chance(20) {
		s.after(5+s.rng.intn(9), func() {
			s.addEntry(a.Account, s.cardEntry(a.Account, b, -amount, s.minute(), s.words["refund"], "PMNT-CCRD-RIMB"))
		})
	}
}

// fuel often starts as a hold of a round amount. The hold is released without ever being
// booked, and the real amount is booked instead.
func (a activity) fuel(s *simulation) {
	if !s.solvent(a.Account) {
		return
	}
	b, amount := s.brands["tankora"], s.euros(1)*s.rng.between(3_200, 8_400)
	if s.rng.chance(50) {
		s.pay(a.Account, b, amount)
		return
	}
	minute := s.minute()
	hold := s.cardEntry(a.Account, b, s.euros(10_000), minute, s.words["hold"], "PMNT-CCRD-POSD")
	hold.Booked, hold.Vanishes = 0, s.today+2
	s.addEntry(a.Account, hold)
	e := s.cardEntry(a.Account, b, amount, minute, s.words["card"], "PMNT-CCRD-POSD")
	e.Booked, e.Minute = 0, 0
	s.after(2, func() { s.addEntry(a.Account, e) })
}

// cash is withdrawn in notes, about once a month.
func (a activity) cash(s *simulation) {
	if !s.solvent(a.Account) {
		return
	}
	note, minute := Cents(1_000), s.minute()
	if s.branch.Currency == "SEK" {
		note *= 10
	}
	s.addEntry(a.Account, Entry{
		Amount: -note * s.rng.between(2, 15), MCC: "6011", Code: "PMNT-CCRD-CWDL", Booked: s.settlementDay(), Minute: minute,
		Text: s.textAt(minute, s.words["atm"], "{city}", s.city(Brand{}), "{card}", s.books[a.Account].pan,
			"{ref}", s.rng.digits(6)),
	})
}

// travel pays in another currency, on the road or in a shop abroad.
func (a activity) travel(s *simulation) {
	if !s.solvent(a.Account) {
		return
	}
	where := choose(s.fixedRNG("abroad in "+s.today.Time().Format("2006-01")), abroad) // one journey a month
	b := s.brands[choose(s.rng, a.Brands)]
	amount := s.rng.between(850, 14_500)
	home, x := s.exchange(where.currency, amount)
	e := s.cardEntry(a.Account, b, home, s.minute(), s.words["foreign"], "PMNT-CCRD-XBCP")
	e.Exchange = x
	e.Text = s.textAt(e.Minute, s.words["foreign"], "{BRAND}", strings.ToUpper(b.Name), "{city}", where.city, "{cc}", where.country,
		"{card}", s.books[a.Account].pan, "{amount}", where.currency+" "+amount.String(), "{rate}", x.Rate)
	s.addEntry(a.Account, e)
}

// gift is money from a friend, in the days after the persona's birthday.
func (a activity) gift(s *simulation) {
	after := s.today.Time().YearDay() - s.fixedRNG("birthday").intn(350)
	if s.today.isBusinessDay() && 0 <= after && after < 7 {
		friend := choose(s.rng, a.Parties)
		s.addEntry(a.Account, Entry{Amount: s.euros(500) * s.rng.between(3, 12), Party: friend,
			PartyIBAN: iban(s.branch.Country, s.fixedRNG(friend)),
			Text:      s.words["gift"], Code: "PMNT-RCDT-ESCT"})
	}
}

// exchange converts an amount of another currency at the day's rate.
func (s *simulation) exchange(currency string, amount Cents) (Cents, *Exchange) {
	// Hundredths of a cent of euro for one unit, within two per cent of par.
	par := map[string]int{"USD": 9_200, "GBP": 11_600, "CHF": 10_400}[currency]
	wobble := &rng{seed(currency, s.today.String())}
	rate := (par + par*(wobble.intn(401)-200)/10_000) * int(s.branch.scale())
	home := (amount*Cents(rate) + 5_000) / 10_000
	return home, &Exchange{Currency: currency, Amount: amount, Rate: fmt.Sprintf("%d.%04d", rate/10_000, rate%10_000),
		Day: s.today}
}
