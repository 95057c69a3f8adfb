package persona

import (
	"fmt"
	"strings"
)

// player plays a life day by day.
type player struct {
	who    Persona
	branch Branch
	words  phrasebook
	place  place
	brands map[string]Brand
	books  map[string]*book
	start  uint64

	today Day
	dice  *dice
	// later holds what an earlier day has set in motion.
	later    map[Day][]func()
	sequence int
}

// book is an account with what was entered on it so far.
type book struct {
	account Account
	// balance counts what was entered, booked or not, except holds.
	balance Cents
	entries []Entry
	// pan is the masked number of the card on the account.
	pan string
	// seed sets the rows' identities apart from those of other accounts.
	seed uint64
}

func newPlayer(p Persona, b Branch) *player {
	pl := &player{
		who: p, branch: b, words: wording(b.Language), place: places()[b.Country],
		brands: map[string]Brand{}, books: map[string]*book{}, later: map[Day][]func(){},
		start: seed(p.ID, b.Bank),
	}
	for _, brand := range Brands() {
		pl.brands[brand.Slug] = brand
	}
	for _, a := range p.Accounts(b) {
		pan := a.MaskedPAN
		if pan == "" {
			pan = maskedPAN(&dice{seed(p.ID, b.Bank, a.Key, "debit card")})
		}
		pl.books[a.Key] = &book{account: a, balance: a.Opening, pan: pan, seed: seed(p.ID, b.Bank, a.Key)}
	}
	return pl
}

func (p *player) play(until Day) {
	for p.today = Epoch; p.today <= until; p.today++ {
		p.sequence = 0
		p.dice = &dice{p.start ^ uint64(p.today)}
		for _, act := range p.later[p.today] {
			act()
		}
		delete(p.later, p.today)
		for i, h := range p.who.life {
			p.dice = &dice{p.start + uint64(p.today)*0x9e3779b97f4a7c15 + uint64(i)*0xd1342543de82ef95}
			p.dice.next()
			if h.falls(p) {
				habits()[h.Do](h, p)
			}
		}
	}
}

// in does something a number of days from now.
func (p *player) in(days int, act func()) {
	day := p.today + Day(days)
	p.later[day] = append(p.later[day], act)
}

// enter writes a row on an account. Without a day of booking it is booked at
// once, or on Monday; a hold never is.
func (p *player) enter(key string, e Entry) {
	b, ok := p.books[key]
	if !ok {
		return // this persona has no such account
	}
	e.Entered = p.today
	if e.Booked == 0 && e.Vanishes == 0 {
		e.Booked = p.today.nextBusiness()
	}
	p.sequence++
	e.Identity = (&dice{b.seed ^ uint64(p.today)<<20 ^ uint64(p.sequence)}).next()
	if e.Vanishes == 0 {
		b.balance += e.Amount
	}
	b.entries = append(b.entries, e)
}

// transfer moves money between two of the persona's own accounts: the two rows
// are equal and opposite.
func (p *player) transfer(from, to string, amount Cents, text string) {
	source, target := p.books[from], p.books[to]
	if source == nil || target == nil || amount <= 0 {
		return
	}
	reference := p.dice.digits(12)
	p.enter(from, Entry{Amount: -amount, Party: p.who.Name, PartyIBAN: target.account.IBAN, Text: text, Code: "PMNT-ICDT-BOOK", EndToEnd: reference})
	p.enter(to, Entry{Amount: amount, Party: p.who.Name, PartyIBAN: source.account.IBAN, Text: text, Code: "PMNT-RCDT-BOOK", EndToEnd: reference})
}

func (p *player) balance(key string) Cents {
	if b := p.books[key]; b != nil {
		return b.balance
	}
	return 0
}

// euros turns an amount in euro cents into the branch's currency.
func (p *player) euros(c Cents) Cents { return c * p.branch.scale() }

// standing is a dice that always falls the same for one persona, bank and
// purpose: for reference numbers and account numbers that do not change.
func (p *player) standing(purpose string) *dice {
	return &dice{seed(p.who.ID, p.branch.Bank, purpose)}
}

// text fills a phrase in. Pairs are names within the phrase, each followed by
// what takes its place.
func (p *player) text(phrase string, pairs ...string) string {
	t := p.today.Time()
	clock := 8*60 + p.dice.below(13*60)
	pairs = append(pairs, "{dm}", t.Format("02.01."), "{month}", t.Format("01/2006"),
		"{cc}", p.branch.Country, "{time}", fmt.Sprintf("%02d:%02d", clock/60, clock%60))
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(phrase, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i][1:len(pairs[i])-1] == name {
				b.WriteString(pairs[i+1])
				break
			}
		}
		phrase = after
	}
}
