package letterdispatchfn

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aviso/internal/app/bootstrap"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"
	"aviso/internal/outcome"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cancellationtest"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/letter"
	"aviso/internal/dynamo"
	"aviso/internal/observe"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/localstack/tests/testenv"
)

const (
	// crashes is the minimum number of times that letter-dispatch is killed.
	crashes = 400
	// crashLetters is high enough for crashes at every step.
	crashLetters = 80
	// visibility is the letter queue's visibility timeout.
	visibility = 9 * time.Minute
	// deliveries is the queue's maxReceiveCount.
	deliveries = 5
)

// Every letter reaches its carrier exactly once, however often letter-dispatch
// dies and its messages are repeated: the store is the real one, the carriers'
// clients are the real ones, and they call the sandbox's post office
// and fax gateway. SES accepts mail and sends late and duplicate events about it.
func TestLettersSurviveCrashes(t *testing.T) {
	d := newDispatchWorld(t)
	ids := d.createLetters(crashLetters)
	for round := 0; !d.settled(ids); round++ {
		require.Less(t, round, 20_000, "the letters do not settle")
		d.relay()
		d.work()
		d.hear()
		d.housekeep()
		d.world.AdvanceTime(t, time.Duration(1+d.random.IntN(20))*time.Second)
	}
	t.Logf("%d letters, %d crashes, %d runs, %s", len(ids), d.crashed.Load(), d.runs, d.world.Now().Sub(mailroomtest.Start()))
	assert.GreaterOrEqual(t, d.crashed.Load(), int64(crashes))

	arrived := d.arrived()
	for id, c := range ids {
		got, err := d.store.Cancellation(t.Context(), c.Owner, id)
		require.NoError(t, err)
		assert.Contains(t, []cancellation.Status{cancellation.StatusSent, cancellation.StatusDelivered}, got.Status)
		assert.Equal(t, c.Channel(), got.Channel(), "no channel was abandoned")
		assert.Equal(t, 1, arrived[id], "%s by %s", id, c.Channel().Kind)
	}
}

// failpoint ends the goroutine that passes it for the nth time, like a process that
// is killed there. Everything done before remains.
type failpoint struct {
	left    atomic.Int64
	crashed *atomic.Int64
}

type failpointKey struct{}

// pass ends the goroutine if it is the nth call. Without a failpoint in ctx it does nothing.
func pass(ctx context.Context) {
	if f, ok := ctx.Value(failpointKey{}).(*failpoint); ok && f.left.Add(-1) == 0 {
		f.crashed.Add(1)
		runtime.Goexit()
	}
}

// message is a queue message. It is delivered again until it is deleted.
type message struct {
	job      cancellation.Job
	at       time.Time
	received int
	gone     bool
}

// mailEvent is an SES event in transit.
type mailEvent struct {
	detail json.RawMessage
	at     time.Time
}

// dispatchWorld is letter-dispatch and everything around it.
type dispatchWorld struct {
	*testing.T
	world    *mailroomtest.Env
	random   *rand.Rand
	store    *cancellationdb.Store
	db       *dynamodb.Client
	outbox   string
	requests *cancellation.Requests
	do       func(context.Context, cancellation.Job, int) error
	feedback *cancellation.Feedback
	chores   *overdue.Housekeeping
	post     *carrier.Post
	fax      *carrier.Fax
	choresAt time.Time
	messages []*message
	heard    int
	runs     int
	crashed  atomic.Int64

	mu     sync.Mutex
	mails  map[string]int
	events []mailEvent
}

