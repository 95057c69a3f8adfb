package cancellationdb

import (
	"context"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
)

// evidenceRow is the evidence that was signed last.
type evidenceRow struct {
	Head      []byte `dynamodbav:"head"`
	Document  []byte `dynamodbav:"document"`
	Signature []byte `dynamodbav:"signature"`
	Summary   []byte `dynamodbav:"summary,omitempty"`
	Stamp     []byte `dynamodbav:"stamp,omitempty"`
	Version   int64  `dynamodbav:"version"`
}

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
	r, err := dynamo.Get[evidenceRow](ctx, s.table, evidenceKey(user, id))
	return cancellation.SignedEvidence{
		Head: toDigest(r.Head), Document: r.Document, Signature: r.Signature, Summary: r.Summary, Stamp: r.Stamp,
		Version: r.Version,
	}, err
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
	x.Put(s.table, evidenceKey(user, id), evidenceRow{
		Head: digestBytes(e.Head), Document: e.Document, Signature: e.Signature, Summary: e.Summary, Stamp: e.Stamp,
		Version: e.Version + 1,
	}, unchanged)
	return s.users.Commit(ctx, &x, user)
}
