package persona

// extras is where the sequence of extra rows begins: no day has as many others.
const extras = 1 << 19

// Extra is a row that the persona's life does not have: pending from the day on
// and booked some days later. It follows from its number alone, like every row,
// and no two numbers give the same row. An account that the persona does not
// have has no such rows, which is told by false.
func (p Persona) Extra(b Branch, account string, today Day, number int) (Entry, bool) {
	pl := newPlayer(p, b)
	book, found := pl.books[account]
	if !found {
		return Entry{}, false
	}
	pl.today, pl.sequence = today, extras+number
	pl.dice = &dice{book.seed ^ uint64(today)<<20 ^ uint64(pl.sequence)}
	unit := Cents(1)
	if book.account.Currency == b.Currency {
		unit = b.scale()
	}
	amount := unit * pl.dice.between(250, 9_900)
	if book.account.Kind == Savings { // has no card
		pl.enter(account, Entry{Amount: amount, Party: p.Name, PartyIBAN: iban(b.Country, pl.standing("elsewhere")),
			Text: pl.words["gift"], Code: "PMNT-RCDT-ESCT", Booked: pl.settles()})
	} else {
		pl.pay(account, pl.brands[pick(pl.dice, []string{"kornblume-markt", "verdolina", "cafe-wolkenberg", "pharmaleona", "buchfink-und-soehne"})], amount)
	}
	return book.entries[0], true
}
