package cancellationdb

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/request"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// maxListQueries is the maximum number of queries for a page. If a filter skips too
// many rows, the page is short and the next one continues.
const maxListQueries = 2

// Cancellations reads a page, newest first, and continues after the ID in position.
// It filters the rows after reading them, because users have few.
func (s *Store) Cancellations(
	ctx context.Context, user owner.User, f request.Filter, limit int, position string,
) ([]cancellation.Cancellation, string, error) {
	if f.ExternalID != "" {
		page, err := s.named(ctx, user, f)
		return page, "", err
	}
	before := cmp.Or(position, last)
	page := make([]cancellation.Cancellation, 0, limit)
	for range maxListQueries {
		found, err := s.table.Page(ctx, dynamo.Query{
			Partition: user.Key(), Sort: dynamo.Between(cancellationPrefix, cancellationPrefix+before),
			Descending: true, Limit: limit + 1,
		})
		if err != nil {
			return nil, "", err
		}
		for _, row := range found.Items {
			c, err := toCancellation(row)
			if err != nil {
				return nil, "", err
			}
			if c.ID == before { // Between includes its bounds
				continue
			}
			if len(page) == limit {
				return page, before, nil
			}
			before = c.ID
			if matches(c, f) {
				page = append(page, c)
			}
		}
		if len(found.Last) == 0 {
			return page, "", nil
		}
	}
	return page, before, nil
}

// named returns the one cancellation with the filter's external identifier, if that matches.
func (s *Store) named(ctx context.Context, user owner.User, f request.Filter) ([]cancellation.Cancellation, error) {
	id, _, err := s.ByExternalID(ctx, user, f.ExternalID)
	if err == nil {
		var c cancellation.Cancellation
		if c, err = s.Cancellation(ctx, user, id); err == nil && matches(c, f) {
			return []cancellation.Cancellation{c}, nil
		}
	}
	if errors.Is(err, outcome.ErrNotFound) {
		err = nil
	}
	return nil, err
}

func matches(c cancellation.Cancellation, f request.Filter) bool {
	return c.Objects == nil && (f.Status == "" || c.Status.Shown() == f.Status)
}

// DueCancellations finds the due cancellations in the index, then reads the rows.
func (s *Store) DueCancellations(
	ctx context.Context, shard int, until time.Time,
) iter.Seq2[cancellation.Cancellation, error] {
	return dynamo.Convert(s.due.Rows(ctx, s.table, dueDispatch, shard, until), toCancellation)
}

// AllCancellations reads all of a user's cancellations and objections.
func (s *Store) AllCancellations(ctx context.Context, user owner.User) ([]cancellation.Cancellation, error) {
	return dynamo.Collect(s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Sort: dynamo.Prefix(cancellationPrefix),
	}), toCancellation)
}

// DeleteCancellations deletes the pointers to all of a user's cancellations,
// then the user's partition.
func (s *Store) DeleteCancellations(ctx context.Context, user owner.User, all []cancellation.Cancellation) error {
	var keys []dynamo.Key
	for _, c := range all {
		keys = append(keys, ownerKey(c.ID))
		if c.ReplyAddress != "" {
			keys = append(keys, addressKey(c.ReplyAddress))
		}
		for _, l := range c.AtCarriers {
			keys = append(keys, referenceKey(l.Channel, l.Reference))
		}
	}
	if err := s.table.DeleteAll(ctx, keys...); err != nil {
		return err
	}
	return s.table.DeletePartition(ctx, user.Key())
}
