package main

import (
	"fmt"
	"math"
	"strings"

	"aviso/bench/price"
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
)

// The load: 1,000 users, each with a connection of three accounts that is read four times a
// day and has three new transactions a day, and a partner with one subscription.
const (
	connections = 1_000
	accounts    = 3
	syncs       = connections * 4 * daysPerMonth
	newRows     = connections * 3 * daysPerMonth
	// A sync that finds something also reports transactions.updated. Each new row comes in a sync
	// of its own.
	deliveries = syncs + newRows
	newsShare  = float64(newRows) / syncs
	messages   = syncs + deliveries
	// A sync compares the rows of each account with those of the days before: overlapDays and
	// pendingDays of internal/pfm. For transfers, it reads all rows of overlapDays and pairDays.
	overlapDays, pendingDays, pairDays = 14, 45, 3
	rowsADay                           = newRows / connections / daysPerMonth
	comparedRows                       = rowsADay * (overlapDays + pendingDays)
	pairedRows                         = rowsADay * (overlapDays + pairDays)
	// Three years of rows, each in the table and in five of its indexes.
	rowBytes, years = 680 * 6, 3
	// The global index is not in backups, nor in what point-in-time recovery keeps.
	keptOf = 5.0 / 6
)

// model computes bills, and keeps what goes wrong on the way.
type model struct {
	prices price.List
	units  patterns
	// used is how much of each priced thing the bills so far have.
	used   map[string]float64
	faults []error
}

func (m *model) require(holds bool, format string, values ...any) {
	if !holds {
		m.faults = append(m.faults, fmt.Errorf(format, values...))
	}
}

// line is a line of a bill.
type line struct {
	what    string
	amount  string
	dollars float64
}

type bill []line

func (b bill) total() float64 {
	sum := 0.0
	for _, l := range b {
		sum += l.dollars
	}
	return sum
}

// listed is the total at list prices: without the last line, which is what is free.
func (b bill) listed() float64 { return b[:len(b)-1].total() }

// cost returns what an amount of something costs, and notes the amount.
func (m *model) cost(name string, amount float64) float64 {
	p, ok := m.prices[name]
	m.require(ok, "bench/prices.json has no price of %s", name)
	m.used[name] += amount
	return p.Cost(amount)
}

// free returns what AWS never charges, of everything in the bills so far.
func (m *model) free() float64 {
	sum := 0.0
	for name, amount := range m.used {
		sum += m.prices[name].Cost(min(amount, m.prices[name].Free))
	}
	return sum
}

func (m *model) dynamo(u units) float64 {
	return m.cost("dynamodb-reads", u.reads) + m.cost("dynamodb-writes", u.writes)
}

func (m *model) pattern(names ...string) units {
	var sum units
	for _, name := range names {
		u, err := m.units.of(name)
		m.require(err == nil, "%w", err)
		sum = sum.plus(u)
	}
	return sum
}

func (m *model) logs(bytes float64) float64 {
	return m.cost("logs", bytes/gigabyte) + m.cost("logs-storage", bytes/gigabyte)
}

