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
	"os"
	"strings"

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
		{"60 % of the load for one partner", func(in *inputs, _ *size, _ *deployed) { in.hotShare = 0.6 }},
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
