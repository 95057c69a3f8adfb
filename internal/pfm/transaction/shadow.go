package transaction

import "slices"

// shadows finds pending rows that a bank goes on listing beside their bookings, which have
// other IDs. All rows are of one amount.
type shadows struct {
	fetched []Transaction
	// pending are fetched rows by index, wasPending those of them that were known before.
	pending    []int
	wasPending map[int]bool
	// booked are known rows, settled those known pending rows that are no longer pending.
	booked, settled []Transaction
}

// withoutShadows drops pending rows whose bookings are in the same statement. It marks the
// bookings, because the next statement may have the pending rows again.
func withoutShadows(known, fetched []Transaction) []Transaction {
	groups := map[string]*shadows{}
	for i, f := range fetched {
		if key := amountKey(f); f.State == Uncleared {
			if groups[key] == nil {
				groups[key] = &shadows{fetched: fetched, wasPending: map[int]bool{}}
			}
			groups[key].pending = append(groups[key].pending, i)
		}
	}
	if len(groups) == 0 {
		return fetched
	}
	for _, k := range known {
		if s := groups[amountKey(k)]; s != nil {
			s.add(k)
		}
	}
	drop := make([]bool, len(fetched))
	for i := range fetched {
		b := &fetched[i]
		if s := groups[amountKey(*b)]; s != nil && b.State == Cleared {
			if p := s.of(*b); p >= 0 {
				drop[p], b.AlsoPending = true, true
			}
		}
	}
	rest := make([]Transaction, 0, len(fetched))
	for i, f := range fetched {
		if !drop[i] {
			rest = append(rest, f)
		}
	}
	return rest
}

func (s *shadows) add(k Transaction) {
	switch k.State {
	case Cleared:
		s.booked = append(s.booked, k)
	case Uncleared:
		i := slices.IndexFunc(s.pending, func(p int) bool { return !s.wasPending[p] && isEntry(k, s.fetched[p]) })
		if i < 0 {
			s.settled = append(s.settled, k)
			return
		}
		s.wasPending[s.pending[i]] = true
	case Void:
	}
}

// of returns the shadow of a booked row, or -1.
func (s *shadows) of(b Transaction) int {
	isLike := func(t Transaction) bool { return looksLike(t, b) }
	known := slices.IndexFunc(s.booked, func(k Transaction) bool { return isEntry(k, b) })
	if known < 0 {
		// The bank books what is no longer pending.
		if i := slices.IndexFunc(s.settled, isLike); i >= 0 {
			s.settled = slices.Delete(s.settled, i, i+1)
			return -1
		}
	} else if !s.booked[known].AlsoPending {
		return -1
	}
	i := slices.IndexFunc(s.pending, func(p int) bool {
		f := s.fetched[p]
		hadShadow, isEarlier := known >= 0, f.DayGuessed || f.RecordDate <= b.RecordDate
		return s.wasPending[p] != hadShadow && isEarlier && isLike(f) && near(b, f, settleDays)
	})
	if i < 0 {
		return -1
	}
	p := s.pending[i]
	s.pending = slices.Delete(s.pending, i, i+1)
	return p
}

// isEntry reports whether a fetched row is a known one, by its ID or its content and day.
func isEntry(k, f Transaction) bool {
	shared := func(id string) bool { return slices.Contains(idsOf(f), id) }
	return slices.ContainsFunc(idsOf(k), shared) || k.Content == f.Content && sameDay(k, f)
}
