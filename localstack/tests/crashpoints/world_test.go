package crashpoints

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/middleware"

	"aviso/internal/messaging/outbox"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/template"
	"aviso/localstack/template/iam"
	"aviso/localstack/tests/testenv"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	debug.SetGCPercent(400) // a point is over before its memory matters
	os.Exit(m.Run())
}

// errCrashed is what a function sees of the world after its crash: nothing.
var errCrashed = errors.New("the process is gone")

// crash ends an invocation at one of its calls, counted from the previous crash, or from
// the start.
type crash struct {
	call int
	// after means that the call takes effect and its answer is lost.
	after bool
}

func (c crash) String() string {
	if c.after {
		return fmt.Sprintf("after call %d", c.call)
	}
	return fmt.Sprintf("before call %d", c.call)
}

// duplicates says which messages, stream records and reports arrive more than once.
type duplicates int

const (
	once       duplicates = iota
	beforehand            // each has been delivered already, a moment ago
	afterwards            // each is delivered again five minutes later, when leases have expired
	always                // both
)

func (d duplicates) String() string {
	return [...]string{"once", "a duplicate before", "a duplicate after", "duplicates before and after"}[d]
}

// late is when a duplicate arrives afterwards.
const late = 5 * time.Minute

// world is the service and everything around it. Nothing happens by itself: its agenda has
// what happens next.
type world struct {
	t testing.TB
	// db is nil if the tables are in the emulator.
	db         *memdb.DB
	tables     map[string]string
	duplicates duplicates
	calm       bool // nothing crashes or comes twice

	mu      sync.Mutex
	now     time.Time
	ids     int
	running bool
	dead    bool
	crashes []crash // still to come
	calls   int     // since the last crash
	chore   bool    // housekeeping is running
	idle    bool    // a crash hit housekeeping
	quiet   int     // runs of housekeeping since anything else happened
	// function is the one that runs now, or "".
	function string
	// choreCalls are the numbers of housekeeping's calls.
	choreCalls map[int]bool

	agenda   []task
	ordered  int
	streamed map[string]bool // outbox rows that the stream has had
	told     []outbox.Event  // of these rows

	parts
	outside
}

// task is something that will happen.
type task struct {
	at    time.Time
	order int
	// chore marks what never ends.
	chore bool
	// do returns when the task happens again, or finished.
	do func() time.Duration
}

const finished time.Duration = -1

// snapshot is a prepared state. It is copied for each point.
type snapshot struct {
	db  *memdb.DB
	now time.Time
	ids int
}

// newWorld returns a world that goes on from a snapshot.
func newWorld(t testing.TB, from snapshot) *world {
	w := &world{t: t, db: from.db.Clone(), now: from.now, ids: from.ids}
	w.tables = map[string]string{}
	for _, table := range testenv.Template(t).Tables {
		w.tables[table.ID] = table.ID
	}
	w.wire()
	return w
}

// emptySnapshot is the state of a new stack.
func emptySnapshot(t testing.TB) snapshot {
	return snapshot{db: memdb.New(testenv.Template(t).Tables), now: mailroomtest.Start()}
}

// wire makes the parts of the world.
func (w *world) wire() {
	w.streamed, w.choreCalls = map[string]bool{}, map[int]bool{}
	w.outside = newOutside()
	w.parts = newParts(w)
	w.agenda = append(w.agenda, task{at: w.now.Add(time.Minute), chore: true, do: w.housekeep})
}

// clock is the clock of all services.
func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// newID returns an ID that sorts after those before, the same ones in every run.
func (w *world) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.nextID()
}

func (w *world) nextID() string {
	w.ids++
	return fmt.Sprintf("%08x-0000-7000-8000-%012x", w.now.Unix(), w.ids)
}

// options are those of an AWS client whose calls go to the world.
func (w *world) options() []func(*middleware.Stack) error {
	return []func(*middleware.Stack) error{memdb.Intercept(w.aws)}
}

// aws is a call of an AWS client.
func (w *world) aws(ctx context.Context, in any, next func(context.Context) (any, error)) (any, error) {
	return w.call(func() (any, error) {
		w.authorize(in)
		switch in := in.(type) {
		case *sqs.SendMessageBatchInput:
			for _, m := range in.Entries {
				w.sendMessage(*in.QueueUrl, m)
			}
			return &sqs.SendMessageBatchOutput{}, nil
		case *sqs.ChangeMessageVisibilityInput:
			return w.changeVisibility(in), nil
		case *sesv2.SendEmailInput:
			return w.sendEmail(in), nil
		}
		if w.db == nil {
			return next(ctx)
		}
		return w.db.Call(in)
	})
}

// readerOf has the function that reads a queue.
var readerOf = map[string]string{
	"SyncQueue": "bank-sync", "LetterQueue": "letter-dispatch",
	"DeliveryQueue": "webhook-delivery", "RetryQueue": "webhook-delivery",
}

// authorize notes a call that the function's role in the template does not allow. Runs
// with crashes make the same calls, so it looks at those without only.
func (w *world) authorize(in any) {
	if w.function == "" || !w.calm {
		return
	}
	service, operation := reflect.TypeOf(in).Elem().PkgPath(), strings.TrimSuffix(reflect.TypeOf(in).Elem().Name(), "Input")
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	switch path.Base(service) {
	case "dynamodb":
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	case "sqs":
		r.Header.Set("X-Amz-Target", "AmazonSQS."+operation)
	default:
		r.URL.Path = "/v2/email/outbound-emails"
	}
	body, err := json.Marshal(in)
	must(err)
	all := testenv.Template(w.t)
	requests, err := (&iam.Guard{Identities: all.EmailIdentities}).Requests(r, body)
	must(err)
	of := slices.IndexFunc(all.Functions, func(f template.Function) bool { return f.Name == w.function })
	statements := slices.Clone(all.Functions[of].Policies)
	for i := range statements {
		resources := slices.Clone(statements[i].Resources)
		for j, r := range resources {
			arn, err := r.Resolve(arnIn(w.tables))
			must(err)
			resources[j] = template.Value(arn)
		}
		statements[i].Resources, statements[i].LeadingKeys = resources, nil // the journeys check keys
	}
	for _, request := range requests {
		// JSON has the parts that a transaction's item does not use, as null.
		if !strings.HasSuffix(request.Resource, "table/") && !iam.Allowed(statements, request) {
			w.problems = append(w.problems, "the role of "+w.function+" does not allow "+request.String())
		}
	}
}

