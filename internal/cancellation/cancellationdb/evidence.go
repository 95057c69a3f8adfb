package cancellationdb

import (
	"context"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
)

// ReceivedDocuments reads the documents of a cancellation.
func (s *Store) ReceivedDocuments(
	ctx context.Context, user owner.User, id string,
) (map[evidence.Digest]cancellation.Received, error) {
	all := map[evidence.Digest]cancellation.Received{}
	for r, err := range dynamo.Each[cancellation.Received](s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Sort: dynamo.Prefix(receivedPrefix + id + "#"),
	})) {
		if err != nil {
			return nil, err
		}
		all[evidence.Of(r.Body)] = r
	}
	return all, nil
}

// SignedEvidence reads the evidence that was signed last.
func (s *Store) SignedEvidence(
	ctx context.Context, user owner.User, id string,
) (cancellation.SignedEvidence, error) {
	return dynamo.Get[cancellation.SignedEvidence](ctx, s.table, evidenceKey(user, id))
}

// SaveEvidence replaces the row if it still has the version that e was read as.
func (s *Store) SaveEvidence(
	ctx context.Context, user owner.User, id string, e cancellation.SignedEvidence,
) error {
	unchanged := dynamo.IfNew
	if e.Version > 0 {
		unchanged = dynamo.Expr("version = ?", e.Version)
	}
	var x dynamo.Transaction
	e.Version++
	x.Put(s.table, evidenceKey(user, id), e, unchanged)
	return s.users.Commit(ctx, &x, user)
}