func newDispatchWorld(t *testing.T) *dispatchWorld {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	d := &dispatchWorld{
		T:      t,
		world:  mailroomtest.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable")),
		random: rand.New(rand.NewPCG(seed, 1)),
		outbox: testenv.Table(t, "OutboxTable"),
		mails:  map[string]int{},
	}
	d.db = dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, dieAround) })
	now := d.world.Now
	d.store = cancellationdb.New(d.db, testenv.Table(t, "CancellationTable"), d.outbox, now, uuid.NewString)

	common := carrier.Common{Now: now, Transport: d}
	var err error
	d.post, err = carrier.NewPost(carrier.PostOptions{
		Common:         common,
		BaseURL:        mailroomtest.BaseURL + "/sandbox/post",
		IdentityURL:    mailroomtest.BaseURL + "/sandbox/post/identity",
		OrganisationID: mailroomtest.Post().OrganisationID,
		ClientID:       mailroomtest.Post().ClientID,
		ClientSecret:   observe.Secret(mailroomtest.Post().ClientSecret),
		WebhookSecret:  observe.Secret(mailroomtest.Post().WebhookSecret),
		ReturnAddress: cancellation.PostalAddress{
			Recipient:   []string{"Aviso"},
			Street:      "Weg 1",
			PostalCode:  "10115",
			City:        "Berlin",
			CountryCode: "DE",
		},
	})
	require.NoError(t, err)
	d.fax, err = carrier.NewFax(carrier.FaxOptions{
		Common:          common,
		BaseURL:         mailroomtest.BaseURL + "/sandbox/fax/v3",
		ProjectID:       mailroomtest.Fax().ProjectID,
		KeyID:           mailroomtest.Fax().KeyID,
		KeySecret:       observe.Secret(mailroomtest.Fax().KeySecret),
		CallbackBaseURL: mailroomtest.BaseURL,
		CallbackSecret:  "a callback secret of the tests, long enough",
	})
	require.NoError(t, err)
	email, err := carrier.NewEmail(carrier.EmailOptions{SES: d, From: "letters@aviso.example", ConfigurationSet: "aviso-test", Now: now})
	require.NoError(t, err)
	carriers := map[cancellation.ChannelKind]cancellation.Carrier{
		cancellation.ChannelEmail:          email,
		cancellation.ChannelFax:            d.fax,
		cancellation.ChannelMail:           d.post,
		cancellation.ChannelRegisteredMail: d.post,
	}
	jobs := &cancellation.Dispatcher{
		Store: d.store, Carriers: carriers, Outcomes: &cancellation.Feedback{Store: d.store, Now: now},
		Now: now, NewID: uuid.NewString,
	}
	d.do = Retryable(jobs.Do)
	d.feedback, d.chores = &cancellation.Feedback{Store: d.store, Now: now}, cancellation.NewHousekeeping(d.store, now)
	d.requests = &cancellation.Requests{
		Store:   d.store,
		Product: d.products().OrganizationProduct,
		Gate:    cancellationtest.Gate{},
		Writer:  letter.Writer{},
		Now:     now,
		NewID:   bootstrap.NewSortableID,
		Enabled: []cancellation.ChannelKind{
			cancellation.ChannelEmail,
			cancellation.ChannelFax,
			cancellation.ChannelMail,
			cancellation.ChannelRegisteredMail,
		},
	}
	return d
}

// products has one for each channel, by the slugs Email, Fax, Mail and
// RegisteredMail.
func (d *dispatchWorld) products() cancellationtest.Products {
	all := cancellationtest.Products{}
	for _, p := range cancellationtest.NewProducts() {
		for _, c := range p.Channels {
			one := p
			one.Slug, one.Channels, one.Form, one.Terms = string(c.Kind), []cancellation.Channel{c}, cancellation.FormText, nil
			one.OrganizationID, one.ID = cancellation.OrganizationID(one.Slug), cancellation.ProductID(one.Slug, "contract")
			all[one.ID] = one
		}
	}
	return all
}

func (d *dispatchWorld) createLetters(n int) map[string]cancellation.Cancellation {
	d.Helper()
	slugs := []string{"Email", "Fax", "Mail", "RegisteredMail"}
	ids := map[string]cancellation.Cancellation{}
	for i := range n {
		r := cancellationtest.Request(slugs[i%len(slugs)])
		r.Repeat = true
		c, _, err := d.requests.Create(d.Context(), cancellationtest.User(), r)
		require.NoError(d, err)
		ids[c.ID] = c
	}
	return ids
}

