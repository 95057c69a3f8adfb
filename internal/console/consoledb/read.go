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
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Requests reads a page of a partner's requests, or of the failed ones, newest first. position is the end of the
// previous page, or "".
func (s *Store) Requests(
	ctx context.Context, partner owner.PartnerID, onlyFailed bool, limit int, position string,
) ([]feed.Request, string, error) {
	partitions := shardKeys(partner, failed)
	if !onlyFailed {
		partitions = append(partitions, shardKeys(partner, answered)...)
	}
	return newest[feed.Request](ctx, s, dynamo.Query{}, partitions, requestPrefix, limit, position)
}

// Events reads a page of the events of all users, the last seen first. withRoutine includes the routine ones.
func (s *Store) Events(
	ctx context.Context, partner owner.PartnerID, withRoutine bool, limit int, position string,
) ([]feed.Event, string, error) {
	partitions := shardKeys(partner, listed)
	if withRoutine {
		partitions = append(partitions, shardKeys(partner, routine)...)
	}
	return newest[feed.Event](ctx, s, dynamo.Query{Index: byTime()}, partitions, "", limit, position)
}

// Timeline reads a page of a user's events, the newest in the user's time first.
func (s *Store) Timeline(
	ctx context.Context, user owner.User, limit int, position string,
) ([]feed.Event, string, error) {
	return newest[feed.Event](ctx, s, dynamo.Query{}, []string{user.Key()}, eventPrefix, limit, position)
}

// newest merges a page of each partition, and returns the position of the next page. A row's position is its sort key
// after the prefix.
func newest[T any](
	ctx context.Context, s *Store, q dynamo.Query, partitions []string, prefix string, limit int, position string,
) (page []T, next string, err error) {
	if len(position) > maxKey {
		return nil, "", outcome.ErrNotFound
	}
	positionOf := func(row dynamo.Item) string {
		return strings.TrimPrefix(dynamo.Text(row, cmp.Or(q.Index.Sort, "sk")), prefix)
	}
	q.Sort = dynamo.Between(cmp.Or(prefix, beforeAny), prefix+cmp.Or(position, afterAny))
	q.Descending, q.Eventual, q.Limit = true, true, limit+2
	found := make([][]dynamo.Item, len(partitions))
	var reading errgroup.Group
	for i, pk := range partitions {
		reading.Go(func() error {
			q := q
			q.Partition = pk
			read, err := s.table.Page(ctx, q)
			found[i] = read.Items
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return nil, "", err
	}
	rows := slices.DeleteFunc(slices.Concat(found...), func(row dynamo.Item) bool {
		return s.expired(row) || positionOf(row) == position // BETWEEN includes both ends
	})
	slices.SortFunc(rows, func(a, b dynamo.Item) int { return cmp.Compare(positionOf(b), positionOf(a)) })
	if len(rows) > limit {
		rows, next = rows[:limit], positionOf(rows[limit-1])
	}
	page = make([]T, len(rows))
	for i, row := range rows {
		if page[i], err = dynamo.Decode[T](row); err != nil {
			return nil, "", err
		}
	}
	return page, next, nil
}

// maxKey is longer than any key or position, and shorter than DynamoDB's limit. Visitors enter the IDs.
const maxKey = 1000

// Find finds a trace by its own ID or a request's ID, which problem documents call traceId.
func (s *Store) Find(ctx context.Context, partner owner.PartnerID, id string) (feed.Trace, error) {
	for _, traceID := range []string{id, string(observe.TraceOf(id))} {
		if t, err := s.Trace(ctx, partner, traceID); !errors.Is(err, outcome.ErrNotFound) {
			return t, err
		}
	}
	r, err := byTheID[feed.Request](ctx, s, requestIDKey(partner, id))
	if err != nil {
		return feed.Trace{}, err
	}
	return s.Trace(ctx, partner, r.TraceID)
}

// Event reads an event. It returns outcome.ErrNotFound if it does not exist.
func (s *Store) Event(ctx context.Context, partner owner.PartnerID, id string) (feed.Event, error) {
	return byTheID[feed.Event](ctx, s, eventIDKey(partner, id))
}

// byTheID returns the last row with a key in the index byId, or outcome.ErrNotFound.
func byTheID[T any](ctx context.Context, s *Store, key string) (none T, err error) {
	if len(key) > maxKey {
		return none, outcome.ErrNotFound
	}
	found, err := s.table.Page(ctx, dynamo.Query{Index: byID(), Partition: key, Descending: true, Limit: 1})
	if err != nil {
		return none, err
	}
	if len(found.Items) == 0 || s.expired(found.Items[0]) {
		return none, outcome.ErrNotFound
	}
	return dynamo.Decode[T](found.Items[0])
}

// maxTrace is the maximum number of rows of a trace to read. Usually a trace is one request and its events.
const maxTrace = 100

// Trace reads everything with a trace ID, the oldest first. It returns outcome.ErrNotFound if there is nothing.
func (s *Store) Trace(ctx context.Context, partner owner.PartnerID, traceID string) (t feed.Trace, err error) {
	key := traceKey(partner, traceID)
	if key == "" || len(key) > maxKey {
		return t, outcome.ErrNotFound
	}
	found, err := s.table.Page(ctx, dynamo.Query{Index: byTrace(), Partition: key, Limit: maxTrace})
	if err != nil {
		return t, err
	}
	for _, row := range found.Items {
		var r feed.Request
		var e feed.Event
		switch {
		case s.expired(row):
		case strings.HasPrefix(dynamo.KeyOf(row).SK, requestPrefix):
			r, err = dynamo.Decode[feed.Request](row)
			t.Requests = append(t.Requests, r)
		default:
			e, err = dynamo.Decode[feed.Event](row)
			t.Events = append(t.Events, e)
		}
		if err != nil {
			return feed.Trace{}, err
		}
	}
	if len(t.Requests)+len(t.Events) == 0 {
		return t, outcome.ErrNotFound
	}
	return t, nil
}

// expired reports whether a row has expired. DynamoDB deletes expired rows late.
func (s *Store) expired(row dynamo.Item) bool {
	r, err := dynamo.Decode[struct {
		ExpiresAt int64 `dynamodbav:"expiresAt"`
	}](row)
	return err != nil || r.ExpiresAt <= dynamo.Expiry(s.now())
}

// Overview reads a partner's counters in a window. The last point is the current hour or day.
func (s *Store) Overview(ctx context.Context, partner owner.PartnerID, window feed.Window) (feed.Overview, error) {
	points, step := 24, time.Hour
	if window == feed.Month {
		points, step = 30, 24*time.Hour
	}
	last := s.now().UTC().Truncate(step)
	o := make(feed.Overview, points)
	for i := range o {
		o[i] = feed.Point{At: last.Add(time.Duration(i+1-points) * step), Counts: feed.Counts{}}
	}
	from := countsKey(partner, o[0].At, 0)
	rows := s.table.Query(ctx, dynamo.Query{
		Partition: from.PK, Sort: dynamo.Between(from.SK, last.Add(step).Format(hourLayout)), Eventual: true,
	})
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		hour, _, _ := strings.Cut(dynamo.KeyOf(row).SK, "#")
		at, err := time.Parse(hourLayout, hour)
		if err != nil {
			return nil, err
		}
		for _, name := range []string{"pk", "sk", "expiresAt"} {
			delete(row, name) // all others are counters
		}
		counts, err := dynamo.Decode[feed.Counts](row)
		if err != nil {
			return nil, err
		}
		if i := int(at.Sub(o[0].At) / step); i < points {
			o[i].Counts.Add(counts)
		}
	}
	return o, nil
}
