package contract

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"aviso/internal/pfm"
)

// series is a set of payments that follow one cadence.
type series struct {
	cadence cadence
	entries []Entry
	// members are positions in the group, sorted by date.
	members []int
	// contract is the ID if the series is a contract.
	contract string
}

// How far amounts may be apart, as the ratio of the larger to the smaller.
const (
	// maxRise is how much a price may change from one payment to the next.
	maxRise = 1.3
	// maxAgreedRise is the same for debits, whose party and mandate stay.
	maxAgreedRise = 1.6
	// maxSpread is how much payments may differ if only their dates and amounts
	// connect them. It is narrow, so that shopping at the same place once a month
	// does not count as a subscription.
	maxSpread = 1.25
	// maxBonus is how much a single salary, or a debit under a mandate, may differ
	// from the others when it comes on their day.
	maxBonus = 2.5
)

// finder looks for series among the payments of a group.
type finder struct {
	entries []Entry
	days    []int
	// sizes are the amounts without sign. They are only used to compare amounts
	// roughly. Whether amounts are equal is decided on the exact amounts.
	sizes []float64
	taken []bool
	found []*series
}

func newFinder(entries []Entry) *finder {
	n := len(entries)
	f := &finder{entries: entries, days: make([]int, n), sizes: make([]float64, n), taken: make([]bool, n)}
	for i, e := range entries {
		f.days[i] = dayOf(e.Date)
		// An amount's text is always a decimal number. One too small to divide by is
		// not similar to any other.
		size, _ := strconv.ParseFloat(e.Amount.String(), 64)
		f.sizes[i] = math.Abs(size)
	}
	return f
}

// find goes from the surest to the least sure. Each step only looks at the payments
// that the previous ones left.
func (f *finder) find() {
	if len(f.entries) < 2 {
		return
	}
	f.tryAll()
	for _, same := range f.byAmount() {
		f.try(same, repeated)
	}
	f.join()
	f.attach()
	f.tryRest()
	f.attach()
}

// tryAll tries all payments as one series. That is the usual case, and it comes
// first so that two amounts that happen to be equal do not form their own series.
func (f *finder) tryAll() {
	all := make([]int, len(f.entries))
	free := false
	for i, e := range f.entries {
		all[i] = i
		free = free || !e.isAgreed() && e.Amount.Sign() < 0
	}
	if len(f.byNearness(all)) == 1 && (!free || f.spread(all) <= maxSpread) {
		f.try(all, f.strength(all))
	}
}

// strength returns the evidence that all payments of the group are one obligation.
func (f *finder) strength(all []int) evidence {
	allEqual := !slices.ContainsFunc(all, func(i int) bool { return !f.entries[i].Amount.Equal(f.entries[0].Amount) })
	allAgreed := !slices.ContainsFunc(all, func(i int) bool { return !f.entries[i].isAgreed() })
	switch {
	case allEqual && allAgreed:
		return certain
	case allAgreed:
		return agreed
	case allEqual:
		return equal
	default:
		return similar
	}
}

// byAmount groups the payments by equal amounts. Several payments on one day go to
// different groups: they are two contracts with one price, or a payment made twice.
func (f *finder) byAmount() [][]int {
	sorted := make([]int, len(f.entries))
	for i := range sorted {
		sorted[i] = i
	}
	sorted = slices.DeleteFunc(sorted, func(i int) bool { return f.taken[i] })
	slices.SortStableFunc(sorted, func(a, b int) int { return f.entries[a].Amount.Cmp(f.entries[b].Amount) })
	var out [][]int
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && f.entries[sorted[n]].Amount.Equal(f.entries[sorted[0]].Amount) {
			n++
		}
		var lanes [][]int
		for _, i := range sorted[:n] {
			lane := 0
			for lane < len(lanes) && f.days[lanes[lane][len(lanes[lane])-1]] == f.days[i] {
				lane++
			}
			if lane == len(lanes) {
				lanes = append(lanes, nil)
			}
			lanes[lane] = append(lanes[lane], i)
		}
		out = append(out, lanes...)
		sorted = sorted[n:]
	}
	slices.SortStableFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return out
}

