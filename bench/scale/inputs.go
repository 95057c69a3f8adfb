package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/pfm/pfmdb"
	"aviso/localstack/template"
)

const hour = 3600

// What the model assumes. What is measured or decided elsewhere is read from there. Of the whole day,
// it is for 10 million users, and fewer do proportionally less. Times are in seconds.
const (
	requestsPeak, refreshes, newRows = 2010.0, 4e7, 3e7
	// The morning, and how many times the mean it has. Its widths are standard deviations.
	morning, peak, requestsWidth, refreshesWidth        = 8 * hour, 3, hour, hour / 2
	eventsPerSync, eventsPerRequest, deliveriesPerEvent = 2, 0.125, 2
	bankRate, bankHangs                                 = 600, 15
	awsCall, gap, bankReads, receiverAnswers, ownWork   = 0.006, 0.01, 5, 0.3, 0.02 // gap: of package together
	bankVaries, receiverVaries                          = 0.4, 0.5                  // of the logarithm
	planCPU                                             = 0.0007
	newWrites, newReads                                 = 4000, 12_000 // what a new table takes
	refreshInterval                                     = 6 * hour
	// Units, of docs/data-model.md: of planning a refresh, of a sync, of one that is put off, and of a new row.
	planWrites, planReads, planIdentity, planOutbox  = 4, 1, 2, 2
	syncWrites, syncReads, syncIdentity, eventOutbox = 18, 110, 2, 2
	putOffWrites, putOffReads, rowWrites             = 4, 1, 36
	callTimeout                                      = int(notification.CallTimeout / time.Second)
)

// inputs are what is measured and decided elsewhere, and what can be different.
type inputs struct {
	measured map[string]figures // of routes

	hotShare, hangShare       float64 // of deliveries
	bankShare                 float64 // of connections
	hangs, bankDown           window
	breaker                   bool
	pfmShards, deliveryShards float64
}

// window is a part of the day, in seconds.
type window struct{ from, to int }

func (w window) has(second int) bool { return second >= w.from && second < w.to }

// share is how much of all requests a route has, and which table it reads or writes most.
type share struct {
	route, table string
	part         float64
}

// routes are what partners ask. The figures are those of docs/performance.md.
func routes() []share {
	return []share{
		{route: "pfm: GET transactions, 100", table: "PfmTable", part: 0.35},
		{route: "pfm: GET accounts", table: "PfmTable", part: 0.20},
		{route: "pfm: GET insights/categories", table: "PfmTable", part: 0.12},
		{route: "pfm: GET providers, 50", table: "PfmTable", part: 0.05},
		{route: "cancellation: GET organizations, 50", table: "CancellationTable", part: 0.04},
		{route: "search: GET search", part: 0.05},
		{route: "notification: GET subscriptions", table: "NotificationTable", part: 0.01},
		{route: "identity: GET user", table: "IdentityTable", part: 0.10},
		{route: "identity: POST token", table: "IdentityTable", part: 0.005},
		{route: "cancellation: POST cancellations", table: "CancellationTable", part: 0.005},
		{route: "pfm: PATCH transaction", table: "PfmTable", part: 0.04},
		{route: "pfm: POST connections", table: "PfmTable", part: 0.03},
	}
}

const fanOut = "outbox-relay: event to 5 subscriptions"

func readInputs(checkout string) (*inputs, error) {
	text, err := os.ReadFile(filepath.Join(checkout, "docs", "performance.md"))
	if err != nil {
		return nil, fmt.Errorf("read the figures: %w", err)
	}
	in := &inputs{
		// The receiver hangs before the peak and for three hours after it. The bank goes down when most
		// refreshes are due.
		hotShare: 0.3, hangShare: 0.01, hangs: window{7 * hour, 11 * hour},
		bankShare: 0.2, bankDown: window{8 * hour, 9 * hour}, breaker: true,
		pfmShards:      float64(pfmdb.New(nil, "", "", nil, nil).DueShards()),
		deliveryShards: float64(notificationdb.New(nil, "", "", nil, nil, nil).DueShards()),
	}
	err = in.readMeasured(string(text))
	return in, err
}

// quiet returns the inputs of a day on which every bank and receiver answers.
func (in *inputs) quiet() *inputs {
	quiet := *in
	quiet.hangs, quiet.bankDown = window{}, window{}
	return &quiet
}

// figures are those of docs/performance.md that the model uses.
type figures struct{ calls, reads, writes, p50 float64 }

