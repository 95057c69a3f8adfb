package consoledb_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

const (
	acme   owner.PartnerID = "acme"
	other  owner.PartnerID = "other"
	traced                 = "4bf92f3577b34da6a3ce929d0e0e4736"
)

func erika() owner.User { return owner.User{Partner: acme, ID: "11111111-1111-4111-8111-111111111111"} }

// now is the time of the tests, in the middle of an hour.
func now() time.Time { return time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC) }

type bench struct {
	*testing.T
	*consoledb.Store
	db              *dynamodb.Client
	table, identity string
	clock           time.Time
	// refuse makes that many calls fail.
	refuse int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	t.Parallel()
	b := &bench{T: t, table: testenv.Table(t, "ConsoleTable"), identity: testenv.Table(t, "IdentityTable"), clock: now()}
	b.db = dynamodb.New(testenv.DynamoDB(t).Options(), testenv.Around(func(_ any, next func() (any, error)) (any, error) {
		if b.refuse > 0 { // as a partition does that takes no more
			b.refuse--
			return nil, &types.TransactionCanceledException{
				CancellationReasons: []types.CancellationReason{{Code: new("ThrottlingError")}},
			}
		}
		return next()
	}))
	b.Store = consoledb.New(b.db, b.table, b.identity, func() time.Time { return b.clock })
	b.user(erika())
	return b
}

func (b *bench) user(user owner.User) {
	b.Helper()
	require.NoError(b, dynamo.NewTable(b.db, b.identity).Put(b.Context(), dynamo.UserKey(user), map[string]string{}))
}

func (b *bench) gone(user owner.User) {
	b.Helper()
	require.NoError(b, dynamo.NewTable(b.db, b.identity).Delete(b.Context(), dynamo.UserKey(user)))
}

// rows counts the rows of a partition.
func (b *bench) rows(pk string) int {
	b.Helper()
	n, err := dynamo.NewTable(b.db, b.table).Count(b.Context(), dynamo.Query{Partition: pk})
	require.NoError(b, err)
	return n
}

func (b *bench) overview(partner owner.PartnerID, window feed.Window) feed.Counts {
	b.Helper()
	o, err := b.Overview(b.Context(), partner, window)
	require.NoError(b, err)
	return o.Total()
}

// request returns the nth request: one second after the one before.
func request(n, status int) feed.Request {
	return feed.Request{
		ID: fmt.Sprintf("%056d", n), Source: fmt.Sprintf("stream-%d", n%3), At: clock.Real(now().Add(time.Duration(n) * time.Second)),
		TraceID: fmt.Sprintf("%032d", n), RequestID: fmt.Sprint("r", n), Service: "pfm",
		Route: "GET /openbanking/v1/accounts", Status: status, Micros: 12500,
	}
}

func requests(n, status int) []feed.Request {
	all := make([]feed.Request, n)
	for i := range all {
		all[i] = request(i, status)
	}
	return all
}

func occurred(id, kind string, at time.Time) feed.Event {
	return feed.Event{
		ID: id, Type: kind, OccurredAt: clock.OfUser(at), SeenAt: clock.Real(now()), User: erika().ID, TraceID: traced, Data: `{"a":1}`,
	}
}

// lines are requests that came together.
func lines(requests ...feed.Request) feed.Lines {
	return feed.Lines{ID: requests[0].ID, Source: requests[0].Source, At: requests[0].At, Requests: requests}
}

