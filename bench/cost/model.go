package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"aviso/bench/demand"
	"aviso/bench/page"
)

// What no price list and no measurement says.
const (
	million      = 1e6
	kilobyte     = 1e3
	gigabyte     = 1e9
	daysPerMonth = 30
	minutes      = daysPerMonth * 24 * 60
	// Lambda starts with five pollers for a queue, each of which asks every 20 s.
	pollsPerQueue = 5 * 3 * minutes
	// housekeeping counts dead letters every five minutes.
	minutesPerCount = 5
	// Lambda adds three lines to each invocation.
	bytesPerRun, bytesPerSync, bytesPerCall, bytesPerRelay = 0.8 * kilobyte, 3 * kilobyte, 1.5 * kilobyte, 0.4 * kilobyte
	// Assumed, because no local measurement shows them: the seconds of a run of
	// housekeeping, of a sync, of a callback, and of relaying a message.
	housekeepingTime, syncTime, callTime, relayTime = 0.1, 5, 1, 0.05
	// Assumed: how many lines CloudWatch Logs passes on to the console at once, how many of these are
	// requests to keep, how many records of a stream Lambda passes on, and how long a batch takes.
	linesAtOnce, keptAtOnce, recordsAtOnce, feedTime = 20, 10, 10, 0.05
)

// What is stored.
const (
	// Three years of rows, each in the table and in five of its indexes. DynamoDB adds 100 bytes to each item.
	perItem, rowBytes, copiesOfRow, years = 100, 680, 6, 3
	// The global index is not in backups, nor in what point-in-time recovery keeps.
	keptOf = 5.0 / 6
	// A delivery and its attempt, as the golden rows of NotificationTable have them, for 30 days.
	deliveryBytes = 2 * (390 + perItem)
	// Assumed: what a callback sends, with its head, and what a call logs, with the line of the gateway.
	bytesSent, bytesLogged = 2 * kilobyte, 1.2 * kilobyte
	// Assumed: a call of a partner lasts 20 ms, and DynamoDB asks KMS every five minutes for each of 60 pairs of a
	// role and a table.
	requestTime, kmsPairs, minutesPerKey = 0.02, 60, 5
)

// load has the calls of a month. Each user has a connection of three accounts.
type load struct {
	users, syncs, newRows, events, deliveries, requests float64
}

// loadOf returns the load of so many users, of whose partners each has so many subscriptions, and calls so often a day.
func loadOf(users, subscriptions, requests float64) load {
	days := users * daysPerMonth
	l := load{users: users, syncs: days * demand.Refreshes, newRows: days * demand.NewRows, requests: days * requests}
	l.events = l.syncs + l.newRows + l.requests*demand.EventsPerRequest
	l.deliveries = l.events * subscriptions
	return l
}

// readPatterns reads the access patterns of docs/data-model.md: what its tables say about units.
// Tests measure these at the emulator, except those marked as computed.
func readPatterns(checkout string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(checkout, "docs", "data-model.md"))
	if err != nil {
		return nil, fmt.Errorf("read the access patterns: %w", err)
	}
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		const columns = 5 // with the empty ones at the ends
		if cells := strings.Split(line, "|"); len(cells) == columns {
			found[strings.TrimSpace(cells[1])] = strings.TrimSpace(cells[3])
		}
	}
	return found, nil
}

// model computes bills, and keeps what goes wrong on the way.
type model struct {
	prices   map[string]price
	patterns map[string]string
	// used is how much of each priced thing the bills so far have, freed what of their price is free.
	used   map[string]float64
	freed  float64
	faults []error
}

func newModel(prices map[string]price, patterns map[string]string) *model {
	return &model{prices: prices, patterns: patterns, used: map[string]float64{}}
}

func (m *model) require(holds bool, format string, values ...any) {
	if !holds {
		m.faults = append(m.faults, fmt.Errorf(format, values...))
	}
}

// number returns the first number before (or after) some words in a pattern, or 0.
func (m *model) number(pattern, words string) float64 {
	text, ok := m.patterns[pattern]
	m.require(ok, "docs/data-model.md has no access pattern %q", pattern)
	found := regexp.MustCompile(strings.Replace(words, "#", `([\d.]+)`, 1)).FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(found[1], 64)
	return n
}

// pattern returns the units of patterns together: the first of each kind in their texts.
func (m *model) pattern(names ...string) (sum demand.Units) {
	for _, name := range names {
		u := demand.Units{Reads: m.number(name, "# RRU"), Writes: m.number(name, "# WRU")}
		m.require(u != demand.Units{}, "the access pattern %q has no units", name)
		sum = sum.Plus(u)
	}
	return sum
}

