package persona

import (
	_ "embed"
	"slices"
	"sync"
)

// activity is something a persona does, or that happens to it. It is asked every
// day and decides by the simulation's calendar and rng. Amounts are in euro.
type activity struct {
	// Do names the kind of activity; see activities.
	Do string
	// Account is the one that the activity is about, Other another one of the
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

// activities are the kinds of activity, by name.
var activities = sync.OnceValue(func() map[string]func(activity, *simulation) {
	return map[string]func(activity, *simulation){
		"salary": activity.salary, "rent": activity.rent, "debit": activity.debit, "received": activity.received, "tax": activity.tax,
		"invoices": activity.invoices, "sellDollars": activity.sellDollars, "level": activity.level, "share": activity.share,
		"invest": activity.invest, "interest": activity.interest, "cardBill": activity.cardBill, "shop": activity.shop,
		"subscribe": activity.subscribe, "commute": activity.commute, "online": activity.online, "fuel": activity.fuel,
		"cash": activity.cash, "travel": activity.travel, "gift": activity.gift,
	}
})

// falls reports whether the activity is for today.
func (a activity) isDue(s *simulation) bool {
	return (a.Day == 0 || s.today.isMonthly(a.Day)) && (len(a.Months) == 0 || slices.Contains(a.Months, s.today.month())) &&
		(a.Above == 0 || s.balance(a.Account) > s.euros(a.Above)) && (a.Percent == 0 || s.rng.chance(a.Percent))
}

//go:embed data/lives.json
var lifeData []byte
