package persona

// extras is where the sequence of extra rows begins: no day has as many others.
const extras = 1 << 19

// Extra is a row that the persona's life does not have: pending from the day on
// and booked some days later. It follows from its number alone, like every row,
// and no two numbers give the same row. An account that the persona does not
// have has no such rows, which is told by false.
func (p Persona) Extra(b Branch, account string, today Day, number int) (Entry, bool) {
	sim := newSimulation(p, b)
	book, found := sim.books[account]
	if !found {
		return Entry{}, false
	}
	sim.today, sim.sequence = today, extras+number
	sim.rng = &rng{book.seed ^ uint64(today)<<20 ^ uint64(sim.sequence)}
	unit := Cents(1)
	if book.account.Currency == b.Currency {
		unit = b.scale()
	}
	amount := unit * sim.rng.between(250, 9_900)
	if book.account.Kind == Savings { // has no card
		sim.addEntry(account, Entry{Amount: amount, Party: p.Name, PartyIBAN: iban(b.Country, sim.fixedRNG("elsewhere")),
			Text: sim.words["gift"], Code: "PMNT-RCDT-ESCT", Booked: sim.settlementDay()})
	} else {
		sim.pay(account, sim.brands[choose(sim.rng, []string{"kornblume-markt", "verdolina", "cafe-wolkenberg", "pharmaleona", "buchfink-und-soehne"})], amount)
	}
	return book.entries[0], true
}
