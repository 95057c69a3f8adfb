package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// units are the capacity units of one access pattern.
type units struct{ reads, writes float64 }

func (u units) plus(v units) units { return units{u.reads + v.reads, u.writes + v.writes} }

func (u units) times(n float64) units { return units{u.reads * n, u.writes * n} }

// patterns are the rows of the tables of access patterns: what they say about units.
type patterns map[string]string

// readUnits reads the access patterns of docs/data-model.md. Tests measure their units at
// the emulator, except those marked as computed.
func readUnits(checkout string) (patterns, error) {
	page, err := os.ReadFile(filepath.Join(checkout, "docs", "data-model.md"))
	if err != nil {
		return nil, fmt.Errorf("read the access patterns: %w", err)
	}
	found := patterns{}
	for line := range strings.Lines(string(page)) {
		const columns = 5 // with the empty ones at the ends
		if cells := strings.Split(line, "|"); len(cells) == columns {
			found[strings.TrimSpace(cells[1])] = strings.TrimSpace(cells[3])
		}
	}
	return found, nil
}

var (
	readsIn  = regexp.MustCompile(`([\d.]+) RRU`)
	writesIn = regexp.MustCompile(`([\d.]+) WRU`)
	rowsIn   = regexp.MustCompile(`RRU for ([\d.]+)`)
	queries  = regexp.MustCompile(`once a minute: ([\d.]+) Query`)
	oneRow   = regexp.MustCompile(`([\d.]+) for one new row`)
)

// of returns the units of a pattern: the first of each kind in its text.
func (p patterns) of(name string) (units, error) {
	text, ok := p[name]
	if !ok {
		return units{}, fmt.Errorf("docs/data-model.md has no access pattern %q", name)
	}
	u := units{first(readsIn, text), first(writesIn, text)}
	if u == (units{}) {
		return units{}, fmt.Errorf("the access pattern %q has no units", name)
	}
	return u, nil
}

// perRow returns the units of one row of a pattern that has the units of many.
func (p patterns) perRow(name string) (units, error) {
	u, err := p.of(name)
	if err != nil {
		return units{}, err
	}
	n := first(rowsIn, p[name])
	if n == 0 {
		return units{}, fmt.Errorf("the access pattern %q does not say for how many rows", name)
	}
	return u.times(1 / n), nil
}

// perMinute returns how many queries of a pattern housekeeping makes every minute.
func (p patterns) perMinute(name string) float64 {
	if strings.HasSuffix(p[name], "housekeeping, every five minutes") {
		return 1.0 / minutesPerCount
	}
	return max(first(queries, p[name]), 1)
}

// newRow returns the units of writing one new transaction. They are all counted as writes,
// because the page has reads and writes together.
func (p patterns) newRow() (units, error) {
	n := first(oneRow, p["Write rows under the lease"])
	if n == 0 {
		return units{}, fmt.Errorf("docs/data-model.md does not say what one new row costs")
	}
	return units{writes: n}, nil
}

func first(number *regexp.Regexp, text string) float64 {
	m := number.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	return n
}
