package persona

import (
	"fmt"
	"strings"
)

// shop is a card payment on some days, at one of the brands.
func (h habit) shop(p *player) {
	if p.solvent(h.Account) {
		p.pay(h.Account, p.brands[pick(p.dice, h.Brands)], p.euros(1)*p.dice.between(h.Low, h.High))
	}
}

// solvent stops spending when the account's limit is near.
func (p *player) solvent(key string) bool {
	b := p.books[key]
	return b != nil && b.balance > -b.account.Limit*3/4
}

// pay pays by card in the country: pending first, booked one to three days
// later. Some banks sit on a payment longer because of a weekend.
func (p *player) pay(from string, b Brand, amount Cents) {
	p.enter(from, p.cardEntry(from, b, amount, p.words["card"], "PMNT-CCRD-POSD"))
}

func (p *player) cardEntry(from string, b Brand, amount Cents, phrase, code string) Entry {
	return Entry{
		Amount: -amount, Party: b.Name, MCC: b.MCC, Code: code, Booked: p.settles(),
		Text: p.text(phrase, "{BRAND}", strings.ToUpper(b.Name), "{city}", p.city(b), "{card}", p.books[from].pan),
	}
}

// city is where the terminal stands: at the seat of a brand that sells online,
// else mostly where the persona lives.
func (p *player) city(b Brand) string {
	switch b.Sector {
	case streaming, software, games, marketplace, delivery, news:
		return pick(p.standing("seat of "+b.Slug), p.place.Cities)
	}
	if p.dice.percent(88) {
		return pick(p.standing("home"), p.place.Cities)
	}
	return pick(p.dice, p.place.Cities)
}

func (p *player) settles() Day { return (p.today + 1 + Day(p.dice.below(3))).nextBusiness() }

// subscribe is a monthly charge to a card on file.
func (h habit) subscribe(p *player) {
	p.pay(h.Account, p.brands[h.Brand], p.euros(p.brands[h.Brand].Price))
}

// commute buys two tickets in one go: two rows that nothing tells apart.
func (h habit) commute(p *player) {
	const from = "current"
	if !p.today.business() || !p.solvent(from) {
		return
	}
	e := p.cardEntry(from, p.brands["citrabus"], p.euros(290), p.words["card"], "PMNT-CCRD-POSD")
	p.enter(from, e)
	p.enter(from, e)
}

// online buys at the marketplace; now and then the goods go back.
func (h habit) online(p *player) {
	if !p.solvent(h.Account) {
		return
	}
	b, amount := p.brands["shopandria"], p.euros(1)*p.dice.between(900, 9_500)
	p.pay(h.Account, b, amount)
	if p.dice.percent(20) {
		p.in(5+p.dice.below(9), func() {
			p.enter(h.Account, p.cardEntry(h.Account, b, -amount, p.words["refund"], "PMNT-CCRD-RIMB"))
		})
	}
}

// fuel is often held as a round sum at the pump; the hold is released without
// ever being booked, and the real amount is booked in its stead.
func (h habit) fuel(p *player) {
	if !p.solvent(h.Account) {
		return
	}
	b, amount := p.brands["tankora"], p.euros(1)*p.dice.between(3_200, 8_400)
	if p.dice.percent(50) {
		p.pay(h.Account, b, amount)
		return
	}
	hold := p.cardEntry(h.Account, b, p.euros(10_000), p.words["hold"], "PMNT-CCRD-POSD")
	hold.Booked, hold.Vanishes = 0, p.today+2
	p.enter(h.Account, hold)
	p.in(2, func() {
		e := p.cardEntry(h.Account, b, amount, p.words["card"], "PMNT-CCRD-POSD")
		e.Booked = 0
		p.enter(h.Account, e)
	})
}

// cash is drawn in tens, about once a month.
func (h habit) cash(p *player) {
	if !p.solvent(h.Account) {
		return
	}
	p.enter(h.Account, Entry{Amount: -p.euros(1_000) * p.dice.between(2, 15), MCC: "6011", Code: "PMNT-CCRD-CWDL", Booked: p.settles(),
		Text: p.text(p.words["atm"], "{city}", p.city(Brand{}), "{card}", p.books[h.Account].pan, "{ref}", p.dice.digits(6))})
}

// travel pays in another currency, on the road or in a shop abroad.
func (h habit) travel(p *player) {
	if !p.solvent(h.Account) {
		return
	}
	where, b := pick(p.dice, abroad), p.brands[pick(p.dice, h.Brands)]
	amount := p.dice.between(850, 14_500)
	home, x := p.exchange(where.currency, amount)
	e := p.cardEntry(h.Account, b, home, p.words["foreign"], "PMNT-CCRD-XBCP")
	e.Exchange = x
	e.Text = p.text(p.words["foreign"], "{BRAND}", strings.ToUpper(b.Name), "{city}", where.city, "{cc}", where.country,
		"{card}", p.books[h.Account].pan, "{amount}", where.currency+" "+amount.String(), "{rate}", x.Rate)
	p.enter(h.Account, e)
}

// gift is money from a friend.
func (h habit) gift(p *player) {
	friends := []string{"Jonna Abel", "Piet Morav", "Lucía Ferrant", "Theo Kessing"}
	if p.today.business() {
		friend := pick(p.dice, friends)
		p.enter(h.Account, Entry{Amount: p.euros(500) * p.dice.between(3, 12), Party: friend, PartyIBAN: iban(p.branch.Country, p.standing(friend)),
			Text: p.words["gift"], Code: "PMNT-RCDT-ESCT"})
	}
}

// exchange prices an amount of another currency at the day's rate.
func (p *player) exchange(currency string, amount Cents) (Cents, *Exchange) {
	// Hundredths of a cent of euro for one unit, within two per cent of par.
	par := map[string]int{"USD": 9_200, "GBP": 11_600, "CHF": 10_400}[currency]
	wobble := &dice{seed(currency, p.today.String())}
	rate := (par + par*(wobble.below(401)-200)/10_000) * int(p.branch.scale())
	home := (amount*Cents(rate) + 5_000) / 10_000
	return home, &Exchange{Currency: currency, Amount: amount, Rate: fmt.Sprintf("%d.%04d", rate/10_000, rate%10_000), Day: p.today}
}
