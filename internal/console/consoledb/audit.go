package consoledb

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
)

// auditYear is how long the audit log is kept.
const auditYear = 365 * 24 * time.Hour

type auditRow struct {
	dynamo.Key
	feed.Entry
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// Begin implements console.Audit.
func (s *Store) Begin(ctx context.Context, partner owner.PartnerID, e feed.Entry) error {
	row := auditRow{Entry: e, ExpiresAt: dynamo.Expiry(e.At.Add(auditYear))}
	return s.table.Put(ctx, auditKey(partner, e.ID), row, dynamo.IfNew)
}

// End implements console.Audit.
func (s *Store) End(ctx context.Context, partner owner.PartnerID, id string, result feed.Result, detail string) error {
	change := dynamo.Expr("SET #result = ?, detail = ?", string(result), detail)
	_, err := s.table.Update(ctx, auditKey(partner, id), change, dynamo.IfExists)
	return err
}

// Entries implements console.Audit.
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
		r, err := dynamo.Decode[auditRow](row)
		if err != nil {
			return nil, err
		}
		entries[i] = r.Entry
		entries[i].ID = r.SK
	}
	return entries, nil
}
