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
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// entry is a row and what it counts as, in the hour of at.
type entry struct {
	key    dynamo.Key
	row    any
	at     time.Time
	counts []string
}

// The names of counters in a row of counts. Those with a dot are followed by a value.
const (
	countRequests    = "requests"
	countRoute       = "route."
	countFailedRoute = "failedRoute."
	countRefused     = "refused"
	countBroken      = "broken"
	countCallbacks   = "callbacks."
	countLetters     = "letters."
	countConnections = "connections."
)

// sample is how many requests that went well are kept of those that came together.
const sample = 10

// AddLines implements feed.Store. The row of the lines says that they are counted.
func (s *Store) AddLines(ctx context.Context, partner owner.PartnerID, l feed.Lines) error {
	var x dynamo.Transaction
	expires := dynamo.Expiry(l.At.Add(keepRequest).Time())
	x.Put(s.table, linesKey(partner, l), struct {
		ExpiresAt int64 `dynamodbav:"expiresAt"`
	}{expires}, dynamo.IfNew)
	counts := map[string]int{}
	for outcome, n := range l.Callbacks {
		counts[countCallbacks+outcome] = n
	}
	well, kept := 0, 0
	for _, r := range l.Requests {
		counts[countRequests]++
		counts[countRoute+r.Route]++
		if r.Failed() {
			counts[countFailedRoute+r.Route]++
		}
		switch {
		case r.Status >= 500:
			counts[countBroken]++
		case r.Failed():
			counts[countRefused]++
		default:
			well++
		}
		if (r.Failed() || well <= sample) && kept < dynamo.MaxTransaction-2 {
			x.Put(s.table, requestKey(partner, r), toRequestRow(partner, r))
			kept++
		}
	}
	hour := l.At.Time().UTC().Truncate(time.Hour)
	x.Update(s.table, countsKey(partner, hour, dynamo.Shard(l.Source, shards)), increase(counts, hour.Add(keepHistory+time.Hour)))
	err := x.Commit(ctx)
	if dynamo.Refused(err, 0) { // they came before
		return nil
	}
	return err
}

// AddEvents implements feed.Store. It deletes what it wrote for users who are gone: the call
// that erases a user deletes the user's row before anything else. So either this finds no
// row, or the erasure, which begins later, finds the events. A check in the transaction would
// be in the way of those that change the user's data.
func (s *Store) AddEvents(ctx context.Context, partner owner.PartnerID, events []feed.Event) error {
	entries := make([]entry, len(events))
	byUser := map[dynamo.Key][]dynamo.Key{}
	for i, e := range events {
		var counts []string
		if connection, letter := feed.Entered(e.Type); e.IsSimulated {
			counts = nil // nothing has happened
		} else if connection != "" {
			counts = []string{countConnections + connection}
		} else if letter != "" {
			counts = []string{countLetters + letter}
		}
		entries[i] = entry{eventKey(partner, e), toEventRow(partner, e), e.SeenAt.Time(), counts}
		if e.User != "" {
			user := dynamo.UserKey(owner.User{Partner: partner, ID: e.User})
			byUser[user] = append(byUser[user], entries[i].key)
		}
	}
	if err := s.add(ctx, partner, entries); err != nil || len(byUser) == 0 {
		return err
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

// add writes the new ones of the rows and counts them. A row and its count are one
// transaction: the row says that it is counted.
func (s *Store) add(ctx context.Context, partner owner.PartnerID, entries []entry) error {
	hours := map[time.Time][]entry{}
	seen := map[dynamo.Key]bool{}
	for _, e := range entries {
		if seen[e.key] { // a transaction may have a row only once
			continue
		}
		seen[e.key] = true
		hour := e.at.UTC().Truncate(time.Hour)
		hours[hour] = append(hours[hour], e)
	}
	var failed error
	for hour, all := range hours {
		for chunk := range slices.Chunk(all, dynamo.MaxTransaction-1) {
			failed = errors.Join(failed, s.commit(ctx, partner, hour, chunk))
		}
	}
	return failed
}

func (s *Store) commit(ctx context.Context, partner owner.PartnerID, hour time.Time, entries []entry) error {
	for len(entries) > 0 {
		var x dynamo.Transaction
		counts := map[string]int{}
		for _, e := range entries {
			x.Put(s.table, e.key, e.row, dynamo.IfNew)
			for _, name := range e.counts {
				counts[name]++
			}
		}
		if len(counts) > 0 {
			shard := dynamo.Shard(entries[0].key.PK, shards)
			x.Update(s.table, countsKey(partner, hour, shard), increase(counts, hour.Add(keepHistory+time.Hour)))
		}
		err := x.Commit(ctx)
		if !errors.Is(err, outcome.ErrChanged) {
			return err
		}
		var left []entry
		for i, e := range entries {
			if !dynamo.Refused(err, i) {
				left = append(left, e)
			}
		}
		entries = left
	}
	return nil
}

// increase returns the update that adds to counters.
func increase(counts map[string]int, expires time.Time) dynamo.Expression {
	var terms []string
	var args []any
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		terms = append(terms, "? ?")
		args = append(args, dynamo.Name(name), counts[name])
	}
	args = append(args, dynamo.Expiry(expires))
	return dynamo.Expr("ADD "+strings.Join(terms, ", ")+" SET expiresAt = ?", args...)
}