// shuffled returns the records in another order, some of them twice.
func shuffled[T any](records []T) []T {
	all := append([]T{}, records...)
	all = append(all, records[:len(records)/2]...)
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func TestRequestsAreListedAndCountedOnce(t *testing.T) {
	b := newBench(t)
	all := append(requests(230, 200), request(230, 404), request(231, 500))
	for range 3 { // the log delivers again
		for batch := range slices.Chunk(all, 10) {
			require.NoError(t, b.AddLines(t.Context(), acme, lines(batch...)))
		}
	}
	counted := feed.Counts{
		feed.CountRequests: 232, feed.CountRefused: 1, feed.CountBroken: 1,
		"route.GET /openbanking/v1/accounts": 232, "failedRoute.GET /openbanking/v1/accounts": 2,
	}
	assert.Equal(t, counted, b.overview(acme, feed.Day))
	assert.Equal(t, counted, b.overview(acme, feed.Month))
	assert.Empty(t, b.overview(other, feed.Day))

	var listed []feed.Request
	for position, pages := "", 0; ; pages++ {
		page, next, err := b.Requests(t.Context(), acme, false, 50, position)
		require.NoError(t, err)
		listed = append(listed, page...)
		if position = next; next == "" {
			assert.Equal(t, 4, pages)
			break
		}
	}
	require.Len(t, listed, 232)
	for i, r := range listed {
		assert.Equal(t, all[231-i].RequestID, r.RequestID)
	}
	want := all[231]
	want.Source = ""
	assert.Equal(t, want, listed[0])

	failed, next, err := b.Requests(t.Context(), acme, true, 50, "")
	require.NoError(t, err)
	assert.Empty(t, next)
	assert.Len(t, failed, 2)
	none, _, err := b.Requests(t.Context(), other, false, 50, "")
	require.NoError(t, err)
	assert.Empty(t, none)
}

func TestOfManyRequestsASampleIsKept(t *testing.T) {
	b := newBench(t)
	many := append(requests(300, 200), request(300, 500), request(301, 404))
	require.NoError(t, b.AddLines(t.Context(), acme, lines(many...)))
	assert.Equal(t, 302, b.overview(acme, feed.Day)[feed.CountRequests])
	kept, _, err := b.Requests(t.Context(), acme, false, 100, "")
	require.NoError(t, err)
	assert.Len(t, kept, 12, "those that failed, and ten others")
	failed := requests(302, 500)
	failed[0].ID = "more than a transaction takes"
	require.NoError(t, b.AddLines(t.Context(), acme, lines(failed...)))
	assert.Equal(t, 303, b.overview(acme, feed.Day)[feed.CountBroken])
}

func TestRequestsExpire(t *testing.T) {
	b := newBench(t)
	require.NoError(t, b.AddLines(t.Context(), acme, lines(request(0, 200), request(1, 404))))
	count := func() int {
		page, _, err := b.Requests(t.Context(), acme, false, 10, "")
		require.NoError(t, err)
		return len(page)
	}
	assert.Equal(t, 2, count())
	b.clock = now().Add(24*time.Hour + time.Second)
	assert.Equal(t, 1, count(), "the failed one stays a week")
	b.clock = now().Add(7*24*time.Hour + 2*time.Second)
	assert.Zero(t, count())
	assert.Equal(t, 2, b.overview(acme, feed.Month)[feed.CountRequests], "counts stay a month")
	b.clock = now().Add(30 * 24 * time.Hour)
	assert.Zero(t, b.overview(acme, feed.Month)[feed.CountRequests])
}

func TestOverviewHasItsHoursAndDays(t *testing.T) {
	b := newBench(t)
	for _, before := range []time.Duration{0, time.Hour, 23 * time.Hour, 24 * time.Hour, 29 * 24 * time.Hour, 30 * 24 * time.Hour} {
		r := request(0, 200)
		r.At, r.ID = clock.Real(now().Add(-before)), before.String()
		require.NoError(t, b.AddLines(t.Context(), acme, lines(r)))
	}
	day, err := b.Overview(t.Context(), acme, feed.Day)
	require.NoError(t, err)
	require.Len(t, day, 24)
	assert.Equal(t, now().Truncate(time.Hour), day[23].At)
	for i, p := range day {
		assert.Equal(t, i == 0 || i >= 22, p.Counts[feed.CountRequests] == 1, i)
	}
	month, err := b.Overview(t.Context(), acme, feed.Month)
	require.NoError(t, err)
	require.Len(t, month, 30)
	assert.Equal(t, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), month[29].At)
	assert.Equal(t, 2, month[29].Counts[feed.CountRequests])
	assert.Equal(t, 2, month[28].Counts[feed.CountRequests])
	assert.Equal(t, 1, month[0].Counts[feed.CountRequests])
	assert.Equal(t, 5, month.Total()[feed.CountRequests])
}

