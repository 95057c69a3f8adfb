package persona

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// simulation runs a persona's life day by day.
type simulation struct {
	// mu guards everything that changes with the days.
	mu sync.Mutex

	who    Persona
	branch Branch
	words  phrasebook
	place  place
	brands map[string]Brand
	books  map[string]*book
	start  uint64

	// today is the first day that has not been simulated, or is just being simulated.
	today Day
	rng   *rng
	// later holds follow-ups of earlier days.
	later    map[Day][]func()
	sequence int
}

// book is an account with its entries so far.
type book struct {
	account Account
	// balance includes every entry, booked or not, except holds.
	balance Cents
	// entries are in the order in which they happened, and booked in that of their booking.
	entries, booked []Entry
	// pan is the masked number of the card on the account.
	pan string
	// seed makes the identities of rows differ from those of other accounts.
	seed uint64
}

func newSimulation(p Persona, b Branch) *simulation {
	sim := &simulation{
		who: p, branch: b, words: phrasebooks()[b.Language], place: places()[b.Country],
		brands: map[string]Brand{}, books: map[string]*book{}, later: map[Day][]func(){},
		start: seed(p.ID, b.Bank), today: Epoch,
	}
	for _, brand := range Brands() {
		sim.brands[brand.Slug] = brand
	}
	for _, a := range p.Accounts(b) {
		pan := cmp.Or(a.MaskedPAN, maskedPAN(&rng{seed(p.ID, b.Bank, a.Key, "debit card")}))
		sim.books[a.Key] = &book{account: a, balance: a.Opening, pan: pan, seed: seed(p.ID, b.Bank, a.Key)}
	}
	return sim
}

// statements returns the accounts as of a day. It simulates the days until then that it has
// not simulated before.
func (s *simulation) statements(today Day) map[string]Statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run(today)
	all := make(map[string]Statement, len(s.books))
	for key, b := range s.books {
		all[key] = b.statement(today)
	}
	return all
}

// statement returns the account as of a day that has been simulated.
func (b *book) statement(today Day) Statement {
	booked := b.bookedUntil(today)
	s := Statement{Account: b.account, Booked: b.booked[:booked:booked]}
	for _, e := range b.entries {
		switch {
		case e.Entered > today:
			return s
		case e.Vanishes != 0 && e.Vanishes <= today:
			s.Released = append(s.Released, e)
		case e.Vanishes != 0 || e.Booked > today:
			s.Pending = append(s.Pending, e)
		}
	}
	return s
}

// bookedUntil returns how many rows are booked by the end of a day.
func (b *book) bookedUntil(day Day) int {
	n, _ := slices.BinarySearchFunc(b.booked, day+1, func(e Entry, d Day) int { return int(e.Booked - d) })
	return n
}

func (s *simulation) run(until Day) {
	for ; s.today <= until; s.today++ {
		s.sequence = 0
		s.rng = &rng{s.start ^ uint64(s.today)}
		for _, act := range s.later[s.today] {
			act()
		}
		delete(s.later, s.today)
		for i, a := range s.who.life {
			s.rng = &rng{s.start + uint64(s.today)*0x9e3779b97f4a7c15 + uint64(i)*0xd1342543de82ef95}
			s.rng.next()
			if a.isDue(s) {
				activities()[a.Do](a, s)
			}
		}
	}
}

// after runs act a number of days from now.
func (s *simulation) after(days int, act func()) {
	day := s.today + Day(days)
	s.later[day] = append(s.later[day], act)
}

// addEntry adds a row to an account. Without a booking day it is booked on the same or
// the next business day; a hold is never booked.
func (s *simulation) addEntry(key string, e Entry) {
	b := s.books[key]
	e.Entered = s.today
	if e.Booked == 0 && e.Vanishes == 0 {
		e.Booked = s.today.nextBusiness()
	}
	s.sequence++
	e.Identity = (&rng{b.seed ^ uint64(s.today)<<20 ^ uint64(s.sequence)}).next()
	b.entries = append(b.entries, e)
	if e.Vanishes == 0 {
		b.balance += e.Amount
		b.booked = slices.Insert(b.booked, b.bookedUntil(e.Booked), e)
	}
}

// transfer moves money between two of the persona's own accounts, with two equal and
// opposite rows.
func (s *simulation) transfer(from, to string, amount Cents, text string) {
	source, target := s.books[from], s.books[to]
	reference := s.rng.digits(12)
	s.addEntry(from, Entry{Amount: -amount, Party: s.who.Name, PartyIBAN: target.account.IBAN, Text: text,
		Code: "PMNT-ICDT-BOOK", EndToEnd: reference})
	s.addEntry(to, Entry{Amount: amount, Party: s.who.Name, PartyIBAN: source.account.IBAN, Text: text,
		Code: "PMNT-RCDT-BOOK", EndToEnd: reference})
}

