package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"aviso/bench/page"
	"aviso/bench/plot"
)

// outcome is everything about one number of users.
type outcome struct {
	size                 size
	d                    deployed
	fresh, quiet, trying *results
}

func report(checkout string, in *inputs, all []outcome, breaks string) error {
	docs := filepath.Join(checkout, "docs")
	text := resultTable(all) + "\n" + keyTable(all[len(all)-1].trying) + "\n" + costTable(in, all)
	if err := page.Replace(filepath.Join(docs, "scale.md"), "scale", text); err != nil {
		return err
	}
	if err := page.Replace(filepath.Join(docs, "scale.md"), "off", comparisonTable(compare(in))); err != nil {
		return err
	}
	if err := page.Replace(filepath.Join(docs, "scale.md"), "breaks", breaks); err != nil {
		return err
	}
	for name, figure := range figuresOf(all) {
		if err := plot.Write(filepath.Join(docs, "images", "scale-"+name+".svg"), figure); err != nil {
			return err
		}
	}
	return nil
}

func resultTable(all []outcome) string {
	cells := [][]string{{"Connected users"}}
	add := func(name string, cell func(outcome) string) {
		line := []string{name}
		for _, o := range all {
			line = append(line, cell(o))
		}
		cells = append(cells, line)
	}
	for _, o := range all {
		cells[0] = append(cells[0], o.size.name)
	}
	add("SyncConcurrency, SyncWaitConcurrency", func(o outcome) string { return count(o.d.syncMost) + ", " + count(o.d.syncWaitMost) })
	add("DeliveryConcurrency", func(o outcome) string { return count(o.d.deliverMost) })
	add("BatchSize of SyncQueue", func(o outcome) string { return count(o.d.syncBatch) })
	add("Quota of a table, units a second", func(o outcome) string { return count(o.size.quota) })
	add("Concurrent executions of the account", func(o outcome) string { return count(o.size.account) })
	add("… most at once", func(o outcome) string { return count(o.trying.peakConcurrency) })
	add("Requests a second, peak", func(o outcome) string { return count(o.trying.peakRequests) })
	add("Deliveries a second, peak", func(o outcome) string { return count(o.trying.peakDeliveries) })
	add("Refreshes a day", func(o outcome) string { return count(o.trying.syncs) })
	add("Due until planned, p99", func(o outcome) string { return duration(o.trying.planned.quantile(0.99)) })
	add("Due until the bank is read, p99, quiet day", func(o outcome) string { return duration(o.quiet.read.quantile(0.99)) })
	add("… day with the outage, other banks", func(o outcome) string { return duration(o.trying.read.quantile(0.99)) })
	add("… the longest", func(o outcome) string { return duration(o.trying.read.longest()) })
	add("… the bank itself, longest", func(o outcome) string { return duration(o.trying.readLarge.longest()) })
	add("Its refreshes that were given up", func(o outcome) string { return count(o.trying.gaveUp) })
	add("Most hidden messages of SyncQueue", func(o outcome) string { return count(o.trying.hidden) })
	add("Event until first attempt, p99", func(o outcome) string { return duration(o.trying.first.quantile(0.99)) })
	add("… the longest", func(o outcome) string { return duration(o.trying.first.longest()) })
	add("Waiting for the hanging receiver, most", func(o outcome) string { return count(o.trying.hungMost) })
	add("Its row of slots throttled in a row", func(o outcome) string { return duration(o.trying.key(hungRow).longest) })
	add("Any other partition throttled in a row", func(o outcome) string { return duration(o.trying.throttled()) })
	add("… on the first day, with new tables", func(o outcome) string { return duration(o.fresh.throttled()) })
	return page.Table(cells)
}

func (r *results) key(name string) *key {
	for _, k := range r.keys {
		if k.name == name {
			return k
		}
	}
	return &key{}
}

func (r *results) throttled() int {
	longest := 0
	for _, k := range r.keys {
		if k.name != hungRow {
			longest = max(longest, k.longest)
		}
	}
	return longest
}

func keyTable(r *results) string {
	cells := [][]string{{"At 10⁷ users", "WRU/s, peak", "RRU/s, peak", "takes WRU/s", "takes RRU/s"}}
	for _, k := range r.keys {
		write, read := float64(partitionWrites), float64(partitionReads)
		if k.table != nil {
			parts := k.table.partitions()
			write, read = min(parts*write, k.table.write.quota), min(parts*read, k.table.read.quota)
		}
		peak := r.peak[k.name]
		cells = append(cells, []string{k.name, count(peak.write), count(peak.read), count(write), count(read)})
	}
	return page.Table(cells)
}