func TestEventsAreATimelineAndCountedOnce(t *testing.T) {
	b := newBench(t)
	var all []feed.Event
	for i, kind := range []string{
		"connection.activated", "connection.refreshed", "cancellation.created", "cancellation.sent", "connection.expired",
	} {
		all = append(all, occurred(fmt.Sprint("e", i), kind, now().Add(time.Duration(i)*time.Hour)))
	}
	simulated := occurred("s", "cancellation.sent", now().Add(-time.Hour))
	simulated.IsSimulated = true
	ping := feed.Event{
		ID: "p", Type: "webhook.ping", OccurredAt: clock.OfUser(now()), SeenAt: clock.Real(now()), IsSimulated: true, Data: "{}",
	}
	all = append(all, simulated, ping)
	for range 3 {
		require.NoError(t, b.AddEvents(t.Context(), acme, shuffled(all)))
	}
	assert.Equal(t, feed.Counts{
		"letters.Created": 1, "letters.Sent": 1, "connections.Active": 1, "connections.Expired": 1,
	}, b.overview(acme, feed.Day))

	first, next, err := b.Timeline(t.Context(), erika(), 4, "")
	require.NoError(t, err)
	second, end, err := b.Timeline(t.Context(), erika(), 4, next)
	require.NoError(t, err)
	assert.Empty(t, end)
	assert.Equal(t, []feed.Event{all[4], all[3], all[2], all[1], all[0], simulated}, append(first, second...))
	none, _, err := b.Timeline(t.Context(), owner.User{Partner: other, ID: erika().ID}, 4, "")
	require.NoError(t, err)
	assert.Empty(t, none)

	e, err := b.Event(t.Context(), acme, "p")
	require.NoError(t, err)
	assert.Equal(t, ping, e)
	_, err = b.Event(t.Context(), other, "p")
	require.ErrorIs(t, err, outcome.ErrNotFound)
	b.clock = now().Add(30*24*time.Hour + time.Second)
	_, err = b.Event(t.Context(), acme, "p")
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

func TestTraceHasRequestsAndEvents(t *testing.T) {
	b := newBench(t)
	r := request(0, 201)
	r.TraceID = traced // the client's
	e := occurred("e", "cancellation.created", now())
	require.NoError(t, b.AddLines(t.Context(), acme, lines(r)))
	require.NoError(t, b.AddEvents(t.Context(), acme, []feed.Event{e}))
	r.Source = ""
	found, err := b.Trace(t.Context(), acme, traced)
	require.NoError(t, err)
	assert.Equal(t, feed.Trace{Requests: []feed.Request{r}, Events: []feed.Event{e}}, found)
	own := request(1, 404)
	own.RequestID, own.TraceID = "AAAAAAAA-0000-4000-8000-000000000001", "aaaaaaaa000040008000000000000001"
	require.NoError(t, b.AddLines(t.Context(), acme, lines(own)))
	for id, want := range map[string]feed.Request{traced: r, r.RequestID: r, own.RequestID: own, own.TraceID: own} {
		found, err := b.Find(t.Context(), acme, id)
		require.NoError(t, err, id)
		want.Source = ""
		assert.Equal(t, []feed.Request{want}, found.Requests, id)
		_, err = b.Find(t.Context(), other, id)
		require.ErrorIs(t, err, outcome.ErrNotFound)
	}
	_, err = b.Find(t.Context(), acme, "none")
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

func TestCallbacksAreCountedByOutcome(t *testing.T) {
	b := newBench(t)
	outcomes := map[string]int{"HttpError": 1, "Timeout": 20, "Acknowledged": 300}
	for range 3 {
		require.NoError(t, b.AddLines(t.Context(), acme, feed.Lines{ID: "l", Source: "s", At: clock.Real(now()), Callbacks: outcomes}))
	}
	assert.Equal(t, feed.Counts(outcomes), b.overview(acme, feed.Day).Of(feed.CountCallbacks))
}

// What visitors put into addresses may be longer than a key can be.
func TestLongIDsFindNothing(t *testing.T) {
	b := newBench(t)
	long := strings.Repeat("x", 3000)
	_, err := b.Find(t.Context(), acme, long)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	_, err = b.Event(t.Context(), acme, long)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	_, _, err = b.Requests(t.Context(), acme, false, 10, long)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	_, _, err = b.Timeline(t.Context(), erika(), 10, long)
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

// A partition that takes no more is an error, so that the record comes again; nothing is
// counted twice then.
func TestThrottledRecordsComeAgain(t *testing.T) {
	b := newBench(t)
	b.refuse = 1
	err := b.AddLines(t.Context(), acme, lines(requests(150, 200)...))
	require.True(t, dynamo.Throttled(err), err)
	require.NoError(t, b.AddLines(t.Context(), acme, lines(requests(150, 200)...)))
	assert.Equal(t, 150, b.overview(acme, feed.Day)[feed.CountRequests])
}

func TestManyFeedsAtOnce(t *testing.T) {
	b := newBench(t)
	done := make(chan error)
	for range 4 {
		go func() { done <- b.AddLines(context.Background(), acme, lines(requests(60, 200)...)) }()
	}
	var failed error
	for range 4 {
		failed = errors.Join(failed, <-done)
	}
	require.NoError(t, failed)
	assert.Equal(t, 60, b.overview(acme, feed.Day)[feed.CountRequests])
}

func TestNothingOfAnErasedUserStays(t *testing.T) {
	b := newBench(t)
	max := owner.User{Partner: acme, ID: "22222222-2222-4222-8222-222222222222"}
	b.user(max)
	ofMax := occurred("m", "cancellation.sent", now())
	ofMax.User = max.ID
	both := []feed.Event{occurred("e1", "cancellation.created", now()), ofMax}
	require.NoError(t, b.AddEvents(t.Context(), acme, both))

	eraser := consoledb.NewEraser(b.db, b.table)
	b.gone(erika())
	for range 2 {
		done, err := eraser.Erase(t.Context(), erika())
		require.NoError(t, err)
		assert.True(t, done)
	}
	assert.Zero(t, b.rows(erika().Key()))
	assert.Equal(t, 1, b.rows(max.Key()))

	late := occurred("e2", "cancellation.sent", now())
	for range 2 { // the second time it finds no row, and writes it again
		require.NoError(t, b.AddEvents(t.Context(), acme, append(both, late)))
		assert.Zero(t, b.rows(erika().Key()), "an event that comes late is deleted again")
	}
	assert.Equal(t, 1, b.rows(max.Key()))
	_, err := b.Event(t.Context(), acme, "e2")
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

// Whatever happens to whomever is in one list, in the order in which it was seen.
func TestEventsOfAllUsers(t *testing.T) {
	b := newBench(t)
	var events []feed.Event
	for i, kind := range []string{"connection.expired", "connection.refreshed", "cancellation.sent", "webhook.ping"} {
		e := occurred(fmt.Sprint("e", i), kind, now().AddDate(i, 0, 0)) // by a clock that was moved
		e.SeenAt = clock.Real(now().Add(-time.Duration(i) * time.Minute))
		events = append(events, e)
	}
	events[3].User = ""
	require.NoError(t, b.AddEvents(t.Context(), acme, events))
	ids := func(routine bool, limit int, position string) (ids []string, next string) {
		page, next, err := b.Events(t.Context(), acme, routine, limit, position)
		require.NoError(t, err)
		for _, e := range page {
			ids = append(ids, e.ID)
		}
		return ids, next
	}
	all, next := ids(true, 10, "")
	assert.Equal(t, []string{"e0", "e1", "e2", "e3"}, all)
	assert.Empty(t, next)
	first, next := ids(false, 2, "")
	assert.Equal(t, []string{"e0", "e2"}, first)
	rest, _ := ids(false, 2, next)
	assert.Equal(t, []string{"e3"}, rest)
	none, _ := ids(true, 10, "2026-03-02")
	assert.Empty(t, none, "before that day")
	require.NoError(t, dynamo.NewTable(b.db, b.table).DeletePartition(t.Context(), erika().Key()))
	left, _ := ids(true, 10, "")
	assert.Equal(t, []string{"e3"}, left, "an erasure empties the list, too")
}