func (s *simulation) balance(key string) Cents { return s.books[key].balance }

// euros converts an amount in euro cents into the branch's currency.
func (s *simulation) euros(c Cents) Cents { return c * s.branch.scale() }

// fixedRNG returns an rng that always gives the same numbers for one persona, bank and
// purpose: for reference and account numbers that do not change.
func (s *simulation) fixedRNG(purpose string) *rng {
	return &rng{seed(s.who.ID, s.branch.Bank, purpose)}
}

// minute returns a time of the day, in minutes after midnight.
func (s *simulation) minute() int { return 8*60 + s.rng.intn(13*60) }

// text fills in a phrase. pairs are placeholders of the phrase, each followed by its
// replacement.
func (s *simulation) text(phrase string, pairs ...string) string {
	return s.textAt(0, phrase, pairs...)
}

// textAt fills in a phrase with a time of the day.
func (s *simulation) textAt(minute int, phrase string, pairs ...string) string {
	t := s.today.Time()
	pairs = append(pairs, "{dm}", t.Format("02.01."), "{month}", t.Format("01/2006"),
		"{cc}", s.branch.Country, "{time}", fmt.Sprintf("%02d:%02d", minute/60, minute%60))
	return strings.NewReplacer(pairs...).Replace(phrase)
}

// maxSimulations bounds the memory: a simulation has a few thousand rows.
const maxSimulations = 16

// Simulations keeps the lives that were simulated last, because clients read many pages of
// many days. Five years take 20 ms; then a life goes on where it ended. The zero value is empty.
type Simulations struct {
	mu    sync.Mutex
	lives map[lived]*simulation
}

// lived is a persona's life at a bank.
type lived struct {
	persona string
	branch  Branch
}

// Statements returns the statements by the account's key. Callers must not change their rows.
func (s *Simulations) Statements(p Persona, b Branch, today Day) map[string]Statement {
	return s.life(p, b).statements(today)
}

func (s *Simulations) life(p Persona, b Branch) *simulation {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := lived{p.ID, b}
	life, found := s.lives[key]
	if !found {
		if s.lives == nil || len(s.lives) == maxSimulations {
			s.lives = map[lived]*simulation{}
		}
		life = newSimulation(p, b)
		s.lives[key] = life
	}
	return life
}

// Entry is one row of an account.
type Entry struct {
	// Entered is the day it happened; Booked the day it is booked.
	Entered Day
	Booked  Day
	// Minute is the time of a card payment, in minutes after midnight. Until then the bank
	// does not know the row.
	Minute int
	// Vanishes is set on a hold that is never booked: the day it is released.
	Vanishes Day
	// Amount is in the account's currency and negative for a debit.
	Amount Cents
	// Party and PartyIBAN are the other side, if the bank knows it.
	Party     string
	PartyIBAN string
	// Text is the unstructured remittance information; some rows have the structured
	// Reference instead.
	Text      string
	Reference string
	// Code is the ISO 20022 bank transaction code.
	Code     string
	Purpose  string
	Mandate  string
	Creditor string
	EndToEnd string
	MCC      string
	// Exchange is set if the payment was in another currency.
	Exchange *Exchange
	// Identity is unique in the account and never changes.
	Identity uint64
}

// Exchange is a payment in another currency.
type Exchange struct {
	Currency string
	// Amount in that currency, unsigned.
	Amount Cents
	// Rate is the price of one unit of Currency in the account's currency.
	Rate string
	Day  Day
}

// Statement is an account as of one day.
type Statement struct {
	Account Account
	// Booked rows, oldest first. A later statement begins with the same rows, and shares
	// them: nobody may change them.
	Booked []Entry
	// Pending rows, oldest first.
	Pending []Entry
	// Released are the holds that ended without being booked; banks do not report them.
	Released []Entry
}

// BookedBalance returns the opening balance plus every booked row.
func (s Statement) BookedBalance() Cents { return s.Account.Opening + sum(s.Booked) }

// At returns the statement at a minute of the day: without later card payments. These are
// all pending.
func (s Statement) At(today Day, minute int) Statement {
	s.Pending = slices.DeleteFunc(slices.Clone(s.Pending), func(e Entry) bool {
		return e.Entered == today && e.Minute > minute
	})
	return s
}

// ExpectedBalance also includes the pending rows.
func (s Statement) ExpectedBalance() Cents { return s.BookedBalance() + sum(s.Pending) }

func sum(entries []Entry) Cents {
	total := Cents(0)
	for _, e := range entries {
		total += e.Amount
	}
	return total
}

// Statements simulates the persona's life at the branch up to and including today and
// returns the statement of each account by its key.
func (p Persona) Statements(b Branch, today Day) map[string]Statement {
	return newSimulation(p, b).statements(today)
}

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
