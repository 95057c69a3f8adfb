// Command scale simulates the service on AWS at 10,000 to 10 million connected users, for a
// day with a morning peak, a partner with a large part of the load, a receiver that hangs and
// a bank that does not answer for an hour (make scale). It writes tables to docs/scale.md, which
// explains the model, and fails if a bound breaks.
//
// Everything that the model is told is in inputs.go.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"aviso/bench/page"
)

func main() {
	write := flag.Bool("write", true, "also try what breaks, and write everything to docs/scale.md")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(write bool) error {
	in, err := readInputs(".")
	if err != nil {
		return err
	}
	cases, err := sizes(".")
	if err != nil {
		return err
	}
	var all []outcome
	var faults []string
	for _, s := range cases {
		o, err := simulate(".", in, s)
		if err != nil {
			return err
		}
		all = append(all, o)
		faults = append(append(faults, o.quiet.broken()...), o.trying.broken()...)
	}
	largest := all[len(all)-1].trying
	faults = append(faults, largest.short()...)
	text := resultTable(all) + "\n" + keyTable(largest)
	fmt.Println(text)
	if write {
		const docs = "docs/scale.md"
		if err := page.Replace(docs, "scale", text); err != nil {
			return err
		}
		binding, err := whatBinds(".", in, cases)
		if err != nil {
			return err
		}
		if err := page.Replace(docs, "binds", binding); err != nil {
			return err
		}
		if err := page.Replace(docs, "breaks", whatIf(largest)); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d bounds are broken:\n%s", len(faults), strings.Join(faults, "\n"))
	}
	return nil
}

// outcome is a day on which everybody answers, and the day with all troubles.
type outcome struct{ quiet, trying *day }

func simulate(checkout string, in *inputs, s size) (outcome, error) {
	d, err := readDeployed(checkout, s)
	if err != nil {
		return outcome{}, err
	}
	return outcome{quiet: newDay(in.quiet(), s, d).run(), trying: newDay(in, s, d).run()}, nil
}

// whatIf returns what breaks at 10 million users if one thing is different, on the quiet day or
// else on the other one. A model that breaks nowhere would prove nothing.
func whatIf(largest *day) string {
	var table strings.Builder
	table.WriteString("| At 10⁷ users, with … | … this breaks |\n|---|---|\n")
	for _, c := range []struct {
		what   string
		change func(*inputs, *size, *deployed)
	}{
		{"no breaker for banks", func(in *inputs, _ *size, _ *deployed) { in.breaker = false }},
		{"a bank of 30 % that hangs for three hours", func(in *inputs, _ *size, _ *deployed) {
			in.bankShare, in.bankDown = 0.3, window{7 * hour, 10 * hour}
		}},
		{"BatchSize 5 of SyncQueue", func(_ *inputs, _ *size, d *deployed) { d.syncBatch = 5 }},
		{"SyncConcurrency 500", func(_ *inputs, _ *size, d *deployed) { d.syncMost = 500 }},
		{"DeliveryConcurrency 250, the default", func(_ *inputs, _ *size, d *deployed) { d.deliverMost = 250 }},
		{"AWS's default quota for tables", func(_ *inputs, s *size, _ *deployed) { s.quota = 40_000 }},
		{"AWS's default of 1,000 executions", func(_ *inputs, s *size, _ *deployed) { s.account = 1000 }},
		{"PfmTable's index due in one shard", func(in *inputs, _ *size, _ *deployed) { in.pfmShards = 1 }},
		{"NotificationTable's index due in one shard", func(in *inputs, _ *size, _ *deployed) { in.deliveryShards = 1 }},
		{"one schedule of housekeeping", func(_ *inputs, _ *size, d *deployed) { d.parts = 1 }},
		{"a receiver of 30 % that hangs all day", func(in *inputs, _ *size, _ *deployed) {
			in.hotShare, in.hangShare, in.hangs = 0, 0.3, window{0, 24 * hour}
		}},
		{"60 % of the load for one partner", func(in *inputs, _ *size, _ *deployed) { in.hotShare = 0.6 }},
		{"three times as many requests", func(_ *inputs, _ *size, d *deployed) { d.throttle, d.burst = d.throttle/3, d.burst/3 }},
		{"twice as many users", func(_ *inputs, s *size, _ *deployed) { s.users *= 2 }},
	} {
		changed, s, d := *largest.in, largest.size, largest.d
		c.change(&changed, &s, &d)
		broken := newDay(changed.quiet(), s, d).run().broken()
		if len(broken) == 0 {
			broken = newDay(&changed, s, d).run().broken()
		}
		worst := "nothing"
		if len(broken) > 0 {
			worst, _, _ = strings.Cut(strings.TrimPrefix(broken[0], s.name+" users: "), ", at most")
		}
		fmt.Fprintf(&table, "| %s | %s |\n", c.what, worst)
	}
	return table.String()
}

// whatBinds returns at how many users a bound breaks first, with AWS's and the template's defaults and then with
// each of them raised as for 10 million users.
func whatBinds(checkout string, in *inputs, cases []size) (string, error) {
	s, large := cases[0], cases[len(cases)-1]
	cells := [][]string{{"With …", "holds up to", "then"}}
	for _, step := range []struct {
		what  string
		raise func()
	}{
		{"all defaults", func() {}},
		{"SyncConcurrency, SyncWaitConcurrency and DeliveryConcurrency raised", func() { s.parameters = large.parameters }},
		{"… and executions of the account", func() { s.account = large.account }},
		{"… and the quota of tables", func() { s.quota = large.quota }},
	} {
		step.raise()
		d, err := readDeployed(checkout, s)
		if err != nil {
			return "", err
		}
		broken := func(users float64) []string {
			s := s
			s.users, s.name = users, "these"
			return append(newDay(in.quiet(), s, d).run().broken(), newDay(in, s, d).run().broken()...)
		}
		holds, breaks := 1e4, 4e7
		for breaks/holds > 1.05 {
			if middle := math.Sqrt(holds * breaks); len(broken(middle)) > 0 {
				breaks = middle
			} else {
				holds = middle
			}
		}
		first := "nothing"
		if faults := broken(breaks); len(faults) > 0 {
			first, _, _ = strings.Cut(strings.TrimPrefix(faults[0], "these users: "), ", at most")
		}
		cells = append(cells, []string{step.what, fmt.Sprintf("%.1f million users", holds/1e6), first})
	}
	return page.Table(cells), nil
}

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

// broken returns the bounds that a day breaks.
func (y *day) broken() (faults []string) {
	fault := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, y.size.name+" users: "+fmt.Sprintf(format, args...))
		}
	}
	seconds := func(what string, is, most int) {
		fault(is > most, "%s: %s, at most %s", what, duration(is), duration(most))
	}
	seconds("refreshes wait to be planned, p99", y.planned.quantile(0.99), refreshWait)
	seconds("refreshes wait for the bank, p99", y.read.quantile(0.99), refreshWait)
	seconds("refreshes wait for the bank, the longest", y.read.longest(), lostAfter)
	seconds("deliveries wait for their first attempt, p99", y.first.quantile(0.99), firstWait)
	worst := y.worst()
	seconds(worst.name+" is throttled in a row", worst.longest, throttledInRow)
	seconds("others' retries are late", int(y.retryLate), firstWait)
	fault(y.peakConcurrency > ofAccount*y.size.account, "%.0f executions of %.0f", y.peakConcurrency, y.size.account)
	fault(y.requestsRefused >= 1, "%.0f requests refused", y.requestsRefused)
	fault(y.left > leftOver, "%.1f %% of the day's refreshes are left", 100*y.left)
	return faults
}