// readMeasured reads the tables of the page, of which the first cells name the rows.
func (in *inputs) readMeasured(page string) error {
	in.measured = map[string]figures{}
	const columns = "| AWS calls | late handshakes |  RRU | WRU | p50, ms |"
	if !strings.Contains(page, columns) {
		return fmt.Errorf("docs/performance.md has no table with the columns %s", columns)
	}
	for _, r := range append(routes(), share{route: fanOut}) {
		_, rest, found := strings.Cut(page, "\n| "+r.route+" ")
		if !found {
			return fmt.Errorf("docs/performance.md has no figures of %q", r.route)
		}
		cells := strings.Split(rest, "|")
		number := func(column int) float64 {
			value, _ := strconv.ParseFloat(strings.TrimSpace(cells[column]), 64)
			return value
		}
		in.measured[r.route] = figures{calls: number(1), reads: number(3), writes: number(4), p50: number(5)}
	}
	return nil
}

// size is a number of users, and what is set or asked of AWS for it.
type size struct {
	name       string
	users      float64
	account    float64           // concurrent executions
	quota      float64           // units a second of a table
	parameters map[string]string // of template.yaml
}

// sizes are the four cases. The defaults of template.yaml and AWS are enough for the first,
// and the last is deployed with the preset "large" of samconfig.toml.
func sizes(checkout string) ([]size, error) {
	large, err := template.Preset(checkout, "large")
	if err != nil {
		return nil, err
	}
	const executions, units = 1000, 40_000 // AWS's defaults
	return []size{
		{name: "10⁴", users: 1e4, account: executions, quota: units},
		{name: "10⁵", users: 1e5, account: executions, quota: units, parameters: map[string]string{
			"SyncConcurrency": "100", "SyncWaitConcurrency": "25",
		}},
		{name: "10⁶", users: 1e6, account: executions, quota: units, parameters: map[string]string{
			"SyncConcurrency": "400", "SyncWaitConcurrency": "100", "DeliveryConcurrency": "400",
		}},
		{name: "10⁷", users: 1e7, account: 3000, quota: 150_000, parameters: large},
	}, nil
}

// deployed is what template.yaml says with the parameters of a size.
type deployed struct {
	syncMost, syncBatch, syncWaitMost    float64
	deliverMost, retryMost, deliverBatch float64
	streamBatch, parallelization         float64
	// parts is how many schedules housekeeping has, planVCPU how much of a processor each of
	// its executions has, and planLasts for how many seconds it begins work.
	parts, planVCPU float64
	planLasts       int
	warm            map[string]units
}

func readDeployed(checkout string, s size) (deployed, error) {
	tpl, err := template.Load(filepath.Join(checkout, "template.yaml"), func(name string) (string, bool) {
		if name == "Environment" {
			return "acceptance", true
		}
		value, ok := s.parameters[name]
		return value, ok
	})
	if err != nil {
		return deployed{}, err
	}
	d := deployed{warm: map[string]units{}}
	for _, m := range tpl.QueueMappings {
		most, batch := float64(m.MaximumConcurrency), float64(m.BatchSize)
		switch m.Queue {
		case "SyncQueue":
			d.syncMost, d.syncBatch = most, batch
		case "SyncWaitQueue":
			d.syncWaitMost = most
		case "DeliveryQueue":
			d.deliverMost, d.deliverBatch = most, batch
		case "RetryQueue":
			d.retryMost = most
		}
	}
	for _, m := range tpl.Streams {
		d.streamBatch, d.parallelization = float64(m.BatchSize), float64(m.Parallelization)
	}
	for _, schedule := range tpl.Schedules {
		if strings.Contains(schedule.Input, `"parts"`) {
			d.parts++
		}
	}
	for _, table := range tpl.Tables {
		if warm := table.Definition.WarmThroughput; warm != nil {
			d.warm[table.ID] = units{float64(*warm.WriteUnitsPerSecond), float64(*warm.ReadUnitsPerSecond)}
		}
	}
	const processorMB, lastSeconds = 1769, 5 // housekeeping begins nothing in its last five seconds
	for _, f := range tpl.Functions {
		if f.Name == "housekeeping" {
			d.planVCPU, d.planLasts = float64(f.MemoryMB)/processorMB, int(f.Timeout.Seconds())-lastSeconds
		}
	}
	return d, nil
}

// atFirst returns what a table takes on its first day: as many units as it was warmed for, or as any
// new table.
func (d deployed) atFirst(table string) units {
	return units{max(newWrites, d.warm[table].write), max(newReads, d.warm[table].read)}
}
