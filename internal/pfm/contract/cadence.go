package contract

import (
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// The frequencies of recurring payments. All others have transaction.Once.
const (
	Weekly       transaction.Frequency = "Weekly"
	BiWeekly     transaction.Frequency = "BiWeekly"
	Monthly      transaction.Frequency = "Monthly"
	Quarterly    transaction.Frequency = "Quarterly"
	SemiAnnually transaction.Frequency = "SemiAnnually"
	Annually     transaction.Frequency = "Annually"
)

// evidence is how strongly a set of payments looks like one obligation, leaving
// dates aside. The stronger it is, the fewer payments are enough.
type evidence int

const (
	erratic  evidence = iota // direct debits or standing orders of any amount
	similar                  // similar amounts
	repeated                 // one amount, among payments of other amounts
	equal                    // one amount only
	agreed                   // direct debits or standing orders of similar amounts
	certain                  // direct debits or standing orders of one amount
)

// cadence is an interval between payments. Four weeks and two months have no
// frequency of their own and get the nearest one, but keep their true interval,
// which determines the next date and the yearly cost.
type cadence struct {
	frequency transaction.Frequency
	// The interval: either days or months is set.
	days, months int
	// tolerance, in days, covers weekends, holidays and month ends.
	tolerance int
	perYear   int
	// least is how many payments are enough, by evidence.
	least [certain + 1]int
}

// never is more payments than a group holds.
const never = 1000

// cadences returns the cadences in the order in which they are tried: if a shorter
// interval explains the dates, it is the better explanation.
func cadences() []cadence {
	return []cadence{
		{frequency: Weekly, days: 7, tolerance: 2, perYear: 52, least: [...]int{6, never, 4, 4, 4, 3}},
		{frequency: BiWeekly, days: 14, tolerance: 3, perYear: 26, least: [...]int{6, never, 4, 4, 4, 3}},
		{frequency: Monthly, days: 28, tolerance: 1, perYear: 13, least: [...]int{5, 5, 5, 5, 5, 5}},
		{frequency: Monthly, months: 1, tolerance: 5, perYear: 12, least: [...]int{4, 3, 3, 3, 3, 2}},
		{frequency: Quarterly, months: 2, tolerance: 7, perYear: 6, least: [...]int{4, 4, 4, 4, 3, 3}},
		{frequency: Quarterly, months: 3, tolerance: 9, perYear: 4, least: [...]int{4, 3, 4, 3, 2, 2}},
		{frequency: SemiAnnually, months: 6, tolerance: 12, perYear: 2, least: [...]int{3, 3, 3, 3, 2, 2}},
		{frequency: Annually, months: 12, tolerance: 14, perYear: 1, least: [...]int{3, 3, 3, 2, 2, 2}},
	}
}

// after returns the day n periods after day.
func (c cadence) after(day, n int) int {
	if c.months == 0 {
		return day + n*c.days
	}
	y, m, d := civil(day)
	return clamped(y, m+time.Month(n*c.months), d)
}

// steps returns how many periods, one to three, are between two days. It returns 0
// if the second day is too early to be the next, and -1 if it is out of step.
func (c cadence) steps(from, to int) int {
	if to < c.after(from, 1)-c.tolerance {
		return 0
	}
	for n := 1; n <= 3; n++ {
		if off := to - c.after(from, n); -c.tolerance <= off && off <= c.tolerance {
			return n
		}
	}
	return -1
}

// fits reports whether the days, which are sorted, follow the cadence. A missed
// payment, one made twice or out of step, and a long pause count as irregular. A
// quarter of the payments may be irregular.
func (c cadence) fits(days []int, e evidence) bool {
	if len(days) < c.least[e] {
		return false
	}
	allowed := len(days) / 4
	if e >= agreed && len(days) >= 3 {
		allowed = max(allowed, 1)
	}
	// The first payment is out of step if a contract begins within a period.
	for start := 0; start < 2 && start < len(days); start++ {
		if c.walk(days, start, allowed, e >= equal) >= c.least[e] {
			return true
		}
	}
	return false
}

// walk returns how many days from start on are in step. It returns 0 if more than
// allowed are irregular. The day of the month may change once, if mayMove is set.
func (c cadence) walk(days []int, start, allowed int, mayMove bool) int {
	last, periods, regular, irregular := days[start], 0, 1, start
	for i := start + 1; i < len(days); i++ {
		day := days[i]
		if irregular > allowed {
			return 0
		}
		n := c.steps(last, day)
		isOut := n == 0 || n < 0 && day <= c.after(last, 3)
		switch {
		case isOut && mayMove && c.moves(days[i:], last):
			irregular++
			mayMove = false
		case isOut:
			irregular++
			continue
		case n > 1:
			irregular += n - 1
		case n < 0:
			irregular++ // a pause, after which the series starts again
		}
		regular++
		periods += max(n, 1)
		last = day
	}
	// A month of 28 to 31 days is within the tolerance of four weeks, several are not.
	if irregular > allowed || c.days == 28 && abs(last-days[start]-28*periods) > 2 {
		return 0
	}
	return regular
}

// moves reports whether the days, the first of which is out of step with the last one, are
// in step with each other instead.
func (c cadence) moves(days []int, last int) bool {
	return c.months > 0 && len(days) >= 3 && c.steps(days[0], days[1]) == 1 && c.steps(days[1], days[2]) == 1 &&
		c.steps(last, days[1]) <= 0
}

// next returns the day on which the payment after the last of days is due. With
// months, that is the usual day of the month, so that a payment of the 31st that
// was made on 28 February is next due on 31 March.
func (c cadence) next(days []int) int {
	due := c.after(days[len(days)-1], 1)
	if c.months == 0 {
		return due
	}
	var seen [32]int
	usual := 0
	for _, day := range days {
		_, _, d := civil(day)
		seen[d]++
	}
	for d := range seen {
		if seen[d] > 0 && seen[d] >= seen[usual] {
			usual = d
		}
	}
	y, m, _ := civil(due)
	best := clamped(y, m, usual)
	for _, other := range []int{clamped(y, m-1, usual), clamped(y, m+1, usual)} {
		if abs(other-due) < abs(best-due) {
			best = other
		}
	}
	return best
}

// dayOf returns the number of days since 1 January 1970.
func dayOf(d pfm.Date) int { return int(d.Time().Unix() / secondsPerDay) }

func dateOf(day int) pfm.Date { return pfm.DateOf(time.Unix(int64(day)*secondsPerDay, 0)) }

const secondsPerDay = 24 * 60 * 60

func civil(day int) (int, time.Month, int) {
	return time.Unix(int64(day)*secondsPerDay, 0).UTC().Date()
}

// clamped returns day d of a month, or its last day if the month is shorter.
func clamped(y int, m time.Month, d int) int {
	first := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
	d = min(d, first.AddDate(0, 1, -1).Day())
	return int(first.Unix()/secondsPerDay) + d - 1
}

func abs(n int) int { return max(n, -n) }
