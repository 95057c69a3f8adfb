package cancellationdb

import (
	"context"
	"fmt"
	"strings"

	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/reply"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// maxPart bounds the part of a document in one row, which may have 400 KB.
const maxPart = 380 << 10

// ByReplyToken follows the pointer from a reply address.
func (s *Store) ByReplyToken(ctx context.Context, token string) (owner.User, string, error) {
	r, err := dynamo.Get[pointerRow](ctx, s.table, addressKey(token))
	return owner.User{Partner: r.Partner, ID: r.User}, r.ID, err
}

// Replies reads the answers to a cancellation.
func (s *Store) Replies(ctx context.Context, user owner.User, cancellationID string) ([]reply.Reply, error) {
	return dynamo.Collect(s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Sort: dynamo.Prefix(replyPrefix + cancellationID + "#"),
	}), dynamo.Decode[reply.Reply])
}

// Reply reads one answer.
func (s *Store) Reply(ctx context.Context, user owner.User, cancellationID, id string) (reply.Reply, error) {
	return dynamo.Get[reply.Reply](ctx, s.table, replyKey(user, cancellationID, id))
}

// SaveReply stores a mail in parts, then the answer: who finds the answer finds the mail. Nothing is stored for a user
// who has been erased.
func (s *Store) SaveReply(
	ctx context.Context, user owner.User, cancellationID string, r reply.Reply, raw []byte,
) error {
	for i := 0; i*maxPart < len(raw); i++ {
		var x dynamo.Transaction
		key := receivedKey(user, cancellationID, r.Digest)
		key.SK += fmt.Sprintf("#%02d", i)
		x.Put(s.table, key, evidence.Received{Body: raw[i*maxPart : min(len(raw), (i+1)*maxPart)]})
		if err := s.users.Commit(ctx, &x, user); err != nil {
			return err
		}
	}
	return s.UpdateReply(ctx, user, cancellationID, r)
}

// UpdateReply replaces the version that r was read as.
func (s *Store) UpdateReply(ctx context.Context, user owner.User, cancellationID string, r reply.Reply) error {
	unchanged := dynamo.IfNew
	if r.Version > 0 {
		unchanged = dynamo.Expr("version = ?", r.Version)
	}
	var x dynamo.Transaction
	r.Version++
	x.Put(s.table, replyKey(user, cancellationID, r.ID), r, unchanged)
	return s.users.Commit(ctx, &x, user)
}

// CreateAnswer stores the letter that answers a reply in one transaction. The reply's version makes sure that it gets
// one.
func (s *Store) CreateAnswer(
	ctx context.Context, answer cancellation.Cancellation, letter cancellation.StoredLetter, to cancellation.Cancellation,
	r reply.Reply, also idempotency.Effect[reply.Reply], jobs ...cancellation.Job,
) error {
	answer, err := answer.Sealed()
	if err != nil {
		return err
	}
	if to, err = to.Sealed(); err != nil {
		return err
	}
	var x dynamo.Transaction
	unread, unchanged := dynamo.Expr("version = ?", r.Version), dynamo.Expr("version = ?", to.Version)
	r.Version++
	to.Version++
	x.Put(s.table, replyKey(to.Owner, to.ID, r.ID), r, unread)
	x.Put(s.table, cancellationKey(to.Owner, to.ID), s.toRow(to), unchanged)
	s.putNew(ctx, &x, answer, letter, nil, jobs)
	also.Put(&x, r)
	return s.users.Commit(ctx, &x, to.Owner)
}

// RawReply reads a mail as it was received. It returns outcome.ErrNotFound if the mail was too large to keep.
func (s *Store) RawReply(ctx context.Context, user owner.User, cancellationID string, r reply.Reply) ([]byte, error) {
	all, err := s.received(ctx, user, receivedKey(user, cancellationID, r.Digest).SK)
	if err == nil && len(all) == 0 {
		err = outcome.ErrNotFound
	}
	return all[r.Digest].Body, err
}

// received reads documents. The parts of a large one follow each other.
func (s *Store) received(
	ctx context.Context, user owner.User, prefix string,
) (map[evidence.Digest]evidence.Received, error) {
	all := map[evidence.Digest]evidence.Received{}
	for row, err := range s.table.Query(ctx, dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(prefix)}) {
		if err != nil {
			return nil, err
		}
		part, err := dynamo.Decode[evidence.Received](row)
		names := strings.Split(dynamo.KeyOf(row).SK, "#") // D#<cancellation>#<digest>, and #<part> of a mail
		if digest := evidence.Hex(names[2]); err == nil && digest != nil {
			r := all[*digest]
			r.Body, r.Signature = append(r.Body, part.Body...), part.Signature
			all[*digest] = r
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
