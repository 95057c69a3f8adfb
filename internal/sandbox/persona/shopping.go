package persona

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

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
	return b != nil && b.balance > -b.account.Limit*3/4
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
	switch b.Sector {
	case streaming, software, games, marketplace, delivery, news:
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
	friends := []string{"Jonna Abel", "Piet Morav", "Lucía Ferrant", "Theo Kessing"}
	after := s.today.Time().YearDay() - s.fixedRNG("birthday").intn(350)
	if s.today.isBusinessDay() && 0 <= after && after < 7 {
		friend := choose(s.rng, friends)
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
