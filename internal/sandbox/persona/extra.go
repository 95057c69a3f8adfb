package persona

// extras is the first sequence number of extra rows, beyond the number of rows on any
// day.
const extras = 1 << 19

// Extra returns a row beyond those of the persona's simulation: pending from today on and
// booked a few days later. Like every row it depends only on its number, and no two
// numbers give the same row. It returns false if the persona does not have the account.
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
	if book.account.Kind == Savings { // no card payments
		sim.addEntry(account, Entry{Amount: amount, Party: p.Name,
			PartyIBAN: iban(b.Country, sim.fixedRNG("elsewhere")),
			Text:      sim.text(sim.words["toSavings"]), Code: "PMNT-RCDT-ESCT", Booked: sim.settlementDay()})
	} else {
		shops := []string{"kornblume-markt", "verdolina", "cafe-wolkenberg", "pharmaleona", "buchfink-und-soehne"}
		minute := 6*60 + sim.rng.intn(120) // it is probably later than that
		sim.addEntry(account, sim.cardEntry(account, sim.brands[choose(sim.rng, shops)], amount, minute,
			sim.words["card"], "PMNT-CCRD-POSD"))
	}
	return book.entries[0], true
}