// settled reports whether every letter has reached its final state.
func (d *dispatchWorld) settled(ids map[string]cancellation.Cancellation) bool {
	d.Helper()
	all, err := d.store.AllCancellations(d.Context(), cancellationtest.User())
	require.NoError(d, err)
	require.Len(d, all, len(ids))
	for _, c := range all {
		if c.Status.Waiting() {
			return false
		}
	}
	return true
}

// relay sends the outbox's messages to the queue, each at least once.
func (d *dispatchWorld) relay() {
	d.Helper()
	out, err := d.db.Scan(d.Context(), &dynamodb.ScanInput{TableName: &d.outbox})
	require.NoError(d, err)
	for _, item := range out.Items {
		m, err := dynamo.Decode[struct {
			ID    string `dynamodbav:"pk"`
			Queue string `dynamodbav:"queue"`
			Body  string `dynamodbav:"body"`
		}](item)
		require.NoError(d, err)
		if m.Queue == outbox.LetterQueue {
			var job cancellation.Job
			require.NoError(d, json.Unmarshal([]byte(m.Body), &job))
			for range 1 + d.random.IntN(3) {
				d.messages = append(d.messages, &message{job: job, at: d.world.Now().Add(time.Duration(d.random.IntN(5)) * time.Second)})
			}
		}
		_, err = d.db.DeleteItem(d.Context(), &dynamodb.DeleteItemInput{TableName: &d.outbox, Key: dynamo.Item{"pk": dynamo.S(m.ID)}})
		require.NoError(d, err)
	}
}

// work delivers the visible messages, up to four at once, and kills
// most of the workers.
func (d *dispatchWorld) work() {
	var waiting, seen []*message
	for _, m := range d.messages {
		switch {
		case m.gone:
		case m.at.After(d.world.Now()) || len(seen) == 4:
			waiting = append(waiting, m)
		default:
			waiting, seen = append(waiting, m), append(seen, m)
		}
	}
	d.messages = waiting
	var all sync.WaitGroup
	for _, m := range seen {
		d.runs++
		ctx := d.Context()
		if d.crashed.Load() < crashes && d.random.IntN(20) > 0 {
			f := &failpoint{crashed: &d.crashed}
			f.left.Store(int64(1 + d.random.IntN(14)))
			ctx = context.WithValue(ctx, failpointKey{}, f)
		}
		all.Go(func() { d.receive(ctx, m) })
	}
	all.Wait()
}

// receive processes a message like a function behind SQS.
func (d *dispatchWorld) receive(ctx context.Context, m *message) {
	now := d.world.Now()
	m.received++
	m.at = now.Add(visibility)
	m.gone = m.received >= deliveries // the dead-letter queue, unless it is deleted now
	done := make(chan error, 1)
	go func() {
		defer close(done)
		done <- d.do(ctx, m.job, m.received)
	}()
	err, finished := <-done
	if !finished {
		return // killed
	}
	var retry *outcome.Later
	switch {
	case err == nil:
		m.gone = true
	case errors.As(err, &retry):
		m.at = now.Add(retry.After)
	}
}

// hear processes the reports of carriers and SES, some of them twice.
func (d *dispatchWorld) hear() {
	d.Helper()
	callbacks := d.world.Callbacks()
	for _, call := range callbacks[d.heard:] {
		for range 1 + d.random.IntN(2) {
			report, err := d.parse(call)
			if errors.Is(err, carrier.ErrNothingReported) {
				continue
			}
			require.NoError(d, err)
			require.NoError(d, d.feedback.Report(d.Context(), report))
		}
	}
	d.heard = len(callbacks)
	d.mu.Lock()
	var due, later []mailEvent
	for _, e := range d.events {
		if e.at.After(d.world.Now()) {
			later = append(later, e)
		} else {
			due = append(due, e)
		}
	}
	d.events = later
	d.mu.Unlock()
	for _, e := range due {
		report, relevant, err := carrier.ParseSESEvent(e.detail)
		require.NoError(d, err)
		require.True(d, relevant)
		require.NoError(d, d.feedback.Report(d.Context(), report))
	}
}