// try adds the payments as a series if their dates follow a cadence.
func (f *finder) try(members []int, e evidence) {
	if len(members) < 2 {
		return
	}
	days := f.daysOf(members)
	for _, c := range cadences() {
		if c.fits(days, e) {
			f.found = append(f.found, &series{cadence: c, entries: f.entries, members: slices.Clone(members)})
			for _, i := range members {
				f.taken[i] = true
			}
			return
		}
	}
}

func (f *finder) daysOf(members []int) []int {
	days := make([]int, len(members))
	for k, i := range members {
		days[k] = f.days[i]
	}
	return days
}

// join merges two series into one if only the price changed between them.
func (f *finder) join() {
	for i := 0; i < len(f.found); i++ {
		for j := i + 1; j < len(f.found); j++ {
			a, b := f.found[i], f.found[j]
			last, first := a.members[len(a.members)-1], b.members[0]
			n := a.cadence.steps(f.days[last], f.days[first])
			most := maxRise
			if f.entries[last].isAgreed() && f.entries[first].isAgreed() {
				most = maxAgreedRise
			}
			if a.cadence == b.cadence && f.ratio(last, first) <= most && (n == 1 || n == 2) {
				a.members = append(a.members, b.members...)
				f.found = slices.Delete(f.found, j, j+1)
				j = i
			}
		}
	}
}

// attach adds single payments to the series that they belong to: before it, after it, or in a gap.
func (f *finder) attach() {
	for again := len(f.found) > 0; again; {
		again = false
		for i := range f.entries {
			of := slices.IndexFunc(f.found, func(s *series) bool { return !f.taken[i] && f.belongs(i, s) })
			if of < 0 {
				continue
			}
			s := f.found[of]
			at, _ := slices.BinarySearch(s.members, i)
			s.members = slices.Insert(s.members, at, i)
			f.taken[i], again = true, true
		}
	}
}

// belongs reports whether payment i is in step with the series and of a similar
// amount.
func (f *finder) belongs(i int, s *series) bool {
	at, _ := slices.BinarySearch(s.members, i)
	neighbour := s.members[max(at-1, 0)]
	most := maxRise
	if f.entries[i].isAgreed() || f.entries[i].Amount.Sign() > 0 {
		most = maxBonus
	}
	if f.ratio(i, neighbour) > most {
		return false
	}
	if at > 0 {
		if n := s.cadence.steps(f.days[s.members[at-1]], f.days[i]); n != 1 && n != 2 {
			return false
		}
	}
	if at < len(s.members) {
		if n := s.cadence.steps(f.days[i], f.days[s.members[at]]); n != 1 && n != 2 {
			return false
		}
	}
	return true
}

// tryRest looks for series with changing amounts, such as bills, premiums and wages.
func (f *finder) tryRest() {
	var free, bound []int
	for i, e := range f.entries {
		switch {
		case f.taken[i]:
		case e.isAgreed() || e.Amount.Sign() > 0:
			bound = append(bound, i)
		default:
			free = append(free, i)
		}
	}
	for _, near := range f.byNearness(bound) {
		f.try(near, similar)
	}
	bound = slices.DeleteFunc(bound, func(i int) bool { return f.taken[i] || !f.entries[i].isAgreed() })
	f.try(bound, erratic)
	// Purchases can have any amounts, so these must all be similar.
	if len(free) > 0 && f.spread(free) <= maxSpread {
		f.try(free, similar)
	}
}

// byNearness groups payments by similar amounts: a new group begins where the next
// larger amount is more than maxRise away.
func (f *finder) byNearness(members []int) [][]int {
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(f.sizes[a], f.sizes[b]) })
	var out [][]int
	for k, i := range sorted {
		if k == 0 || f.ratio(sorted[k-1], i) > maxRise {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], i)
	}
	for _, near := range out {
		slices.Sort(near)
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return out
}

func (f *finder) spread(members []int) float64 {
	least, most := members[0], members[0]
	for _, i := range members {
		if f.sizes[i] < f.sizes[least] {
			least = i
		}
		if f.sizes[i] > f.sizes[most] {
			most = i
		}
	}
	return f.ratio(least, most)
}

// ratio returns the ratio of the larger amount to the smaller one.
func (f *finder) ratio(a, b int) float64 {
	return max(f.sizes[a], f.sizes[b]) / min(f.sizes[a], f.sizes[b])
}

// day returns the day of the k-th payment in step.
func (s *series) day(k int) pfm.Date { return s.entries[s.members[k]].Date }
