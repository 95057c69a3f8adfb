package consoledb

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/observe"
)

// Requests reads a page of a partner's requests, or of the failed ones, newest first. The
// position is where the page before ended; "" is the start.
func (s *Store) Requests(
	ctx context.Context, partner owner.PartnerID, onlyFailed bool, limit int, position string,
) ([]feed.Request, string, error) {
	var partitions []string
	for shard := range shards {
		partitions = append(partitions, requestPartition(partner, true, shard))
		if !onlyFailed {
			partitions = append(partitions, requestPartition(partner, false, shard))
		}
	}
	return newest(ctx, s, dynamo.Query{}, partitions, requestPrefix, limit, position, requestRow.request)
}

// Events reads a page of the events of all users, the last seen first, with or without the
// routine ones.
func (s *Store) Events(
	ctx context.Context, partner owner.PartnerID, routine bool, limit int, position string,
) ([]feed.Event, string, error) {
	var partitions []string
	for shard := range shards {
		partitions = append(partitions, listPartition(partner, false, shard))
		if routine {
			partitions = append(partitions, listPartition(partner, true, shard))
		}
	}
	return newest(ctx, s, dynamo.Query{Index: byTime()}, partitions, "", limit, position, listedRow.event)
}

// newest merges a page of each partition, and returns where the next page goes on.
func newest[R positioned, T any](
	ctx context.Context, s *Store, q dynamo.Query, partitions []string, prefix string, limit int, position string,
	convert func(R) T,
) (page []T, next string, err error) {
	found := make([][]R, len(partitions))
	var reading errgroup.Group
	for i, pk := range partitions {
		reading.Go(func() (err error) {
			q := q
			q.Partition = pk
			found[i], err = rowsOf[R](ctx, s, q, prefix, limit+1, position)
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return nil, "", err
	}
	rows := slices.Concat(found...)
	slices.SortFunc(rows, func(a, b R) int { return cmp.Compare(b.position(), a.position()) })
	if len(rows) > limit {
		rows, next = rows[:limit], rows[limit-1].position()
	}
	for _, r := range rows {
		page = append(page, convert(r))
	}
	return page, next, nil
}

// maxID is longer than any ID or position, and shorter than what DynamoDB takes as a key. IDs
// come from visitors.
const maxID = 200

// Find is Trace by the ID of a trace or of a request, which problem documents have as traceId.
func (s *Store) Find(ctx context.Context, partner owner.PartnerID, id string) (feed.Trace, error) {
	if len(id) > maxID {
		return feed.Trace{}, outcome.ErrNotFound
	}
	if t, err := s.Trace(ctx, partner, id); !errors.Is(err, outcome.ErrNotFound) {
		return t, err
	}
	if t, err := s.Trace(ctx, partner, string(observe.TraceOf(id))); !errors.Is(err, outcome.ErrNotFound) {
		return t, err
	}
	found, err := s.table.Page(ctx, dynamo.Query{
		Index: byID(), Partition: requestIDKey(partner, id), Descending: true, Limit: 1,
	})
	if err != nil {
		return feed.Trace{}, err
	}
	if len(found.Items) == 0 {
		return feed.Trace{}, outcome.ErrNotFound
	}
	r, err := dynamo.Decode[requestRow](found.Items[0])
	if err != nil {
		return feed.Trace{}, err
	}
	return s.Trace(ctx, partner, r.TraceID)
}

// maxTrace is how much of a trace is read. Usually it is one request and its events.
const maxTrace = 100

// Trace reads what belongs to a trace ID, the oldest first. It returns outcome.ErrNotFound if
// there is nothing.
func (s *Store) Trace(ctx context.Context, partner owner.PartnerID, traceID string) (feed.Trace, error) {
	found, err := s.table.Page(ctx, dynamo.Query{
		Index: byTrace(), Partition: tracePartition(partner, traceID), Limit: maxTrace,
	})
	if err != nil {
		return feed.Trace{}, err
	}
	var t feed.Trace
	for _, row := range found.Items {
		switch {
		case s.expired(row):
		case strings.HasPrefix(dynamo.KeyOf(row).SK, requestPrefix):
			r, err := dynamo.Decode[requestRow](row)
			if err != nil {
				return feed.Trace{}, err
			}
			t.Requests = append(t.Requests, r.request())
		default:
			r, err := dynamo.Decode[eventRow](row)
			if err != nil {
				return feed.Trace{}, err
			}
			t.Events = append(t.Events, r.event())
		}
	}
	if len(t.Requests)+len(t.Events) == 0 {
		return feed.Trace{}, outcome.ErrNotFound
	}
	return t, nil
}

// Timeline reads a page of the events about a user, the newest in the user's time first.
func (s *Store) Timeline(
	ctx context.Context, user owner.User, limit int, position string,
) ([]feed.Event, string, error) {
	return newest(ctx, s, dynamo.Query{}, []string{user.Key()}, eventPrefix, limit, position, eventRow.event)
}

// Event reads an event. It returns outcome.ErrNotFound if it is gone.
func (s *Store) Event(ctx context.Context, partner owner.PartnerID, id string) (feed.Event, error) {
	if len(id) > maxID {
		return feed.Event{}, outcome.ErrNotFound
	}
	found, err := s.table.Page(ctx, dynamo.Query{Index: byID(), Partition: eventPartition(partner, id), Limit: 1})
	if err != nil {
		return feed.Event{}, err
	}
	if len(found.Items) == 0 || s.expired(found.Items[0]) {
		return feed.Event{}, outcome.ErrNotFound
	}
	r, err := dynamo.Decode[eventRow](found.Items[0])
	return r.event(), err
}

// positioned is a row that a page may end with.
type positioned interface{ position() string }

// rowsOf reads rows whose sort key begins with prefix, backwards from the position.
func rowsOf[R positioned](
	ctx context.Context, s *Store, q dynamo.Query, prefix string, limit int, position string,
) ([]R, error) {
	if len(position) > maxID {
		return nil, outcome.ErrNotFound
	}
	before := prefix + cmp.Or(position, afterAny)
	q.Sort, q.Descending, q.Eventual, q.Limit = dynamo.Between(cmp.Or(prefix, beforeAny), before), true, true, limit+1
	found, err := s.table.Page(ctx, q)
	if err != nil {
		return nil, err
	}
	var rows []R
	for _, row := range found.Items {
		if s.expired(row) {
			continue
		}
		r, err := dynamo.Decode[R](row)
		if err != nil {
			return nil, err
		}
		if r.position() != position { // BETWEEN includes its ends
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// expired reports whether a row is only there because DynamoDB deletes late.
func (s *Store) expired(row dynamo.Item) bool {
	r, err := dynamo.Decode[struct {
		ExpiresAt int64 `dynamodbav:"expiresAt"`
	}](row)
	return err != nil || r.ExpiresAt <= dynamo.Expiry(s.now())
}

// Overview reads what was counted for a partner in a window. The last point is the hour or
// day that is still running.
func (s *Store) Overview(ctx context.Context, partner owner.PartnerID, window feed.Window) (feed.Overview, error) {
	points, step := 24, time.Hour
	if window == feed.Month {
		points, step = 30, 24*time.Hour
	}
	last := s.now().UTC().Truncate(step)
	o := feed.Overview{Points: make([]feed.Point, points)}
	for i := range o.Points {
		o.Points[i].At = last.Add(time.Duration(i+1-points) * step)
	}
	first := o.Points[0].At
	from := countsKey(partner, first, 0)
	rows := s.table.Query(ctx, dynamo.Query{
		Partition: from.PK, Sort: dynamo.Between(from.SK, last.Add(step).Format(hourLayout)), Eventual: true,
	})
	for row, err := range rows {
		if err != nil {
			return feed.Overview{}, err
		}
		hour, _, _ := strings.Cut(dynamo.KeyOf(row).SK, "#")
		at, err := time.Parse(hourLayout, hour)
		if err != nil {
			return feed.Overview{}, err
		}
		if i := int(at.Sub(first) / step); i < points {
			t, err := tally(row)
			if err != nil {
				return feed.Overview{}, err
			}
			o.Points[i].Add(t)
		}
	}
	return o, nil
}

// tally reads a row of counts.
func tally(row dynamo.Item) (feed.Tally, error) {
	counts, err := dynamo.Numbers(row)
	t := feed.Tally{
		Requests: int(counts[countRequests]), Refused: int(counts[countRefused]), Broken: int(counts[countBroken]),
		Callbacks: map[string]int{}, Letters: map[string]int{}, Connections: map[string]int{},
		Routes: map[string]int{}, FailedRoutes: map[string]int{},
	}
	byPrefix := map[string]map[string]int{
		countCallbacks: t.Callbacks, countLetters: t.Letters, countConnections: t.Connections,
		countRoute: t.Routes, countFailedRoute: t.FailedRoutes,
	}
	for name, count := range counts {
		for prefix, all := range byPrefix {
			if value, ok := strings.CutPrefix(name, prefix); ok {
				all[value] = int(count)
			}
		}
	}
	return t, err
}
