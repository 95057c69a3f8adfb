package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// measured are the figures in docs/performance.md that the model uses.
type measured struct {
	routes map[string]figures
	// closed and open are the steps of make load.
	closed, open []loadStep
	// fanOutCalls is how many AWS calls the relay makes for one more delivery of an event.
	fanOutCalls float64
	// slowReceivers is how many deliveries a second make bench-webhooks made to receivers
	// that take their time.
	slowReceivers float64
}

type figures struct{ calls, reads, writes, p50 float64 }

type loadStep struct {
	name          string
	target, rate  float64
	p50, p95, p99 float64
}

func readMeasured(page string) (measured, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return measured{}, fmt.Errorf("read the figures: %w", err)
	}
	return parseMeasured(string(text))
}

func parseMeasured(page string) (measured, error) {
	m := measured{routes: map[string]figures{}}
	for _, row := range tableRows(page, "bench", "Route") {
		m.routes[row["Route"]] = figures{
			calls: number(row["AWS calls"]), reads: number(row["RRU"]), writes: number(row["WRU"]), p50: number(row["p50, ms"]),
		}
	}
	for _, row := range tableRows(page, "growth", "Request, by what grows") {
		if strings.HasPrefix(row["Request, by what grows"], "Event for 5 subscriptions") {
			m.fanOutCalls = (number(row["AWS calls"]) - 2) / 5
		}
	}
	for _, row := range tableRows(page, "webhooks", "Receivers answer") {
		m.slowReceivers = number(row["deliveries/s"])
	}
	step := func(row map[string]string, name string) loadStep {
		return loadStep{
			name: row[name], rate: number(row["per second"]), p50: number(row["p50, ms"]),
			p95: number(row["p95, ms"]), p99: number(row["p99, ms"]),
		}
	}
	for _, row := range tableRows(page, "load", "Route") {
		m.closed = append(m.closed, step(row, "Route"))
	}
	for _, row := range tableRows(page, "load", "Target rate") {
		s := step(row, "Target rate")
		s.target = number(strings.TrimSuffix(strings.Fields(s.name + " x x")[1], "/s"))
		m.open = append(m.open, s)
	}
	if len(m.routes) == 0 || len(m.closed) == 0 || len(m.open) == 0 || m.fanOutCalls == 0 || m.slowReceivers == 0 {
		return m, fmt.Errorf("docs/performance.md lacks the figures of make bench, bench-growth, load or bench-webhooks")
	}
	return m, nil
}

// tableRows returns the rows of the table between <!-- place --> and <!-- /place --> whose
// first column has that head, each by the heads of its columns.
func tableRows(page, place, first string) (rows []map[string]string) {
	_, page, _ = strings.Cut(page, "<!-- "+place+" -->")
	page, _, _ = strings.Cut(page, "<!-- /"+place+" -->")
	var heads []string
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			heads = nil
		case heads == nil:
			heads = cells
		case heads[0] == first && !strings.HasPrefix(cells[0], "--"):
			row := map[string]string{}
			for i, cell := range cells[:min(len(cells), len(heads))] {
				row[heads[i]] = cell
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// number returns 0 for an empty cell.
func number(cell string) float64 {
	value, _ := strconv.ParseFloat(cell, 64)
	return value
}
