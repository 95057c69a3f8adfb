package persona

import (
	_ "embed"
	"slices"
	"sync"
)

// activity is something that a persona does or that happens to it. It is evaluated every
// day and depends on the simulation's calendar and random numbers. Amounts are in euros.
type activity struct {
	// Do names the kind of activity; see activities.
	Do string
	// Account is the account of the activity, Other another one of the persona's own.
	Account, Other string
	// Party is the payer: a role or a name.
	Party string
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
	// Phrase and Purpose are texts of the row.
	Phrase, Purpose string
}

// activities returns the kinds of activity by name.
var activities = sync.OnceValue(func() map[string]func(activity, *simulation) {
	return map[string]func(activity, *simulation){
		"salary": activity.salary, "rent": activity.rent, "debit": activity.debit, "received": activity.received,
		"tax": activity.tax, "invoices": activity.invoices, "sellDollars": activity.sellDollars,
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
