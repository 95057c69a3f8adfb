package main

import "fmt"

// The bounds that have to hold, on a day when every bank and receiver answers and on the day
// with the outage and the receiver that hangs. Refreshes are those of the banks that answer.
const (
	refreshWait    = 15 * 60  // p99 from due to planned, and from due to the bank
	firstWait      = 60       // p99 from an event's commit to the first call
	lostAfter      = 2 * hour // after which housekeeping asks for a sync again
	throttledInRow = 60       // seconds for which a partition may refuse work
	ofAccount      = 0.9      // of the account's concurrent executions
	leftOver       = 0.01     // of a day's refreshes, when the day ends
)

// hungRow may be throttled: it holds up nobody but the receiver that hangs.
const hungRow = "hanging receiver: its row of slots"

// broken returns the bounds that a day breaks.
func (r *results) broken(s size) (faults []string) {
	fault := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, s.name+" users: "+fmt.Sprintf(format, args...))
		}
	}
	seconds := func(what string, is, most int) {
		fault(is > most, "%s: %s, at most %s", what, duration(is), duration(most))
	}
	seconds("refreshes wait to be planned, p99", r.planned.quantile(0.99), refreshWait)
	seconds("refreshes wait for the bank, p99", r.read.quantile(0.99), refreshWait)
	seconds("refreshes wait for the bank, the longest", r.read.longest(), lostAfter)
	seconds("deliveries wait for their first attempt, p99", r.first.quantile(0.99), firstWait)
	for _, k := range r.keys {
		if k.name != hungRow {
			seconds(k.name+" is throttled in a row", k.longest, throttledInRow)
		}
	}
	fault(r.peakConcurrency > ofAccount*s.account, "%.0f executions of %.0f", r.peakConcurrency, s.account)
	fault(r.refused >= 1, "%.0f requests refused", r.refused)
	fault(r.left > leftOver, "%.1f %% of the day's refreshes are left", 100*r.left)
	return faults
}

// short returns what is missing of the headline at 10 million users: without these peaks,
// bounds that hold would prove nothing.
func (r *results) short() (faults []string) {
	const deliveries, requests, refreshes = 5000, 2000, 3.9e7
	for _, f := range []struct {
		what     string
		is, want float64
	}{
		{"deliveries a second", r.peakDeliveries, deliveries}, {"requests a second", r.peakRequests, requests},
		{"refreshes a day", r.syncs, refreshes},
	} {
		if f.is < f.want {
			faults = append(faults, fmt.Sprintf("only %.0f %s, want %.0f", f.is, f.what, f.want))
		}
	}
	return faults
}

// duration writes seconds as people say them.
func duration(seconds int) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 2*hour:
		return fmt.Sprintf("%d min", (seconds+30)/60)
	default:
		return fmt.Sprintf("%.1f h", float64(seconds)/hour)
	}
}