// perMinute returns how many queries of a pattern housekeeping makes every minute.
func (m *model) perMinute(name string) float64 {
	if strings.HasSuffix(m.patterns[name], "housekeeping, every five minutes") {
		return 1.0 / minutesPerCount
	}
	return max(m.number(name, "once a minute: # Query"), 1)
}

// cost returns what an amount of something costs, and notes the amount.
func (m *model) cost(name string, amount float64) float64 {
	p, ok := m.prices[name]
	m.require(ok, "bench/prices.json has no price of %s", name)
	m.used[name] += amount
	return p.cost(amount)
}

func (m *model) dynamo(u demand.Units) float64 {
	return m.cost("dynamodb-reads", u.Reads) + m.cost("dynamodb-writes", u.Writes)
}

func (m *model) lambda(runs, gigabyteSeconds float64) float64 {
	return m.cost("lambda-requests", runs) + m.cost("lambda-time", gigabyteSeconds)
}

func (m *model) logs(bytes float64) float64 {
	return m.cost("logs", bytes/gigabyte) + m.cost("logs-storage", bytes/gigabyte)
}

func (m *model) traces(s stack, n float64) line {
	if !s.hasTraces {
		n = 0
	}
	return line{"X-Ray", amount(n) + " traces", m.cost("trace", n)}
}

// line is a line of a bill.
type line struct {
	what, amount string
	dollars      float64
}

type bill []line

func (b bill) total() (sum float64) {
	for _, l := range b {
		sum += l.dollars
	}
	return sum
}

// listed is the total at list prices: without the last line, which is what is free.
func (b bill) listed() float64 { return b[:len(b)-1].total() }

// minusFree appends what an account with one stack gets free, apart from what an earlier bill
// has used.
func (m *model) minusFree(b bill) bill {
	before := m.freed
	m.freed = 0
	for name, amount := range m.used {
		m.freed += m.prices[name].cost(min(amount, m.prices[name].Free))
	}
	return append(b, line{"Free each month, if the account has only this stack", "", before - m.freed})
}

// idle returns what a stack costs that nobody uses.
func (m *model) idle(s stack) bill {
	var house demand.Units
	for _, name := range []string{
		"Running erasures", "Due connections", "Overdue letters", "Overdue deliveries", "Overdue messages",
	} {
		house = house.Plus(m.pattern(name).Times(minutes * m.perMinute(name)))
	}
	each := func(what, price string, n int) line { return line{what, fmt.Sprint(n), m.cost(price, float64(n))} }
	polls, runs := float64(s.queues*pollsPerQueue), float64(s.schedules*minutes)
	counts := float64(s.deadLetterQueues * minutes / minutesPerCount)
	return bill{
		each("Alarms, by the metric (three more with MailDomain)", "alarm-metric", s.alarmMetrics),
		each("KMS keys", "key", s.keys),
		each("Secrets", "secret", s.secrets),
		each("Composite alarms", "composite-alarm", s.composites),
		{"Empty receives: Lambda polls each queue", fmt.Sprintf("%d queues, %s", s.queues, amount(polls)), m.cost("sqs", polls)},
		{
			"housekeeping, every minute: schedules and Lambda", amount(runs) + " runs",
			m.cost("scheduler", runs) + m.lambda(runs, runs*housekeepingTime*s.memory["housekeeping"]),
		},
		{"housekeeping: DynamoDB", amount(house.Reads) + " RRU", m.dynamo(house)},
		{"Logs of housekeeping", amount(runs*bytesPerRun/million) + " MB", m.logs(runs * bytesPerRun)},
		m.traces(s, runs),
		{"housekeeping counts dead letters", amount(counts) + " requests", m.cost("sqs", counts)},
		each("Own metrics: DueLate, from each run", "custom-metric", 1),
		each("Dashboards", "dashboard", s.dashboards),
		{"NAT gateways, stream reads by Lambda, idle HTTP API", "0", 0},
	}
}

