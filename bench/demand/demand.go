// Package demand says what a connected user asks of the service, for the models of a day's load (bench/scale) and of
// a month's cost (bench/cost).
package demand

import (
	"fmt"
	"strconv"
	"strings"
)

// Of one connected user in a day. Assumed: an app that shows accounts and callbacks that it acts on.
const (
	// Refreshes are reads of a bank.
	Refreshes = 4.0
	// NewRows are the transactions that they find. Each comes in a sync of its own.
	NewRows = 3.0
	// NewsShare is the part of syncs that find one.
	NewsShare = NewRows / Refreshes
	// Requests are the partner's calls.
	Requests = 5.79
	// EventsPerRequest are those that a call causes.
	EventsPerRequest = 0.125
	// Subscriptions is how many subscriptions get an event.
	Subscriptions = 2.0
	// FirstRows are two years of rows, which the first sync brings.
	FirstRows = 2 * 365 * NewRows
)

// Units are capacity units of DynamoDB.
type Units struct{ Reads, Writes float64 }

// Plus returns the sum.
func (u Units) Plus(v Units) Units { return Units{u.Reads + v.Reads, u.Writes + v.Writes} }

// Times returns so many of them.
func (u Units) Times(n float64) Units { return Units{u.Reads * n, u.Writes * n} }

// What follows is measured at the emulator by TestWhatASyncCosts of internal/pfm/connection, for a user of two years
// with three accounts. All tables are in it: a check of the user takes 2 WRU of IdentityTable, each event 2 of
// OutboxTable.

// QuietSync returns the units of a sync that finds nothing new.
func QuietSync() Units { return Units{3, 9} }

// NewsSync returns those of one that finds a transaction.
func NewsSync() Units { return Units{55, 68} }

// FirstRow returns those of each row of the first sync.
func FirstRow() Units { return Units{0.64, 9.38} }

// Sync returns the units of a sync on average.
func Sync() Units { return QuietSync().Times(1 - NewsShare).Plus(NewsSync().Times(NewsShare)) }

// Share is how much of all requests a route has, which table it reads or writes most, and how many bytes it answers
// (assumed; a page of 100 transactions has 80 KB).
type Share struct {
	Route, Table string
	Part, Bytes  float64
}

// Routes are what partners ask. The figures of each are those of docs/performance.md.
func Routes() []Share {
	const page, list, item = 80e3, 10e3, 1e3
	return []Share{
		{"pfm: GET transactions, 100", "PfmTable", 0.35, page},
		{"pfm: GET accounts", "PfmTable", 0.20, item},
		{"pfm: GET insights/categories", "PfmTable", 0.12, list},
		{"pfm: GET providers, 50", "PfmTable", 0.05, list},
		{"cancellation: GET organizations, 50", "CancellationTable", 0.04, list},
		{"search: GET search", "", 0.05, list},
		{"notification: GET subscriptions", "NotificationTable", 0.01, item},
		{"identity: GET user", "IdentityTable", 0.10, item},
		{"identity: POST token", "IdentityTable", 0.005, item},
		{"cancellation: POST cancellations", "CancellationTable", 0.005, item},
		{"pfm: PATCH transaction", "PfmTable", 0.04, item},
		{"pfm: POST connections", "PfmTable", 0.03, item},
	}
}

// FanOut is the row of docs/performance.md about an event.
const FanOut = "outbox-relay: event to 5 subscriptions"

// Figures are those of docs/performance.md about a route: P50 is in milliseconds.
type Figures struct{ Calls, Reads, Writes, P50 float64 }

// Measured reads the figures of each route, and of FanOut, in the text of docs/performance.md.
func Measured(page string) (map[string]Figures, error) {
	found := map[string]Figures{}
	const columns = "| AWS calls | late handshakes |  RRU | WRU | p50, ms |"
	if !strings.Contains(page, columns) {
		return nil, fmt.Errorf("docs/performance.md has no table with the columns %s", columns)
	}
	for _, r := range append(Routes(), Share{Route: FanOut}) {
		_, rest, ok := strings.Cut(page, "\n| "+r.Route+" ")
		if !ok {
			return nil, fmt.Errorf("docs/performance.md has no figures of %q", r.Route)
		}
		cells := strings.Split(rest, "|")
		number := func(column int) float64 {
			value, _ := strconv.ParseFloat(strings.TrimSpace(cells[column]), 64)
			return value
		}
		found[r.Route] = Figures{Calls: number(1), Reads: number(3), Writes: number(4), P50: number(5)}
	}
	return found, nil
}
