package consoledb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// sample is how many successful requests are kept of those that arrived together.
const sample = 10

// AddLines implements feed.Store. A row per batch of lines prevents counting them twice.
func (s *Store) AddLines(ctx context.Context, partner owner.PartnerID, l feed.Lines) error {
	var x dynamo.Transaction
	expires := dynamo.Expiry(l.At.Add(keepRequest).Time())
	x.Put(s.table, linesKey(partner, l), dynamo.Item{"expiresAt": dynamo.N(expires)}, dynamo.IfNew)
	counts := feed.Counts{}
	for outcome, n := range l.Callbacks {
		counts[feed.CountCallbacks+outcome] = n
	}
	well, kept := 0, 0
	for _, r := range l.Requests {
		counts[feed.CountRequests]++
		counts[feed.CountRoute+r.Route]++
		if r.Failed() {
			counts[feed.CountFailedRoute+r.Route]++
		}
		switch {
		case r.Status >= 500:
			counts[feed.CountBroken]++
		case r.Failed():
			counts[feed.CountRefused]++
		default:
			well++
		}
		if (r.Failed() || well <= sample) && kept < dynamo.MaxTransaction-2 {
			x.Put(s.table, requestKey(partner, r), toRequestRow(partner, r))
			kept++
		}
	}
	s.count(&x, partner, l.At.Time().UTC().Truncate(time.Hour), l.Source, counts)
	err := x.Commit(ctx)
	if dynamo.Refused(err, 0) { // they were already counted
		return nil
	}
	return err
}

// AddEvents implements feed.Store. Afterwards it deletes the events of erased users. An erasure starts by deleting
// the user's row. So either AddEvents finds no row, or the erasure starts later and finds the events. A check in the
// transaction would conflict with writes of the user's data.
func (s *Store) AddEvents(ctx context.Context, partner owner.PartnerID, events []feed.Event) error {
	hours := map[time.Time][]feed.Event{}
	byUser := map[dynamo.Key][]dynamo.Key{}
	seen := map[dynamo.Key]bool{}
	for _, e := range events {
		key := eventKey(partner, e)
		if seen[key] { // a transaction may write a row only once
			continue
		}
		seen[key] = true
		hour := e.SeenAt.Time().UTC().Truncate(time.Hour)
		hours[hour] = append(hours[hour], e)
		if e.User != "" {
			user := dynamo.UserKey(owner.User{Partner: partner, ID: e.User})
			byUser[user] = append(byUser[user], key)
		}
	}
	var failed error
	for hour, all := range hours {
		for chunk := range slices.Chunk(all, dynamo.MaxTransaction-1) {
			failed = errors.Join(failed, s.commit(ctx, partner, hour, chunk))
		}
	}
	if failed != nil || len(byUser) == 0 {
		return failed
	}
	users, err := s.identity.Rows(ctx, slices.Collect(maps.Keys(byUser)), dynamo.Attributes("pk, sk"))
	if err != nil {
		return fmt.Errorf("read users: %w", err)
	}
	for _, user := range users {
		delete(byUser, dynamo.KeyOf(user))
	}
	return s.table.DeleteAll(ctx, slices.Concat(slices.Collect(maps.Values(byUser))...)...)
}

// commit writes the new events and counts them in one transaction. A row shows that its event is counted. Events that
// are not counted are written for half the price.
func (s *Store) commit(ctx context.Context, partner owner.PartnerID, hour time.Time, events []feed.Event) error {
	for len(events) > 0 {
		var x dynamo.Transaction
		counts, rows := feed.Counts{}, map[dynamo.Key]any{}
		for _, e := range events {
			rows[eventKey(partner, e)] = toEventRow(partner, e)
			x.Put(s.table, eventKey(partner, e), toEventRow(partner, e), dynamo.IfNew)
			counter, state := feed.Entered(e.Type)
			if state != "" && !e.IsSimulated { // a simulated event has not happened
				counts[counter+state]++
			}
		}
		if len(counts) == 0 {
			return s.table.PutAll(ctx, rows)
		}
		s.count(&x, partner, hour, eventKey(partner, events[0]).PK, counts)
		err := x.Commit(ctx)
		if !errors.Is(err, outcome.ErrChanged) {
			return err
		}
		var left []feed.Event
		for i, e := range events {
			if !dynamo.Refused(err, i) {
				left = append(left, e)
			}
		}
		events = left
	}
	return nil
}

// count adds to an hour's counters in a transaction. Counters of one source share a row.
func (s *Store) count(
	x *dynamo.Transaction, partner owner.PartnerID, hour time.Time, source string, counts feed.Counts,
) {
	var terms []string
	var args []any
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		terms = append(terms, "? ?")
		args = append(args, dynamo.Name(name), counts[name])
	}
	args = append(args, dynamo.Expiry(hour.Add(keepHistory+time.Hour)))
	x.Update(s.table, countsKey(partner, hour, dynamo.Shard(source, shards)),
		dynamo.Expr("ADD "+strings.Join(terms, ", ")+" SET expiresAt = ?", args...))
}