func costTable(in *inputs, all []outcome) string {
	cells := [][]string{{"Dollars a day"}}
	for _, o := range all {
		cells[0] = append(cells[0], o.size.name)
	}
	add := func(name string, of func(outcome) float64) {
		line := []string{name}
		for _, o := range all {
			line = append(line, money(of(o)))
		}
		cells = append(cells, line)
	}
	add("DynamoDB, units", func(o outcome) float64 { return o.trying.cost.units })
	add("Lambda", func(o outcome) float64 { return o.trying.cost.lambda })
	add("SQS", func(o outcome) float64 { return o.trying.cost.messages })
	add("API Gateway", func(o outcome) float64 { return o.trying.cost.gateway })
	add("Logs", func(o outcome) float64 { return o.trying.cost.logs })
	storage := func(o outcome) float64 { return o.size.users * in.gigabytesPerUser * in.prices.storageMonth / 30 }
	add("Rows of three years, with backups", storage)
	add("All", func(o outcome) float64 { return o.trying.cost.sum() + storage(o) })
	add("… for 1,000 users in a month", func(o outcome) float64 { return 30 * (o.trying.cost.sum() + storage(o)) / o.size.users * 1000 })
	return page.Table(cells)
}

func comparisonTable(list []comparison) string {
	cells := [][]string{{"What", "measured", "predicted", "off"}}
	for _, c := range list {
		cells = append(cells, []string{
			c.what, fmt.Sprintf("%.3g%s", c.measured, c.unit), fmt.Sprintf("%.3g%s", c.predicts, c.unit),
			fmt.Sprintf("%+.0f %%", math.Round(100*c.off())+0),
		})
	}
	return page.Table(cells)
}

// figuresOf returns the plots by the ends of their names.
func figuresOf(all []outcome) map[string]plot.Figure {
	var planned, read, first []plot.Series
	for _, o := range all {
		name := o.size.name + " users"
		planned = append(planned, line(name, o.trying, func(m minute) float64 { return m.planAge }))
		read = append(read, line(name, o.trying, func(m minute) float64 { return m.readAge / 60 }))
		first = append(first, line(name, o.trying, func(m minute) float64 { return m.firstAge }))
	}
	r := all[len(all)-1].trying
	day := func(panels ...plot.Panel) plot.Figure {
		return plot.Figure{X: "hour of the day", Hours: true, Panels: panels}
	}
	return map[string]plot.Figure{
		"age": day(
			plot.Panel{Title: "Oldest refresh that is not planned", Y: "seconds since it was due", Series: planned},
			plot.Panel{Title: "Longest wait for a bank to be asked", Y: "minutes since the refresh was due", Series: read},
			plot.Panel{Title: "Longest wait for a first call", Y: "seconds since the event", Series: first}),
		"backlog": day(
			plot.Panel{Title: "Waiting at 10⁷ users", Y: "refreshes, deliveries", Series: []plot.Series{
				line("refreshes in SyncQueue", r, func(m minute) float64 { return m.syncs }),
				line("refreshes due, not planned", r, func(m minute) float64 { return m.toPlan }),
				line("deliveries to the hanging receiver", r, func(m minute) float64 { return m.hung }),
				line("other deliveries", r, func(m minute) float64 { return m.deliveries }),
			}},
			plot.Panel{Title: "Busy at 10⁷ users", Y: "executions, mean of a minute", Series: []plot.Series{
				line("bank-sync", r, func(m minute) float64 { return m.sync }),
				line("functions behind the API", r, func(m minute) float64 { return m.api }),
				line("outbox-relay", r, func(m minute) float64 { return m.relay }),
				line("webhook-delivery", r, func(m minute) float64 { return m.deliver }),
			}}),
		"cost": day(
			plot.Panel{Title: "Cost at 10⁷ users", Y: "dollars an hour", Series: []plot.Series{
				hourly("DynamoDB", r, func(c costs) float64 { return c.units }),
				hourly("Lambda", r, func(c costs) float64 { return c.lambda }),
				hourly("SQS", r, func(c costs) float64 { return c.messages }),
				hourly("API Gateway and logs", r, func(c costs) float64 { return c.gateway + c.logs }),
			}}),
	}
}

// every is how many minutes a point of a plot stands for. It shows the highest of them.
const every = 3

func line(name string, r *results, of func(minute) float64) plot.Series {
	s := plot.Series{Name: name}
	for i := 0; i+every <= len(r.minutes); i += every {
		highest := 0.0
		for _, m := range r.minutes[i : i+every] {
			highest = max(highest, of(m))
		}
		s.Points = append(s.Points, plot.Point{X: float64(i) / 60, Y: highest})
	}
	return s
}

// hourly turns what was spent so far into dollars an hour, over ten minutes.
func hourly(name string, r *results, of func(costs) float64) plot.Series {
	s := plot.Series{Name: name}
	for i := 10; i < len(r.minutes); i += 10 {
		spent := of(r.minutes[i].cost) - of(r.minutes[i-10].cost)
		s.Points = append(s.Points, plot.Point{X: float64(i) / 60, Y: spent * 6})
	}
	return s
}

// count writes a number with commas, and tenths if it is small.
func count(v float64) string {
	if v < 10 && v != float64(int(v)) {
		return fmt.Sprintf("%.1f", v)
	}
	text := fmt.Sprintf("%.0f", v)
	var b strings.Builder
	for i, digit := range text {
		if i > 0 && (len(text)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

func money(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.2f", v)
	}
	return count(v)
}
