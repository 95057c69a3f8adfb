package persona

import (
	_ "embed"
	"slices"
	"sync"
)

// habit is something a persona does, or that happens to it. It is asked every
// day and decides by the player's calendar and dice. Amounts are in euro.
type habit struct {
	// Do names the kind of habit; see habits.
	Do string
	// Account is the one that the habit is about, Other another one of the
	// persona's own.
	Account, Other string
	// Party is who pays: a role or a name.
	Party string
	// Brand is who is paid, or Brands one of whom.
	Brand  string
	Brands []string
	// Day of the month and Months; none stands for all.
	Day    int
	Months []int
	// Percent is how often it happens on a day when it may; 0 always.
	Percent int
	// Amount is what is paid, Low and High its bounds where it differs.
	Amount, Low, High Cents
	// Above: it happens only while more than this is on the account.
	Above Cents
	// Phrase and Purpose are what the row says.
	Phrase, Purpose string
}

// habits are the kinds of habit, by name.
var habits = sync.OnceValue(func() map[string]func(habit, *player) {
	return map[string]func(habit, *player){
		"salary": habit.salary, "rent": habit.rent, "debit": habit.debit, "received": habit.received, "tax": habit.tax,
		"invoices": habit.invoices, "sellDollars": habit.sellDollars, "level": habit.level, "share": habit.share,
		"invest": habit.invest, "interest": habit.interest, "cardBill": habit.cardBill, "shop": habit.shop,
		"subscribe": habit.subscribe, "commute": habit.commute, "online": habit.online, "fuel": habit.fuel,
		"cash": habit.cash, "travel": habit.travel, "gift": habit.gift,
	}
})

// falls reports whether the habit is for today.
func (h habit) falls(p *player) bool {
	return (h.Day == 0 || p.today.due(h.Day)) && (len(h.Months) == 0 || slices.Contains(h.Months, p.today.month())) &&
		(h.Above == 0 || p.balance(h.Account) > p.euros(h.Above)) && (h.Percent == 0 || p.dice.percent(h.Percent))
}

//go:embed data/lives.json
var lifeData []byte
