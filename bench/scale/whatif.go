package main

import (
	"fmt"
	"strings"
)

// whatIf returns what breaks at 10 million users if one thing is different, on the quiet day or
// else on the other one. A model that
// breaks nowhere would prove nothing.
func whatIf(checkout string, in *inputs, largest size, tables func() map[string]*key) (string, error) {
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
		{"four slots for each subscription, always", func(in *inputs, _ *size, _ *deployed) { in.mostSlots = in.slots }},
		{"receivers that answer in 20 ms", func(in *inputs, _ *size, _ *deployed) { in.receiverAnswers = 0.02 }},
		{"60 % of the load for one partner", func(in *inputs, _ *size, _ *deployed) { in.hotShare = 0.6 }},
		{"twice as many users", func(_ *inputs, s *size, _ *deployed) { s.users *= 2 }},
	} {
		changed, s := *in, largest
		d, err := readDeployed(checkout, s)
		if err != nil {
			return "", err
		}
		c.change(&changed, &s, &d)
		grown := func() map[string]*key {
			list := tables()
			for _, k := range list {
				k.table.limit(s.quota)
			}
			return list
		}
		broken := newDay(changed.quiet(), s, d, grown()).run().broken(s)
		if len(broken) == 0 {
			broken = newDay(&changed, s, d, grown()).run().broken(s)
		}
		fmt.Fprintf(&table, "| %s | %s |\n", c.what, firstOf(broken, s.name))
	}
	return table.String(), nil
}

// firstOf returns up to two of the broken bounds.
func firstOf(broken []string, name string) string {
	const shown = 2
	if len(broken) == 0 {
		return "nothing"
	}
	var texts []string
	for _, b := range broken {
		text := strings.TrimPrefix(b, name+" users: ")
		if len(texts) < shown && !strings.Contains(strings.Join(texts, ";"), text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}
