package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"aviso/bench/price"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
	"aviso/localstack/template"
)

// inputs is everything that the model is told. What is measured or decided elsewhere is
// read from there; the rest is assumed, here.
type inputs struct {
	measured measured
	seed     uint64

	// Of the whole day, at 10 million users. Fewer users do proportionally less.
	requestsPeak, refreshesADay, transactionsADay float64
	morning, peak                                 float64 // when it is, and how many times the mean it has
	requestsWidth, refreshesWidth                 float64 // standard deviation, in seconds
	eventsPerSync, eventsPerRequest               float64
	deliveriesPerEvent                            float64
	routes                                        []share

	hotShare, hangShare float64
	hangs               window
	bankShare, bankRate float64 // of connections, and how many reads a second the bank allows
	bankDown            window
	bankHangs           float64
	// breaker says whether bank-sync has one.
	breaker bool

	// Seconds.
	awsCall, bankReads, receiverAnswers, ownWork float64
	gap                                          float64 // of package together
	bankVaries, receiverVaries                   float64 // standard deviation of the logarithm

	planCPU          float64
	sync, plan       step
	putOff           step    // of a job whose bank is down
	newTransaction   float64 // WRU
	imbalance        float64
	gigabytesPerUser float64

	pfmShards, deliveryShards, slots, slotsPerRow float64
	mostSlots                                     float64 // 0: what DeliveryConcurrency allows
	callTimeout, refreshInterval                  time.Duration

	prices prices
}

// window is a part of the day, in seconds.
type window struct{ from, to int }

func (w window) has(second int) bool { return second >= w.from && second < w.to }

// share is how much of all requests a route has, and which table it reads or writes most.
type share struct {
	route, table string
	part         float64
	// units are those of routes that `make bench` does not measure (docs/data-model.md).
	units units
	// user reports that the call acts for a user, whose row is read as well.
	user bool
	// list is the one partition key that all calls read, or "".
	list string
}

// step is what one piece of work takes from each table.
type step struct{ pfm, identity, outbox units }

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

// prices are AWS's list prices in dollars, of bench/prices.json.
type prices struct {
	writes, reads, requests, invocations, messages float64 // for a million
	gigabyteSecond, logGigabyte, storageMonth      float64
	logPerCall                                     float64 // GB
}

func readPrices(checkout string) (prices, error) {
	list, err := price.Read(checkout)
	if err != nil {
		return prices{}, err
	}
	missing := false
	of := func(name string) float64 {
		p, ok := list[name]
		missing = missing || !ok
		return p.Dollars
	}
	p := prices{
		writes: of("dynamodb-writes"), reads: of("dynamodb-reads"), requests: of("http-api"),
		invocations: of("lambda-requests"), messages: of("sqs"), gigabyteSecond: of("lambda-time"), logGigabyte: of("logs"),
		storageMonth: of("dynamodb-storage") + of("dynamodb-backup"), logPerCall: 1.2e-6,
	}
	if missing {
		return prices{}, errors.New("bench/prices.json lacks a price")
	}
	return p, nil
}

const hour = 3600

func readInputs(checkout string, seed uint64) (*inputs, error) {
	m, err := readMeasured(filepath.Join(checkout, "docs", "performance.md"))
	if err != nil {
		return nil, err
	}
	costs, err := readPrices(checkout)
	if err != nil {
		return nil, err
	}
	in := &inputs{
		measured: m, seed: seed,
		requestsPeak: 2000, refreshesADay: 4e7, transactionsADay: 3,
		morning: 8 * hour, peak: 3, requestsWidth: hour, refreshesWidth: hour / 2,
		eventsPerSync: 2, eventsPerRequest: 0.125, deliveriesPerEvent: 2,
		routes: routes(),
		// The receiver hangs before the peak and for three hours after it.
		hotShare: 0.3, hangShare: 0.01, hangs: window{7 * hour, 11 * hour},
		// The bank goes down when most refreshes are due. Its requests hang.
		bankShare: 0.2, bankRate: 600, bankDown: window{8 * hour, 9 * hour}, bankHangs: 15,
		breaker: true,
		awsCall: 0.006, gap: 0.01, bankReads: 5, bankVaries: 0.4, receiverAnswers: 0.3, receiverVaries: 0.5, ownWork: 0.02,
		planCPU:        0.0007,
		plan:           step{pfm: units{4, 1}, identity: units{write: 2}, outbox: units{write: 2}},
		sync:           step{pfm: units{18, 110}, identity: units{write: 2}, outbox: units{write: 2}},
		putOff:         step{pfm: units{4, 1}},
		newTransaction: 36,
		imbalance:      1.3, gigabytesPerUser: 0.013,
		pfmShards:      float64(pfmdb.New(nil, "", "", nil, nil).DueShards()),
		deliveryShards: float64(notificationdb.New(nil, "", "", nil, nil, nil).DueShards()),
		slots:          notification.Slots, slotsPerRow: 32,
		callTimeout: notification.CallTimeout, refreshInterval: 6 * time.Hour,
		prices: costs,
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	return in, nil
}

// quiet returns the inputs of a day on which every bank and receiver answers.
func (in *inputs) quiet() *inputs {
	quiet := *in
	quiet.hangs, quiet.bankDown = window{}, window{}
	return &quiet
}

func routes() []share {
	return []share{
		{route: "pfm: GET transactions, 100", table: "PfmTable", part: 0.35, user: true},
		{route: "pfm: GET accounts", table: "PfmTable", part: 0.20, user: true},
		{route: "pfm: GET insights/categories", table: "PfmTable", part: 0.12, user: true},
		{route: "pfm: GET providers, 50", table: "PfmTable", part: 0.05, list: "a country's providers"},
		{route: "cancellation: GET organizations, 50", table: "CancellationTable", part: 0.04, list: "a locale's organizations"},
		{route: "search: GET search", part: 0.05},
		{route: "notification: GET subscriptions", table: "NotificationTable", part: 0.01},
		{route: "identity: GET user", table: "IdentityTable", part: 0.10},
		{route: "identity: POST token", table: "IdentityTable", part: 0.005},
		{route: "cancellation: POST cancellations", table: "CancellationTable", part: 0.005, user: true},
		{route: "PATCH transaction", table: "PfmTable", part: 0.04, user: true, units: units{write: 24, read: 8.5}},
		{route: "POST connections", table: "PfmTable", part: 0.03, user: true, units: units{write: 7, read: 1.5}},
	}
}

func (in *inputs) check() error {
	sum := 0.0
	for _, r := range in.routes {
		sum += r.part
		if _, ok := in.measured.routes[r.route]; !ok && r.units == (units{}) {
			return fmt.Errorf("docs/performance.md has no figures of %q", r.route)
		}
	}
	if sum < 0.999 || sum > 1.001 {
		return fmt.Errorf("the routes are %.3f of all requests, want 1", sum)
	}
	return nil
}

// attempts and retryDelays are those of a sync.
const attempts = pfm.MaxSyncAttempts

func retryDelay(failed int) int { return 30 << (2 * failed) }