// short returns what is missing of the headline at 10 million users: without these peaks,
// bounds that hold would prove nothing.
func (y *day) short() (faults []string) {
	want := func(is float64, what string, least float64) {
		if is < least {
			faults = append(faults, fmt.Sprintf("only %.0f %s, want %.0f", is, what, least))
		}
	}
	want(y.peakDeliveries, "deliveries a second", 5000)
	want(y.peakRequests, "requests a second", 2000)
	want(y.synced, "refreshes a day", 3.9e7)
	for _, k := range y.all {
		if takes := y.d.atFirst(k.name); k.quota > 0 && (k.peak.write > takes.write || k.peak.read > takes.read) {
			faults = append(faults, k.name+" is not warm enough for its first day")
		}
	}
	return faults
}

// worst returns the key that refused work for longest.
func (y *day) worst() *key {
	worst := &key{}
	for _, k := range y.all {
		if k.longest > worst.longest {
			worst = k
		}
	}
	return worst
}

func resultTable(all []outcome) string {
	var cells [][]string
	for _, o := range all {
		y := o.trying
		for i, row := range [][2]string{
			{"Connected users", y.size.name},
			{"SyncConcurrency, SyncWaitConcurrency", count(y.d.syncMost) + ", " + count(y.d.syncWaitMost)},
			{"DeliveryConcurrency", count(y.d.deliverMost)},
			{"Quota of a table, units a second", count(y.size.quota)},
			{"Concurrent executions of the account", count(y.size.account)},
			{"… most at once", count(y.peakConcurrency)},
			{"Requests a second, peak", count(y.peakRequests)},
			{"Deliveries a second, peak", count(y.peakDeliveries)},
			{"Refreshes a day", count(y.synced)},
			{"Due until planned, p99", duration(y.planned.quantile(0.99))},
			{"Due until the bank is read, p99, quiet day", duration(o.quiet.read.quantile(0.99))},
			{"… day with the outage, other banks", duration(y.read.quantile(0.99))},
			{"… the longest", duration(y.read.longest())},
			{"… the bank itself, longest", duration(y.readLarge.longest())},
			{"Its refreshes that were given up", count(y.gaveUp)},
			{"Event until first attempt, p99", duration(y.first.quantile(0.99))},
			{"… the longest", duration(y.first.longest())},
			{"Waiting for the hanging receiver, most", count(y.hungMost)},
			{"Others' retries late by, most", duration(int(y.retryLate))},
			{"Its row of slots throttled in a row", duration(y.keys[hungRow].longest)},
			{"Any other partition throttled in a row", duration(y.worst().longest)},
		} {
			if len(cells) <= i {
				cells = append(cells, []string{row[0]})
			}
			cells[i] = append(cells[i], row[1])
		}
	}
	return page.Table(cells)
}

func keyTable(y *day) string {
	cells := [][]string{{"At 10⁷ users", "WRU/s, peak", "RRU/s, peak", "takes WRU/s at first", "takes RRU/s at first"}}
	for _, k := range y.all {
		takes := units{partitionWrites, partitionReads}
		if k.quota > 0 {
			takes = y.d.atFirst(k.name)
		}
		cells = append(cells, []string{k.name, count(k.peak.write), count(k.peak.read), count(takes.write), count(takes.read)})
	}
	return page.Table(cells)
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

// count writes a number with commas.
func count(v float64) string { return message.NewPrinter(language.English).Sprintf("%.0f", v) }