// month returns what a load costs on top. calls are the units and the bytes of a partner's call.
func (m *model) month(s stack, l load, calls demand.Units, callBytes float64) bill {
	// housekeeping finds the connection, and wakes bank-sync for it.
	sync := m.pattern("The same, with messages to bank-sync", "Delete a sent message").Plus(demand.Sync())
	delivery := m.pattern("Address and signing keys for an attempt", "Begin an attempt, with its payload",
		"Record an acknowledgement")
	event := m.pattern("Delete a sent message")
	fanOut := m.pattern("Fan an event out")
	delivery.Writes += fanOut.Writes
	event.Reads += fanOut.Reads
	callbacks := event.Times(l.events).Plus(delivery.Times(l.deliveries))
	messages := l.syncs + l.deliveries
	rows := l.users * demand.NewRows * 365 * years * (rowBytes + perItem) * copiesOfRow / gigabyte
	attempts := l.deliveries * deliveryBytes / gigabyte
	weekly := math.Ceil(float64(s.copyDays) / 7)
	logs := l.syncs*bytesPerSync + l.deliveries*bytesPerCall + messages*bytesPerRelay + l.requests*bytesLogged
	sent := (l.requests*callBytes + l.deliveries*bytesSent) / gigabyte
	dynamo := func(what string, u demand.Units) line {
		return line{what, amount(u.Reads) + " RRU, " + amount(u.Writes) + " WRU", m.dynamo(u)}
	}
	runs := func(what, function string, n, seconds float64) line {
		used := n * seconds * s.memory[function]
		return line{what, amount(used) + " GB-s", m.lambda(n, used)}
	}
	stored := func(what, price string, gigabytes float64) line {
		return line{what, fmt.Sprintf("%.1f GB", gigabytes), m.cost(price, gigabytes)}
	}
	keys := float64(kmsPairs * minutes / minutesPerKey)
	return bill{
		dynamo("Syncs, with their new transactions: DynamoDB", sync.Times(l.syncs)),
		dynamo("Events and callbacks: DynamoDB", callbacks),
		dynamo("Partners' calls: DynamoDB", calls.Times(l.requests)),
		{"Partners' calls: the gateway", amount(l.requests) + " requests", m.cost("http-api", l.requests)},
		runs("Partners' calls: Lambda, 20 ms each", "pfm", l.requests, requestTime),
		runs("bank-sync, 5 s a sync", "bank-sync", l.syncs, syncTime),
		runs("webhook-delivery, 1 s a callback", "webhook-delivery", l.deliveries, callTime),
		runs("outbox-relay, 50 ms a message", "outbox-relay", messages, relayTime),
		{"Queues: send, receive and delete", amount(3*messages) + " requests", m.cost("sqs", 3*messages)},
		{"Logs, kept for a month", fmt.Sprintf("%.1f GB", logs/gigabyte), m.logs(logs)},
		{"Own metrics: FirstAttempt with each callback", "1", m.cost("custom-metric", 1)},
		m.traces(s, messages*2+l.requests),
		stored("Answers and callbacks sent, not compressed", "egress", sent),
		{"KMS, which DynamoDB asks", amount(keys) + " requests", m.cost("kms", keys)},
		stored("Three years of transactions, in the table and in five indexes", "dynamodb-storage", rows),
		stored("Their point-in-time recovery", "dynamodb-backup", rows*keptOf),
		stored(fmt.Sprintf("Their weekly copies in the vault, each a full one, for %d days", s.copyDays), "backup-storage",
			rows*keptOf*weekly),
		stored("A month of deliveries and attempts", "dynamodb-storage", attempts),
		stored("Their point-in-time recovery, too", "dynamodb-backup", attempts),
		stored("Their weekly copies, too", "backup-storage", attempts*weekly),
	}
}

// console says what the console's feed costs at list prices. No bill has it: it is off unless
// somebody turns it on.
func (m *model) console(s stack) string {
	per := func(atOnce float64, u demand.Units) float64 {
		batches := million / atOnce
		return m.dynamo(u.Times(batches)) + m.lambda(batches, batches*feedTime*s.memory["console"])
	}
	lines, requests := m.pattern("Keep lines"), m.pattern("Keep a request").Times(keptAtOnce)
	events := m.pattern("Keep an event").Times(recordsAtOnce)
	return fmt.Sprintf("Where the console is on, its feed adds %.2f dollars for a million requests, %.2f for a million events\n"+
		"and %.2f for a million callbacks, at list prices. With `Console=off` it costs nothing.\n",
		per(linesAtOnce, lines.Plus(requests)), per(recordsAtOnce, events), per(linesAtOnce, lines))
}

// amount writes a number for people.
func amount(n float64) string {
	switch {
	case n >= million:
		return fmt.Sprintf("%.1f million", n/million)
	case n >= 10*kilobyte:
		return fmt.Sprintf("%.0f,000", n/kilobyte)
	default:
		return fmt.Sprintf("%.0f", n)
	}
}

// table shows bills that have the same lines side by side.
func table(title, target string, names []string, bills ...bill) string {
	cells := [][]string{{title}}
	for _, l := range bills[0] {
		cells = append(cells, []string{l.what})
	}
	cells = append(cells, []string{"Total without the free quantities"}, []string{"**Total**, " + target})
	for i, b := range bills {
		cells[0] = append(cells[0], names[i], "Dollars a month")
		for n, l := range append(slices.Clip(b), line{"", "", b.listed()}, line{"", "", b.total()}) {
			cells[n+1] = append(cells[n+1], l.amount, fmt.Sprintf("%.2f", l.dollars))
		}
	}
	return page.Table(cells)
}
