// Command cost computes what a stack costs in a month (make scale), and fails if it is over a
// target. The prices are in bench/prices.json, the units of each access pattern in
// docs/data-model.md, and what a stack consists of in template.yaml. It writes its tables to
// docs/runbook.md.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"aviso/bench/page"
	"aviso/localstack/template"
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
	// Production's canaries are stopped by an alarm for each function, with three metrics each.
	idleTarget, productionTarget = 5.0, 10.0
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
	names := []string{testEnvironment, productionEnvironment}
	idle := []bill{other.minusFree(other.idle(test)), m.minusFree(m.idle(production))}
	users := m.minusFree(m.users(production))
	for i, target := range []float64{idleTarget, productionTarget} {
		m.require(idle[i].total() <= target, "an idle %s stack costs %.2f, at most %.2f", names[i], idle[i].total(), target)
	}
	m.require(users.total() <= usersTarget, "1,000 users cost %.2f, at most %.2f", users.total(), usersTarget)
	text := table("A stack that nobody uses", fmt.Sprintf("at most %.0f and %.0f", idleTarget, productionTarget), names, idle...) +
		"\nOn top come 1,000 connected users. Each has one connection with three accounts, which is read four times\n" +
		"a day and has three new transactions a day; the partner has one subscription:\n\n" +
		table("1,000 connected users", fmt.Sprintf("at most %.0f", usersTarget), []string{"How much"}, users) +
		"\n" + feed.console(test)
	return text, errors.Join(slices.Concat(m.faults, other.faults, feed.faults)...)
}

// price is what AWS charges for one thing.
type price struct {
	Name, Of, Region, Source, AsOf string
	Dollars                        float64
	// Free is how much of it an account gets each month for nothing, for ever.
	Free float64
	// Checked is a page by somebody else that has the price, and for which region, or why there
	// is none.
	Checked string
}

// readPrices returns the prices of bench/prices.json by name.
func readPrices(checkout string) (map[string]price, error) {
	var list []price
	raw, err := os.ReadFile(filepath.Join(checkout, "bench", "prices.json"))
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	prices := map[string]price{}
	for _, p := range list {
		if p.Dollars <= 0 || !strings.HasPrefix(p.Source, "https://") || p.AsOf == "" || p.Of == "" ||
			!strings.HasPrefix(p.Checked, "https://") && !strings.HasPrefix(p.Checked, "unverified") {
			return nil, fmt.Errorf("the price of %q lacks a source, a date, a check or a value", p.Name)
		}
		prices[p.Name] = p
	}
	return prices, nil
}

// cost returns what an amount costs. Prices of a million are so marked.
func (p price) cost(amount float64) float64 {
	if strings.HasPrefix(p.Of, "a million") {
		amount /= million
	}
	return amount * p.Dollars
}

const testEnvironment, productionEnvironment = "test", "production"

// stack is what template.yaml deploys in an environment, as samconfig.toml has it.
type stack struct {
	alarmMetrics, composites, secrets, keys, dashboards int
	// queues are the event sources that Lambda polls, schedules run housekeeping every minute.
	queues, deadLetterQueues, schedules int
	// memory is each function's, in GB.
	memory map[string]float64
	// copyDays is for how long the vault keeps a copy of PfmTable.
	copyDays int
	// hasTraces reports whether X-Ray traces every function.
	hasTraces bool
}

// source is what the local stack does not read of the template.
type source struct {
	Resources map[string]struct {
		Type       string `yaml:"Type"`
		Properties struct {
			Metrics    []yaml.Node `yaml:"Metrics"`
			BackupPlan struct {
				Rules []struct {
					Lifecycle struct {
						DeleteAfterDays int `yaml:"DeleteAfterDays"`
					} `yaml:"Lifecycle"`
				} `yaml:"BackupPlanRule"`
			} `yaml:"BackupPlan"`
		} `yaml:"Properties"`
	} `yaml:"Resources"`
}

func readStack(checkout, environment string) (stack, error) {
	file := filepath.Join(checkout, "template.yaml")
	given, err := template.Preset(checkout, environment)
	if err != nil {
		return stack{}, err
	}
	given["Environment"] = environment
	tpl, err := template.Load(file, func(name string) (string, bool) {
		value, ok := given[name]
		return value, ok
	})
	if err != nil {
		return stack{}, err
	}
	var src source
	raw, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(raw, &src)
	}
	if err != nil {
		return stack{}, fmt.Errorf("read the template: %w", err)
	}
	s := stack{
		secrets: len(tpl.Secrets), queues: len(tpl.QueueMappings), schedules: len(tpl.Schedules),
		hasTraces: tpl.Parameters["Tracing"] == "Active", memory: map[string]float64{},
	}
	for _, f := range tpl.Functions {
		s.memory[f.Name] = float64(f.MemoryMB) / 1024
	}
	for _, q := range tpl.Queues {
		if strings.HasSuffix(q.ID, "DeadLetters") {
			s.deadLetterQueues++
		}
	}
	for id, r := range src.Resources {
		if !tpl.Has[id] {
			continue
		}
		switch r.Type {
		case "AWS::CloudWatch::Alarm":
			metrics := 0 // each of those in an expression is billed
			for _, query := range r.Properties.Metrics {
				if slices.ContainsFunc(query.Content, func(n *yaml.Node) bool { return n.Value == "MetricStat" }) {
					metrics++
				}
			}
			s.alarmMetrics += max(metrics, 1)
		case "AWS::CloudWatch::CompositeAlarm":
			s.composites++
		case "AWS::KMS::Key":
			s.keys++
		case "AWS::CloudWatch::Dashboard":
			s.dashboards++
		case "AWS::Backup::BackupPlan":
			if id == "WeeklyBackup" {
				s.copyDays = r.Properties.BackupPlan.Rules[0].Lifecycle.DeleteAfterDays
			}
		}
	}
	return s, nil
}