// idle returns what a stack costs that nobody uses.
func (m *model) idle(s stack) bill {
	var house units
	for _, name := range []string{
		"Running erasures", "Due connections", "Overdue letters", "Overdue deliveries", "Overdue messages",
	} {
		house = house.plus(m.pattern(name).times(minutes * m.units.perMinute(name)))
	}
	polls, runs := float64(s.queues*pollsPerQueue), float64(s.schedules*minutes)
	counts := float64(s.deadLetterQueues * minutes / minutesPerCount)
	traces := 0.0
	if s.hasTraces {
		traces = runs
	}
	return bill{
		{"Alarms, by the metric (three more with MailDomain)", fmt.Sprint(s.alarmMetrics), m.cost("alarm-metric", float64(s.alarmMetrics))},
		{"KMS keys", fmt.Sprint(s.keys), m.cost("key", float64(s.keys))},
		{"Secrets", fmt.Sprint(s.secrets), m.cost("secret", float64(s.secrets))},
		{"Composite alarms", fmt.Sprint(s.composites), m.cost("composite-alarm", float64(s.composites))},
		{"Empty receives: Lambda polls each queue", fmt.Sprintf("%d queues, %s", s.queues, amount(polls)), m.cost("sqs", polls)},
		{
			"housekeeping, every minute: schedules and Lambda", amount(runs) + " runs",
			m.cost("scheduler", runs) + m.cost("lambda-requests", runs) +
				m.cost("lambda-time", runs*housekeepingTime*s.memory["Housekeeping"]),
		},
		{"housekeeping: DynamoDB", amount(house.reads) + " RRU", m.dynamo(house)},
		{"Logs of housekeeping", amount(runs*bytesPerRun/million) + " MB", m.logs(runs * bytesPerRun)},
		{"X-Ray", amount(traces) + " traces", m.cost("trace", traces)},
		{"housekeeping counts dead letters", amount(counts) + " requests", m.cost("sqs", counts)},
		{"Own metrics: DueLate, from each run", "1", m.cost("custom-metric", 1)},
		{"Dashboards", fmt.Sprint(s.dashboards), m.cost("dashboard", float64(s.dashboards))},
		{"NAT gateways, stream reads by Lambda, idle HTTP API", "0", 0},
	}
}

// users returns what the load costs on top.
func (m *model) users(s stack) bill {
	sync := m.pattern("Provider by ID", "Take the lease of a later sync", "End a sync")
	// Only a sync that sees something new compares rows.
	news := m.pattern("Write accounts under the lease", "Count a sync's changes, for its event")
	row, err := m.units.perRow("An account's rows since a day")
	m.require(err == nil, "%w", err)
	news = news.plus(row.times(comparedRows + pairedRows))
	news = news.plus(units{reads: accounts * m.pattern("Write due labels").reads, writes: 2})
	sync = sync.plus(news.times(newsShare))
	// housekeeping finds the connection, and wakes bank-sync for it.
	sync = sync.plus(m.pattern("Connection by ID", "The same, with messages to bank-sync", "Delete a sent message"))
	row, err = m.units.newRow()
	m.require(err == nil, "%w", err)
	delivery := m.pattern("Fan an event out", "Delete a sent message", "Address and signing keys for an attempt",
		"Begin an attempt, with its payload", "Record an attempt and the next step")
	delivery.writes += 2 // the event in the outbox, in a transaction
	storage := float64(newRows) / daysPerMonth * 365 * years * rowBytes / gigabyte
	kept := storage * keptOf
	copies := kept * math.Ceil(float64(s.copyDays)/7)
	logs := float64(syncs*bytesPerSync + deliveries*bytesPerCall + messages*bytesPerRelay)
	traces := 0.0
	if s.hasTraces {
		traces = messages * 2
	}
	gbSeconds := func(function string, n, seconds float64) (string, float64) {
		value := n * seconds * s.memory[function]
		return amount(value) + " GB-s", m.cost("lambda-time", value) + m.cost("lambda-requests", n)
	}
	syncTimes, syncCost := gbSeconds("BankSync", syncs, syncTime)
	callTimes, callCost := gbSeconds("WebhookDelivery", deliveries, callTime)
	relayTimes, relayCost := gbSeconds("OutboxRelay", messages, relayTime)
	total := func(u units, n float64) (string, float64) {
		u = u.times(n)
		return amount(u.reads) + " RRU, " + amount(u.writes) + " WRU", m.dynamo(u)
	}
	syncUnits, syncDynamo := total(sync, syncs)
	rowUnits, rowDynamo := total(row, newRows)
	eventUnits, eventDynamo := total(delivery, deliveries)
	return bill{
		{"Syncs: DynamoDB", syncUnits, syncDynamo},
		{"New transactions: DynamoDB", rowUnits, rowDynamo},
		{"Events and callbacks: DynamoDB", eventUnits, eventDynamo},
		{"bank-sync, 5 s a sync", syncTimes, syncCost},
		{"webhook-delivery, 1 s a callback", callTimes, callCost},
		{"outbox-relay, 50 ms a message", relayTimes, relayCost},
		{"Queues: send, receive and delete", amount(3*messages) + " requests", m.cost("sqs", 3*messages)},
		{"Logs, kept for a month", fmt.Sprintf("%.1f GB", logs/gigabyte), m.logs(logs)},
		{"Own metrics: FirstAttempt with each callback", "1", m.cost("custom-metric", 1)},
		{"X-Ray", amount(traces) + " traces", m.cost("trace", traces)},
		{
			"Three years of transactions, 680 bytes in the table and in five indexes", fmt.Sprintf("%.1f GB", storage),
			m.cost("dynamodb-storage", storage),
		},
		{"Their point-in-time recovery", fmt.Sprintf("%.1f GB", kept), m.cost("dynamodb-backup", kept)},
		{
			fmt.Sprintf("Their weekly copies in the vault, each a full one, for %d days", s.copyDays),
			fmt.Sprintf("%.1f GB", copies), m.cost("backup-storage", copies),
		},
	}
}

