package main

import (
	"fmt"
	"strings"
)

// whatIf returns what breaks at 10 million users if one thing is different, on the quiet day or
// else on the other one. A model that
// breaks nowhere would prove nothing.
func whatIf(checkout string, in *inputs, tables func() map[string]*key) (string, error) {
	var table strings.Builder
	table.WriteString("| At 10⁷ users, with … | … this breaks |\n|---|---|\n")
	for _, c := range []struct {
		what   string
		change func(*inputs, *size)
	}{
		{"BatchSize 5 of SyncQueue, as in the template", func(_ *inputs, s *size) { s.syncBatch = 0 }},
		{"SyncConcurrency 500", func(_ *inputs, s *size) { s.sync = 500 }},
		{"DeliveryConcurrency 250, as in the template", func(_ *inputs, s *size) { s.deliver = 250 }},
		{"AWS's default quota for tables", func(_ *inputs, s *size) { s.quota = 40_000 }},
		{"AWS's default of 1,000 executions", func(_ *inputs, s *size) { s.account = 1000 }},
		{"PfmTable's index due in one shard", func(in *inputs, _ *size) { in.pfmShards = 1 }},
		{"NotificationTable's index due in one shard", func(in *inputs, _ *size) { in.deliveryShards = 1 }},
		{"one schedule of housekeeping", func(in *inputs, _ *size) { in.parts = 1 }},
		{"four slots for each subscription, always", func(in *inputs, _ *size) { in.mostSlots = in.slots }},
		{"receivers that answer in 20 ms", func(in *inputs, _ *size) { in.receiverAnswers = 0.02 }},
		{"60 % of the load for one partner", func(in *inputs, _ *size) { in.hotShare = 0.6 }},
		{"twice as many users", func(_ *inputs, s *size) { s.users *= 2 }},
	} {
		changed, s := *in, sizes()[len(sizes())-1]
		c.change(&changed, &s)
		d, err := readDeployed(checkout, s)
		if err != nil {
			return "", err
		}
		grown := func() map[string]*key {
			list := tables()
			for _, k := range list {
				k.table.limit(s.quota)
			}
			return list
		}
		broken := newDay(changed.quiet(), s, d, grown()).run().broken(s, true)
		if len(broken) == 0 {
			broken = newDay(&changed, s, d, grown()).run().broken(s, false)
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