func (d *dispatchWorld) parse(call mailroomtest.Callback) (cancellation.Report, error) {
	_, path, isFax := strings.Cut(call.URL, "/carriers/v1/fax/")
	if !isFax {
		return d.post.ParseWebhook(call.Header, call.Body)
	}
	parts := strings.Split(path, "/")
	require.Len(d, parts, 3)
	return d.fax.ParseCallback(d.Context(), carrier.FaxCallback{
		CancellationID: parts[0], ShipmentID: parts[1], Token: parts[2], ContentType: call.Header.Get("Content-Type"), Body: call.Body,
	})
}

// housekeep runs housekeeping once a minute.
func (d *dispatchWorld) housekeep() {
	d.Helper()
	if d.world.Now().Before(d.choresAt) {
		return
	}
	d.choresAt = d.world.Now().Add(time.Minute)
	_, err := d.chores.Run(d.Context())
	require.NoError(d, err)
}

// arrived counts, by cancellation, mails and the letters and faxes that were
// really sent. Pingen's drafts do not count.
func (d *dispatchWorld) arrived() map[string]int {
	d.Helper()
	counts := map[string]int{}
	for id, n := range d.mails {
		counts[id] += n
	}
	for _, c := range mailroom.Carriers() {
		ofCarrier := func(l mailroom.Letter) bool { return l.Carrier == c }
		letters, err := d.world.Store.Letters(d.Context(), "", 10_000, ofCarrier)
		require.NoError(d, err)
		for _, l := range letters {
			if c == mailroom.Fax || !l.SubmittedAt.IsZero() {
				counts[l.CancellationID]++
			}
		}
	}
	return counts
}

// RoundTrip sends the carriers' requests to the sandbox. The worker may die
// before a call and after it.
func (d *dispatchWorld) RoundTrip(r *http.Request) (*http.Response, error) {
	pass(r.Context())
	body := []byte(nil)
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
	res := d.world.Do(d.T, r.Method, r.URL.String(), headers, body).Result()
	res.Request = r
	pass(r.Context())
	return res, nil
}

// SendEmail is SES: it accepts every mail, and sends its event within ten minutes, once
// or twice.
func (d *dispatchWorld) SendEmail(ctx context.Context, _, _ string, _ []byte, given map[string]string) (string, error) {
	pass(ctx)
	tags := map[string][]string{}
	for name, value := range given {
		tags[name] = []string{value}
	}
	id := uuid.NewString()
	now := d.world.Now()
	d.mu.Lock()
	d.mails[tags["cancellationId"][0]]++
	at := now
	for _, kind := range []string{"Send", "Delivery"} {
		detail, err := json.Marshal(
			map[string]any{"eventType": kind, "mail": map[string]any{"messageId": id, "timestamp": now, "tags": tags}},
		)
		require.NoError(d, err)
		at = at.Add(time.Duration(len(d.mails)*37%300) * time.Second)
		d.events = append(d.events, mailEvent{detail, at}, mailEvent{detail, at.Add(time.Minute)})
	}
	d.mu.Unlock()
	pass(ctx)
	return id, nil
}

// dieAround makes the worker die before or after a call to the table.
func dieAround(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc(
		"Die",
		func(ctx context.Context, in middleware.InitializeInput,
			next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			pass(ctx)
			out, metadata, err := next.HandleInitialize(ctx, in)
			pass(ctx)
			return out, metadata, err
		},
	), middleware.After)
}
