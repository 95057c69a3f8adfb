package consoledb

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// auditYear is how long the audit log is kept.
const auditYear = 365 * 24 * time.Hour

// Begin implements console.Store.
func (s *Store) Begin(ctx context.Context, partner owner.PartnerID, e feed.Entry) error {
	return s.table.Put(ctx, auditKey(partner, e.ID), struct {
		feed.Entry
		ExpiresAt int64 `dynamodbav:"expiresAt"`
	}{e, dynamo.Expiry(e.At.Add(auditYear))}, dynamo.IfNew)
}

// End implements console.Store.
func (s *Store) End(ctx context.Context, partner owner.PartnerID, id string, result feed.Result, detail string) error {
	change := dynamo.Expr("SET #result = ?, detail = ?", string(result), detail)
	_, err := s.table.Update(ctx, auditKey(partner, id), change, dynamo.IfExists)
	return err
}

// Entries implements console.Store.
func (s *Store) Entries(ctx context.Context, partner owner.PartnerID, before string, limit int) ([]feed.Entry, error) {
	q := dynamo.Query{Partition: auditKey(partner, "").PK, Descending: true, Limit: limit}
	if before != "" {
		q.Sort = dynamo.Before(before)
	}
	page, err := s.table.Page(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("read audit log: %w", err)
	}
	entries := make([]feed.Entry, len(page.Items))
	for i, row := range page.Items {
		if entries[i], err = dynamo.Decode[feed.Entry](row); err != nil {
			return nil, err
		}
		entries[i].ID = dynamo.KeyOf(row).SK
	}
	return entries, nil
}
