package recurrence

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
	// members are the payments in step, doubled those that came on top; both
	// are positions in the group, in order of date.
	members, doubled []int
}

// all is every payment that has the series' label.
func (s *series) all() []int {
	if len(s.doubled) == 0 {
		return s.members
	}
	all := slices.Concat(s.members, s.doubled)
	slices.Sort(all)
	return all
}

// How far amounts may be apart, as a ratio of the greater to the smaller.
const (
	// aRise is what a price may change by from one payment to the next.
	aRise = 1.3
	// aSpread is what payments may differ in that nothing but their dates and
	// amounts holds together. It is close, since who shops once a month at the
	// same place must not pass for a subscriber.
	aSpread = 1.25
	// aBonus is what one salary, or one debit under a mandate, may differ by
	// from the others when it comes on their day.
	aBonus = 2.5
)

// finder looks for series among the payments of a group.
type finder struct {
	entries []Entry
	days    []int
	// sizes are the amounts without sign. They only serve to judge nearness;
	// what is equal is decided on the exact amounts.
	sizes []float64
	taken []bool
	found []*series
}

func newFinder(entries []Entry) *finder {
	n := len(entries)
	f := &finder{entries: entries, days: make([]int, n), sizes: make([]float64, n), taken: make([]bool, n)}
	for i, e := range entries {
		f.days[i] = dayOf(e.Date)
		// An amount's text is a decimal number; one too small to divide by is
		// near nothing.
		size, _ := strconv.ParseFloat(e.Amount.String(), 64)
		f.sizes[i] = math.Abs(size)
	}
	return f
}

// find goes from what is surest to what is least sure; each step takes only
// what the former left.
func (f *finder) find() {
	if len(f.entries) < 2 {
		return
	}
	f.tryWhole()
	for _, same := range f.ofOneAmount() {
		f.try(same, repeated)
	}
	f.join()
	f.attach()
	f.tryLeft()
	f.attach()
}

// tryWhole looks whether everything is one series: the usual case, and the one
// in which two amounts that happen to be equal must not be read by themselves.
func (f *finder) tryWhole() {
	all := make([]int, len(f.entries))
	free := false
	for i, e := range f.entries {
		all[i] = i
		free = free || !e.ordered() && e.Amount.Sign() < 0
	}
	if len(f.byNearness(all)) == 1 && (!free || f.spread(all) <= aSpread) {
		f.try(all, f.strength(all))
	}
}

// strength is what speaks for payments that are all there are.
func (f *finder) strength(all []int) evidence {
	one := !slices.ContainsFunc(all, func(i int) bool { return !f.entries[i].Amount.Equal(f.entries[0].Amount) })
	bound := !slices.ContainsFunc(all, func(i int) bool { return !f.entries[i].ordered() })
	switch {
	case one && bound:
		return certain
	case bound:
		return ordered
	case one:
		return equal
	default:
		return similar
	}
}

// ofOneAmount groups the payments of equal amounts. Of several on one day each
// goes to another group: two contracts of one price, or a payment doubled.
func (f *finder) ofOneAmount() [][]int {
	byAmount := make([]int, len(f.entries))
	for i := range byAmount {
		byAmount[i] = i
	}
	byAmount = slices.DeleteFunc(byAmount, func(i int) bool { return f.taken[i] })
	slices.SortStableFunc(byAmount, func(a, b int) int { return f.entries[a].Amount.Cmp(f.entries[b].Amount) })
	var out [][]int
	for len(byAmount) > 0 {
		n := 1
		for n < len(byAmount) && f.entries[byAmount[n]].Amount.Equal(f.entries[byAmount[0]].Amount) {
			n++
		}
		var lanes [][]int
		for _, i := range byAmount[:n] {
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
		byAmount = byAmount[n:]
	}
	slices.SortStableFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return out
}

// try makes a series of the payments where their dates follow a cadence.
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

// join makes one series of two where the price changed.
func (f *finder) join() {
	for i := 0; i < len(f.found); i++ {
		for j := i + 1; j < len(f.found); j++ {
			a, b := f.found[i], f.found[j]
			last, first := a.members[len(a.members)-1], b.members[0]
			n := a.cadence.steps(f.days[last], f.days[first])
			if a.cadence == b.cadence && f.ratio(last, first) <= aRise && (n == 1 || n == 2) {
				a.members = append(a.members, b.members...)
				f.found = slices.Delete(f.found, j, j+1)
				j = i
			}
		}
	}
}

// attach gives single payments to the series in which they stand: before it,
// after it, in a gap of it, or doubled.
func (f *finder) attach() {
	for again := len(f.found) > 0; again; {
		again = false
		for i := range f.entries {
			if f.taken[i] {
				continue
			}
			for _, s := range f.found {
				switch {
				case f.belongs(i, s):
					at, _ := slices.BinarySearch(s.members, i)
					s.members = slices.Insert(s.members, at, i)
				case f.doubles(i, s):
					at, _ := slices.BinarySearch(s.doubled, i)
					s.doubled = slices.Insert(s.doubled, at, i)
				default:
					continue
				}
				f.taken[i], again = true, true
				break
			}
		}
	}
}

// belongs tells whether payment i is in step with the series and near in amount.
func (f *finder) belongs(i int, s *series) bool {
	at, _ := slices.BinarySearch(s.members, i)
	neighbour := s.members[max(at-1, 0)]
	most := aRise
	if f.entries[i].ordered() || f.entries[i].Amount.Sign() > 0 {
		most = aBonus
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

// doubles tells whether payment i came on top of one of the series: of the same
// amount and shortly after it. One payment in four may.
func (f *finder) doubles(i int, s *series) bool {
	if len(s.doubled) >= max(1, len(s.members)/4) {
		return false
	}
	return slices.ContainsFunc(s.members, func(m int) bool {
		after := f.days[i] - f.days[m]
		return f.entries[m].Amount.Equal(f.entries[i].Amount) && 0 <= after && after <= s.cadence.tolerance
	})
}

// tryLeft looks for series of changing amounts: bills, premiums, wages.
func (f *finder) tryLeft() {
	var free, bound []int
	for i, e := range f.entries {
		switch {
		case f.taken[i]:
		case e.ordered() || e.Amount.Sign() > 0:
			bound = append(bound, i)
		default:
			free = append(free, i)
		}
	}
	for _, near := range f.byNearness(bound) {
		f.try(near, similar)
	}
	bound = slices.DeleteFunc(bound, func(i int) bool { return f.taken[i] || !f.entries[i].ordered() })
	f.try(bound, erratic)
	// What is bought freely may come in any amounts; here all must be near.
	if len(free) > 0 && f.spread(free) <= aSpread {
		f.try(free, similar)
	}
}

// byNearness parts payments where the next greater amount is more than a rise
// away.
func (f *finder) byNearness(members []int) [][]int {
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(f.sizes[a], f.sizes[b]) })
	var out [][]int
	for k, i := range sorted {
		if k == 0 || f.ratio(sorted[k-1], i) > aRise {
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

// ratio is how many times the smaller amount the greater one is.
func (f *finder) ratio(a, b int) float64 {
	return max(f.sizes[a], f.sizes[b]) / min(f.sizes[a], f.sizes[b])
}

// day is when the k-th payment in step was made.
func (s *series) day(k int) pfm.Date { return s.entries[s.members[k]].Date }