// arnIn returns what resolves the ARNs of tables and queues. Each is named like its logical ID.
func arnIn(tables map[string]string) func(name string) (string, error) {
	return func(name string) (string, error) {
		id, attribute, _ := strings.Cut(name, ".")
		switch {
		case attribute != "Arn":
			return id, nil
		case tables[id] != "":
			return template.ARN("dynamodb", "table/"+id), nil
		}
		return template.ARN("sqs", id), nil
	}
}

// call performs one call to the outside, unless the process is gone. If a crash is due at
// this call, the process is gone afterwards.
func (w *world) call(effect func() (any, error)) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.running {
		return effect()
	}
	if w.dead {
		return nil, errCrashed
	}
	w.calls++
	if w.chore {
		w.choreCalls[w.calls] = true
	}
	if len(w.crashes) == 0 || w.calls != w.crashes[0].call {
		return effect()
	}
	after := w.crashes[0].after
	w.idle = w.idle || w.chore
	w.crashes, w.calls, w.dead = w.crashes[1:], 0, true
	if after {
		_, _ = effect()
	}
	return nil, errCrashed
}

// invoke runs one invocation of a function, and reports whether it got to its end. If the
// function has a name, its role in the template must allow each call to AWS.
func (w *world) invoke(name string, function func(context.Context)) bool {
	w.mu.Lock()
	w.running, w.dead, w.function = true, false, name
	w.mu.Unlock()
	function(context.Background())
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = false
	return !w.dead
}

// schedule puts something on the agenda, once or more often as duplicates asks.
func (w *world) schedule(at time.Time, do func() func() time.Duration) {
	times := []time.Time{at}
	if w.duplicates == beforehand || w.duplicates == always {
		times = append(times, at)
	}
	if w.duplicates == afterwards || w.duplicates == always {
		times = append(times, at.Add(late))
	}
	for _, at := range times {
		w.add(at, do())
	}
}

func (w *world) add(at time.Time, do func() time.Duration) {
	w.ordered++
	w.agenda = append(w.agenda, task{at: at, order: w.ordered, do: do})
}

// streamTakes is how long the stream takes.
const streamTakes = 100 * time.Millisecond

// lastsAtMost is how long a way may take.
const lastsAtMost = 48 * time.Hour

// settle lets everything happen until the way is done and nothing but chores is left.
func (w *world) settle(done func(*world) bool) error {
	for end := w.now.Add(lastsAtMost); ; {
		w.readStream()
		next := 0
		for i, t := range w.agenda {
			if t.at.Before(w.agenda[next].at) || t.at.Equal(w.agenda[next].at) && t.order < w.agenda[next].order {
				next = i
			}
		}
		t := w.agenda[next]
		if t.at.After(end) {
			return fmt.Errorf("not settled after %s", lastsAtMost)
		}
		w.agenda = slices.Delete(w.agenda, next, next+1)
		w.pass(t.at)
		if !t.chore {
			w.quiet = 0
		}
		if again := t.do(); again != finished {
			w.ordered++
			w.agenda = append(w.agenda, task{at: w.now.Add(again), order: w.ordered, chore: t.chore, do: t.do})
		}
		w.readStream()
		if t.chore && len(w.agenda) == 1 && done(w) {
			return nil
		}
	}
}

// pass lets time pass.
func (w *world) pass(until time.Time) {
	w.mu.Lock()
	if until.After(w.now) {
		w.now = until
	}
	w.mu.Unlock()
	w.hearCarriers()
}

// rows returns all rows of a table.
func (w *world) rows(id string) []memdb.Item {
	if w.db != nil {
		return w.db.Items(w.tables[id])
	}
	var all []memdb.Item
	pages := dynamodb.NewScanPaginator(testenv.Emulator(w.t), &dynamodb.ScanInput{
		TableName: aws.String(w.tables[id]), ConsistentRead: aws.Bool(true),
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		must(err)
		all = append(all, page.Items...)
	}
	return all
}

// housekeep invokes housekeeping: every minute, and every five once it has been alone for
// five, which is less than it does in production and saves most of the time.
func (w *world) housekeep() time.Duration {
	w.quiet++
	w.chore = true
	defer func() { w.chore = false }()
	w.invoke("housekeeping", func(ctx context.Context) {
		if err := w.chores(ctx); err != nil && !errors.Is(err, errCrashed) {
			w.problems = append(w.problems, "housekeeping: "+err.Error())
		}
	})
	if w.quiet > 5 {
		return 5 * time.Minute
	}
	return time.Minute
}

// RoundTrip sends a carrier adapter's request to the sandbox's carriers.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	headers := map[string]string{}
	for name := range r.Header {
		headers[name] = r.Header.Get(name)
	}
	answer, err := w.call(func() (any, error) {
		res := w.mailroom().Do(w.t, r.Method, r.URL.String(), headers, body).Result()
		res.Request = r
		return res, nil
	})
	res, _ := answer.(*http.Response)
	return res, err
}

// must is for what cannot fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
