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
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"aviso/bench/demand"
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
	calls, callBytes, err := partnersCall(checkout)
	if err != nil {
		return "", err
	}
	m, other, feed := newModel(prices, patterns), newModel(prices, patterns), newModel(prices, patterns)
	names := []string{testEnvironment, productionEnvironment}
	idle := []bill{other.minusFree(other.idle(test)), m.minusFree(m.idle(production))}
	users := m.minusFree(m.month(production, loadOf(1000, 1, 0), calls, callBytes))
	for i, target := range []float64{idleTarget, productionTarget} {
		m.require(idle[i].total() <= target, "an idle %s stack costs %.2f, at most %.2f", names[i], idle[i].total(), target)
	}
	m.require(users.total() <= usersTarget, "1,000 users cost %.2f, at most %.2f", users.total(), usersTarget)
	text := table("A stack that nobody uses", fmt.Sprintf("at most %.0f and %.0f", idleTarget, productionTarget), names, idle...) +
		"\nOn top come 1,000 connected users. Each has one connection with three accounts, which is read four times\n" +
		"a day and has three new transactions a day; the partner has one subscription, and asks nothing:\n\n" +
		table("1,000 connected users", fmt.Sprintf("at most %.0f", usersTarget), []string{"How much"}, users) +
		"\n" + feed.console(test)
	bills, faults := larger(prices, patterns, production, calls, callBytes)
	return text + bills, errors.Join(slices.Concat(m.faults, other.faults, feed.faults, faults)...)
}

// partnersCall returns the units and the bytes of a partner's call on average.
func partnersCall(checkout string) (calls demand.Units, bytes float64, err error) {
	text, err := os.ReadFile(filepath.Join(checkout, "docs", "performance.md"))
	if err != nil {
		return calls, 0, fmt.Errorf("read the figures of calls: %w", err)
	}
	measured, err := demand.Measured(string(text))
	for _, r := range demand.Routes() {
		f := measured[r.Route]
		calls = calls.Plus(demand.Units{Reads: f.Reads, Writes: f.Writes}.Times(r.Part))
		bytes += r.Bytes * r.Part
	}
	return calls, bytes, err
}

// larger returns what four sizes cost at list prices, with all that scale.md's day has.
func larger(prices map[string]price, patterns map[string]string, s stack, calls demand.Units, bytes float64) (string, []error) {
	var cells [][]string
	var faults []error
	first := 0.0
	for n, users := range []float64{1e3, 1e5, 1e6, 1e7} {
		m := newModel(prices, patterns)
		idle := m.idle(s)
		month := m.month(s, loadOf(users, demand.Subscriptions, demand.Requests), calls, bytes)
		b := append(bill{{"A stack that nobody uses", "", idle.total()}}, month...)
		if n == 0 {
			cells = [][]string{{"Dollars a month, at list prices, with this many users"}}
			for _, l := range b {
				cells = append(cells, []string{l.what})
			}
			cells = append(cells, []string{"**Total**"}, []string{"… a user"})
			first = m.dynamo(demand.FirstRow().Times(demand.FirstRows))
		}
		cells[0] = append(cells[0], []string{"10³", "10⁵", "10⁶", "10⁷"}[n])
		for i, l := range b {
			cells[i+1] = append(cells[i+1], whole(l.dollars))
		}
		cells[len(b)+1] = append(cells[len(b)+1], whole(b.total()))
		cells[len(b)+2] = append(cells[len(b)+2], fmt.Sprintf("%.3f", b.total()/users))
		faults = append(faults, m.faults...)
	}
	return fmt.Sprintf("\nThe users of [scale.md](scale.md) ask more: their partners call %.1f times a day for each, and have two\n"+
		"subscriptions. A new user's first sync, of two years, costs %.4f once: %s for 100,000 new users.\n\n",
		demand.Requests, first, whole(first*100_000)) + page.Table(cells), faults
}

// whole writes dollars as people do.
func whole(dollars float64) string {
	if dollars < 10 {
		return fmt.Sprintf("%.2f", dollars)
	}
	return message.NewPrinter(language.English).Sprintf("%.0f", dollars)
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
