package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aviso/bench/demand"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/pfm/pfmdb"
	"aviso/localstack/template"
)

const hour = 3600

// What the model assumes. What is measured or decided elsewhere is read from there. Of the whole day,
// it is for 10 million users, and fewer do proportionally less. Times are in seconds.
const (
	requestsPeak, refreshes = demand.Requests * 1e7 / daySeconds * peak, demand.Refreshes * 1e7
	// The morning, and how many times the mean it has. Its widths are standard deviations.
	morning, peak, requestsWidth, refreshesWidth      = 8 * hour, 3, hour, hour / 2
	eventsPerSync, deliveriesPerEvent                 = 2, demand.Subscriptions // as if each sync of a peak found something
	bankRate, bankHangs                               = 600, 15
	awsCall, gap, bankReads, receiverAnswers, ownWork = 0.006, 0.01, 5, 0.3, 0.02 // gap: of package together
	bankVaries, receiverVaries                        = 0.4, 0.5                  // of the logarithm
	planCPU                                           = 0.0007
	newWrites, newReads                               = 4000, 12_000 // what a new table takes
	refreshInterval                                   = 6 * hour
	// Units, of docs/data-model.md: of planning a refresh, of a sync's checks and events, and of one that is put off.
	planWrites, planReads, planIdentity, planOutbox = 4, 1, 2, 2
	syncIdentity, eventOutbox                       = 2, 2
	putOffWrites, putOffReads                       = 4, 1
	callTimeout                                     = int(notification.CallTimeout / time.Second)
)

// inputs are what is measured and decided elsewhere, and what can be different.
type inputs struct {
	measured map[string]demand.Figures // of routes

	hotShare, hangShare       float64 // of deliveries
	bankShare                 float64 // of connections
	hangs, bankDown           window
	breaker                   bool
	pfmShards, deliveryShards float64
}

// window is a part of the day, in seconds.
type window struct{ from, to int }

func (w window) has(second int) bool { return second >= w.from && second < w.to }

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
	in.measured, err = demand.Measured(string(text))
	return in, err
}

// quiet returns the inputs of a day on which every bank and receiver answers.
func (in *inputs) quiet() *inputs {
	quiet := *in
	quiet.hangs, quiet.bankDown = window{}, window{}
	return &quiet
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
	// throttle is how many requests a second the gateway lets in, and burst how many it saves up.
	throttle, burst float64
}

// afterName returns what follows a name first.
func afterName(text []byte, name string) string {
	_, rest, _ := strings.Cut(string(text), name)
	return rest
}

func readDeployed(checkout string, s size) (deployed, error) {
	text, err := os.ReadFile(filepath.Join(checkout, "template.yaml"))
	if err != nil {
		return deployed{}, err
	}
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
	for name, value := range map[string]*float64{"ThrottlingRateLimit": &d.throttle, "ThrottlingBurstLimit": &d.burst} {
		if _, err := fmt.Sscanf(afterName(text, name+": "), "%g", value); err != nil {
			return deployed{}, fmt.Errorf("template.yaml has no %s: %w", name, err)
		}
	}
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
