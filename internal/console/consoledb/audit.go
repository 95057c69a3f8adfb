package consoledb

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/console"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
)

// auditYear is how long the audit log is kept.
const auditYear = 365 * 24 * time.Hour

type auditRow struct {
	dynamo.Key
	console.Entry
	Role      string `dynamodbav:"role"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

// Begin implements console.Audit.
func (s *Store) Begin(ctx context.Context, partner owner.PartnerID, e console.Entry) error {
	return s.table.Put(ctx, auditKey(partner, e.ID), auditRow{
		Entry: e, Role: e.Role.String(), ExpiresAt: dynamo.Expiry(e.At.Add(auditYear)),
	}, dynamo.IfNew)
}

// End implements console.Audit.
func (s *Store) End(
	ctx context.Context, partner owner.PartnerID, id string, result console.Result, detail string,
) error {
	change := dynamo.Expr("SET #result = ?, detail = ?", string(result), detail)
	_, err := s.table.Update(ctx, auditKey(partner, id), change, dynamo.IfExists)
	return err
}

// Entries implements console.Audit.
func (s *Store) Entries(
	ctx context.Context, partner owner.PartnerID, before string, limit int,
) ([]console.Entry, error) {
	q := dynamo.Query{Partition: auditKey(partner, "").PK, Descending: true, Limit: limit}
	if before != "" {
		q.Sort = dynamo.Before(before)
	}
	page, err := s.table.Page(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("read audit log: %w", err)
	}
	var entries []console.Entry
	for _, row := range page.Items {
		r, err := dynamo.Decode[auditRow](row)
		if err != nil {
			return nil, err
		}
		r.ID = r.SK
		r.Entry.Role, _ = console.ParseRole(r.Role)
		entries = append(entries, r.Entry)
	}
	return entries, nil
}