// Assumed: how many lines of requests CloudWatch Logs passes on at once, and how many records of
// a stream Lambda, and how long the function console takes for a batch.
const linesAtOnce, recordsAtOnce, feedTime = 20, 10, 0.05

// console says what the console's feed costs at list prices. No bill has it: it is off unless
// somebody turns it on.
func (m *model) console(s stack) string {
	feed := &model{prices: m.prices, units: m.units, used: map[string]float64{}}
	per := func(pattern string, atOnce float64) float64 {
		batches := million / atOnce
		return feed.dynamo(feed.pattern(pattern).times(million)) + feed.cost("lambda-requests", batches) +
			feed.cost("lambda-time", batches*feedTime*s.memory["Console"])
	}
	requests, events := per("Keep a request", linesAtOnce), per("Keep an event", recordsAtOnce)
	attempts := per("Keep an attempt", recordsAtOnce)
	m.faults = append(m.faults, feed.faults...)
	return fmt.Sprintf("Where the console is on, its feed adds %.2f dollars for a million requests, %.2f for a million events\n"+
		"and %.2f for a million callbacks, at list prices. With `Console=off` it costs nothing.\n", requests, events, attempts)
}

// minusFree appends what an account with one stack gets free, apart from what an earlier bill
// has used.
func (m *model) minusFree(b bill, before float64) bill {
	return append(b, line{"Free each month, if the account has only this stack", "", before - m.free()})
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

func (b bill) table() string {
	var out strings.Builder
	out.WriteString("| 1,000 connected users | How much | Dollars a month |\n|---|---:|---:|\n")
	for _, l := range b {
		fmt.Fprintf(&out, "| %s | %s | %.2f |\n", l.what, l.amount, l.dollars)
	}
	fmt.Fprintf(&out, "| Total without the free quantities | | %.2f |\n", b.listed())
	fmt.Fprintf(&out, "| **Total**, at most %.0f | | **%.2f** |\n", usersTarget, b.total())
	return out.String()
}

func (b bill) heading() string {
	return fmt.Sprintf("On top come %d connected users. Each has one connection with %d accounts, which is read four times\n"+
		"a day and has three new transactions a day; the partner has one subscription:", connections, accounts)
}

func idleTable(test, production bill) string {
	var out strings.Builder
	out.WriteString("| A stack that nobody uses | test | Dollars a month | production | Dollars a month |\n|---|---:|---:|---:|---:|\n")
	for i, l := range test {
		fmt.Fprintf(&out, "| %s | %s | %.2f | %s | %.2f |\n", l.what, l.amount, l.dollars, production[i].amount, production[i].dollars)
	}
	fmt.Fprintf(&out, "| Total without the free quantities | | %.2f | | %.2f |\n", test.listed(), production.listed())
	fmt.Fprintf(&out, "| **Total**, each at most %.0f | | **%.2f** | | **%.2f** |\n", idleTarget, test.total(), production.total())
	return out.String()
}
