// Command cost computes what a stack costs in a month (make cost), and fails if it is over a
// target. The prices are in bench/prices.json, the units of each access pattern in
// docs/data-model.md, and what a stack consists of in template.yaml. It writes its tables to
// docs/runbook.md.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aviso/bench/price"
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

// The targets, in dollars a month, for an account with this stack alone: what AWS gives it for
// nothing counts. The tables have the totals at list prices, too.
const (
	idleTarget = 5.0
	// usersTarget is for 1,000 connected users, on top of the idle stack.
	usersTarget = 20.0
)

// report returns the tables, and an error if a total is over its target.
func report(checkout string) (string, error) {
	p, err := price.Read(checkout)
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
	for i, name := range []string{testEnvironment, productionEnvironment} {
		m.require(idle[i].total() <= idleTarget, "an idle %s stack costs %.2f, at most %.2f", name, idle[i].total(), idleTarget)
	}
	m.require(users.total() <= usersTarget, "1,000 users cost %.2f, at most %.2f", users.total(), usersTarget)
	out.WriteString("\n" + m.console(test))
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
