// Command cost computes what a stack costs in a month (make cost), and fails if it is over a
// target. The prices are in bench/prices.json, the units of each access pattern in
// docs/data-model.md, and what a stack consists of in template.yaml. It writes its tables to
// docs/runbook.md.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func run(checkout string) error {
	text, faults := report(checkout)
	if text == "" {
		return faults
	}
	fmt.Print(text)
	page := filepath.Join(checkout, "docs", "runbook.md")
	content, err := os.ReadFile(page)
	if err != nil {
		return fmt.Errorf("read the runbook: %w", err)
	}
	before, after, err := around(string(content))
	if err != nil {
		return err
	}
	return errors.Join(faults, os.WriteFile(page, []byte(before+text+after), 0o644))
}

// The targets, in dollars a month.
const (
	idleTarget = 5.0
	// usersTarget is for 1,000 connected users, on top of the idle stack.
	usersTarget = 20.0
)

// report returns the tables, and an error if a total is over its target.
func report(checkout string) (string, error) {
	p, err := readPrices(checkout)
	u, unitsErr := readUnits(checkout)
	test, testErr := readStack(checkout, testEnvironment)
	production, productionErr := readStack(checkout, productionEnvironment)
	if err := errors.Join(err, unitsErr, testErr, productionErr); err != nil {
		return "", err
	}
	idleTest := &model{prices: p, units: u, used: map[string]float64{}}
	m := &model{prices: p, units: u, used: map[string]float64{}}
	idle := []bill{idleTest.minusFree(idleTest.idle(test), 0), m.minusFree(m.idle(production), 0)}
	before := m.free()
	users := m.minusFree(m.users(production), before)
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n%s\n%s\n\n%s", open, idleTable(idle[0], idle[1]), users.heading(), users.table())
	m.require(idle[0].total() <= idleTarget, "an idle test stack costs %.2f, at most %.2f", idle[0].total(), idleTarget)
	m.require(users.total() <= usersTarget, "1,000 users cost %.2f, at most %.2f", users.total(), usersTarget)
	return out.String() + "\n", errors.Join(append(m.faults, idleTest.faults...)...)
}

const open, end = "<!-- cost -->", "<!-- /cost -->"

// around returns the page's text before and after the tables.
func around(page string) (before, after string, err error) {
	before, rest, ok := strings.Cut(page, open)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", "", fmt.Errorf("docs/runbook.md lacks %s and %s", open, end)
	}
	return before, end + after, nil
}

// price is what one thing costs.
type price struct {
	Name, Of, Region, Source, AsOf string
	Dollars                        float64
	// Free is how much of it an account gets each month for nothing, for ever.
	Free float64
}

func readPrices(checkout string) (map[string]price, error) {
	raw, err := os.ReadFile(filepath.Join(checkout, "bench", "prices.json"))
	if err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	var list []price
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	prices := map[string]price{}
	for _, p := range list {
		if p.Dollars <= 0 || !strings.HasPrefix(p.Source, "https://") || p.AsOf == "" || cmp.Or(p.Of, p.Region) == "" {
			return nil, fmt.Errorf("the price of %q lacks a source, a date or a value", p.Name)
		}
		prices[p.Name] = p
	}
	return prices, nil
}
