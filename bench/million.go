package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aviso/bench/page"
	"aviso/bench/price"
	"aviso/bench/route"
)

const (
	million  = 1e6
	gigabyte = 1e9
	// Lambda gives a whole core at 1769 MB, and less in proportion. So computing costs the same at
	// any size: the time on a whole core, times this many GB.
	coreGB = 1769.0 / 1024
	// lambdaLines are the bytes that Lambda adds to the log for each invocation: START, END, REPORT.
	lambdaLines = 400
	// A message is sent, received and deleted.
	requestsPerMessage = 3
)

// millionTable says what a million of each request costs in dollars.
func millionTable(m *measurement, f *figures, prices price.List) string {
	type line struct {
		cells []string
		total float64
	}
	var lines []line
	for _, r := range m.routes {
		get := func(what string) float64 {
			value, _ := f.get(r.Key(), what)
			return value
		}
		asked := map[route.Source]float64{
			route.API: prices["http-api"].Cost(million), route.Queue: prices["sqs"].Cost(requestsPerMessage * million),
		}[r.Source]
		logged := million * (get(logBytes) + lambdaLines) / gigabyte
		parts := []float64{
			asked + prices["lambda-requests"].Cost(million),
			prices["lambda-time"].Cost(million * get(warmTime) / 1000 * coreGB),
			prices["dynamodb-reads"].Cost(million * get(readUnits)),
			prices["dynamodb-writes"].Cost(million * get(writeUnits)),
			prices["logs"].Cost(logged) + prices["logs-storage"].Cost(logged),
		}
		l := line{cells: []string{r.Key()}}
		for _, dollars := range parts {
			l.cells, l.total = append(l.cells, fmt.Sprintf("%.2f", dollars)), l.total+dollars
		}
		l.cells = append(l.cells, fmt.Sprintf("%.2f", l.total))
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b line) int { return int(million * (b.total - a.total)) })
	cells := [][]string{{"A million of", "requests, messages", "Lambda's time", "reads", "writes", "logs", "dollars"}}
	for _, l := range lines {
		cells = append(cells, l.cells)
	}
	return page.Table(cells)
}

// writeMillion writes the table to docs/performance.md.
func writeMillion(m *measurement, f *figures) error {
	prices, err := price.Read(m.world.Checkout())
	if err != nil {
		return err
	}
	return page.Replace(filepath.Join(m.world.Checkout(), "docs", "performance.md"), "million",
		strings.TrimSpace(millionTable(m, f, prices))+"\n")
}
