// Command cost computes what a stack costs in a month (make scale), and fails if it is over a
// target. The prices are in bench/prices.json, the units of each access pattern in
// docs/data-model.md, and what a stack consists of in template.yaml. It writes its tables to
// docs/runbook.md.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"aviso/bench/page"
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
	return errors.Join(faults, page.Replace(filepath.Join(checkout, "docs", "runbook.md"), "cost", text))
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
	prices, err := readPrices(checkout)
	patterns, patternsErr := readPatterns(checkout)
	test, testErr := readStack(checkout, testEnvironment)
	production, productionErr := readStack(checkout, productionEnvironment)
	if err := errors.Join(err, patternsErr, testErr, productionErr); err != nil {
		return "", err
	}
	m, other, feed := newModel(prices, patterns), newModel(prices, patterns), newModel(prices, patterns)
	idle := []bill{other.minusFree(other.idle(test)), m.minusFree(m.idle(production))}
	users := m.minusFree(m.users(production))
	for i, name := range []string{testEnvironment, productionEnvironment} {
		m.require(idle[i].total() <= idleTarget, "an idle %s stack costs %.2f, at most %.2f", name, idle[i].total(), idleTarget)
	}
	m.require(users.total() <= usersTarget, "1,000 users cost %.2f, at most %.2f", users.total(), usersTarget)
	text := idleTable(idle[0], idle[1]) + "\n" + users.table() + "\n" + feed.console(test)
	return text, errors.Join(slices.Concat(m.faults, other.faults, feed.faults)...)
}
