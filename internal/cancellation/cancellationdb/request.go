package cancellationdb

import (
	"context"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/request"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
)

// dueDispatch is the kind of work on waiting letters in the index `due`.
const dueDispatch = "Dispatch"

// cancellationRow is a cancellation as it is stored.
type cancellationRow struct {
	cancellation.Cancellation
	Partner owner.PartnerID    `dynamodbav:"partner"`
	User    owner.UserID       `dynamodbav:"user"`
	Seen    *cancellation.Seen `dynamodbav:"seen,omitempty"`
	Cause   *deadline.Reason   `dynamodbav:"cause,omitempty"`
	// DueKind and DueAt put the row into the index `due`. They are absent if there is
	// nothing for housekeeping to do.
	DueKind string `dynamodbav:"dueKind,omitempty"`
	DueAt   string `dynamodbav:"dueAt,omitempty"`
}

// joinedRow is a letter with its enclosure behind it. It has a row of its own, because both
// may be too large for one.
type joinedRow struct {
	PDF []byte `dynamodbav:"pdf"`
}

// pointerRow maps an ID from outside to a cancellation.
type pointerRow struct {
	Partner owner.PartnerID `dynamodbav:"partner"`
	User    owner.UserID    `dynamodbav:"user"`
	ID      string          `dynamodbav:"id"`
	// Content is the digest of the request. Only the pointer of an external
	// identifier has it.
	Content string `dynamodbav:"content,omitempty"`
}

// CreateCancellation stores a new cancellation in one transaction.
func (s *Store) CreateCancellation(
	ctx context.Context, c cancellation.Cancellation, letter cancellation.StoredLetter, content string,
	earlier request.Earlier, also idempotency.Effect[cancellation.Cancellation], jobs ...cancellation.Job,
) error {
	c, err := c.Sealed()
	if err != nil {
		return err
	}
	var x dynamo.Transaction
	pointer, taken := pointerTo(c), -1
	if c.ExternalID != "" {
		named := pointer
		named.Content = content
		taken = x.Put(s.table, externalKey(c.Owner, c.ExternalID), named, dynamo.IfNew)
	}
	last := x.Put(s.table, lastOfKey(c, earlier.Contract), pointer, follows(earlier)...)
	s.putNew(ctx, &x, c, letter, also, jobs)
	err = s.users.Commit(ctx, &x, c.Owner)
	if dynamo.Refused(err, taken) {
		return request.ErrExternalIDTaken
	}
	if dynamo.Refused(err, last) {
		return request.ErrAlreadyCancelled
	}
	return err
}

// putNew puts a new cancellation or objection with its letter and the answer to the request.
func (s *Store) putNew(
	ctx context.Context, x *dynamo.Transaction, c cancellation.Cancellation, letter cancellation.StoredLetter,
	also idempotency.Effect[cancellation.Cancellation], jobs []cancellation.Job,
) {
	x.Put(s.table, cancellationKey(c.Owner, c.ID), s.toRow(c), dynamo.IfNew)
	x.Put(s.table, letterKey(c.Owner, c.ID), letter)
	x.Put(s.table, ownerKey(c.ID), pointerTo(c))
	if c.ReplyAddress != "" {
		x.Put(s.table, addressKey(c.ReplyAddress), pointerTo(c), dynamo.IfNew)
	}
	s.putMessages(ctx, x, c, jobs)
	also.Put(x, c)
}

// CreateObjection stores a new objection in one transaction. The cancellation's version makes
// sure that no debit gets two.
func (s *Store) CreateObjection(
	ctx context.Context, objection cancellation.Cancellation, letter cancellation.StoredLetter,
	to cancellation.Cancellation, also idempotency.Effect[cancellation.Cancellation], jobs ...cancellation.Job,
) error {
	objection, err := objection.Sealed()
	if err != nil {
		return err
	}
	var x dynamo.Transaction
	unchanged := dynamo.Expr("version = ?", to.Version)
	to.Version++
	x.Put(s.table, cancellationKey(to.Owner, to.ID), s.toRow(to), unchanged)
	s.putNew(ctx, &x, objection, letter, also, jobs)
	x.Put(s.table, joinedKey(objection.Owner, objection.ID), joinedRow{PDF: letter.Joined})
	return s.users.Commit(ctx, &x, objection.Owner)
}

// follows are the conditions on the row of the contract's last cancellation.
func follows(earlier request.Earlier) []dynamo.Expression {
	switch {
	case earlier.Any:
		return nil
	case earlier.ID != "":
		return []dynamo.Expression{dynamo.Expr("id = ?", earlier.ID)}
	default:
		return []dynamo.Expression{dynamo.IfNew}
	}
}

// SaveCancellation replaces the row if it still has the version that c was read as.
// It stores a pointer for each new carrier reference, so that callbacks find the
// cancellation.
func (s *Store) SaveCancellation(
	ctx context.Context, c cancellation.Cancellation, jobs ...cancellation.Job,
) (cancellation.Cancellation, error) {
	return s.save(ctx, c, dynamo.Guard{}, jobs)
}

// ClaimCancellation saves c if its user exists.
func (s *Store) ClaimCancellation(ctx context.Context, c cancellation.Cancellation) (cancellation.Cancellation, error) {
	return s.save(ctx, c, s.users, nil)
}

func (s *Store) save(
	ctx context.Context, c cancellation.Cancellation, users dynamo.Guard, jobs []cancellation.Job,
) (cancellation.Cancellation, error) {
	was, err := c.Sealed()
	if err != nil {
		return c, err
	}
	c = was
	c.Version, c.Stored, c.Received, c.Notices = c.Version+1, stored(c), nil, nil
	var x dynamo.Transaction
	x.Put(s.table, cancellationKey(c.Owner, c.ID), s.toRow(c), dynamo.Expr("version = ?", was.Version))
	for _, l := range c.AtCarriers[was.Stored.AtCarriers:] {
		x.Put(s.table, referenceKey(l.Channel, l.Reference), pointerTo(c))
	}
	for _, r := range was.Received {
		x.Put(s.table, receivedKey(c.Owner, c.ID, evidence.Of(r.Body)), r)
	}
	s.putMessages(ctx, &x, was, jobs)
	err = users.Commit(ctx, &x, c.Owner)
	if err == nil && s.saved != nil {
		s.saved(ctx, c)
	}
	return c, err
}

func pointerTo(c cancellation.Cancellation) pointerRow {
	return pointerRow{Partner: c.Owner.Partner, User: c.Owner.ID, ID: c.ID}
}

// putMessages puts the jobs into the outbox, and an event for each step of the
// history that is not stored yet.
func (s *Store) putMessages(
	ctx context.Context, x *dynamo.Transaction, c cancellation.Cancellation, jobs []cancellation.Job,
) {
	put := func(queue string, job any) {
		m := outbox.Message{ID: s.newID(), Queue: queue, Body: job, User: c.Owner.ID}
		outbox.Put(ctx, x, s.outbox, m, s.now())
	}
	for _, job := range jobs {
		put(outbox.LetterQueue, job)
	}
	for _, job := range c.WatchJobs() {
		put(outbox.SyncQueue, job)
	}
	for _, step := range c.History[c.Stored.History:] {
		if kind, data := c.Event(step); kind != "" {
			s.putEvent(ctx, x, c, kind, step.At, data)
		}
	}
	for _, n := range c.Notices {
		s.putEvent(ctx, x, c, n.Type, n.At, n.Data)
	}
}

func (s *Store) putEvent(
	ctx context.Context, x *dynamo.Transaction, c cancellation.Cancellation, kind string, at time.Time, data any,
) {
	e, err := outbox.NewEvent(s.newID(), kind, clock.OfUser(at), c.Owner, data)
	if err != nil {
		x.Fail(err)
		return
	}
	outbox.PutEvent(ctx, x, s.outbox, e, s.now())
}

// Cancellation reads a cancellation with a consistent read.
func (s *Store) Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error) {
	row, err := s.table.Row(ctx, cancellationKey(user, id))
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	return toCancellation(row)
}

// Letter reads a letter.
func (s *Store) Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error) {
	return dynamo.Get[cancellation.StoredLetter](ctx, s.table, letterKey(user, id))
}

// JoinedLetter reads the letter of an objection with its enclosure behind it.
func (s *Store) JoinedLetter(ctx context.Context, user owner.User, id string) ([]byte, error) {
	r, err := dynamo.Get[joinedRow](ctx, s.table, joinedKey(user, id))
	return r.PDF, err
}

// ByExternalID follows the pointer from the partner's identifier.
func (s *Store) ByExternalID(ctx context.Context, user owner.User, externalID string) (id, content string, err error) {
	r, err := dynamo.Get[pointerRow](ctx, s.table, externalKey(user, externalID))
	return r.ID, r.Content, err
}

// LastOf follows the pointer from the contract.
func (s *Store) LastOf(ctx context.Context, c cancellation.Cancellation, contract string) (string, error) {
	r, err := dynamo.Get[pointerRow](ctx, s.table, lastOfKey(c, contract))
	return r.ID, err
}

// CancellationOwner follows the pointer from a cancellation's ID.
func (s *Store) CancellationOwner(ctx context.Context, id string) (owner.User, error) {
	r, err := dynamo.Get[pointerRow](ctx, s.table, ownerKey(id))
	return owner.User{Partner: r.Partner, ID: r.User}, err
}

// ByReference follows the pointer from a carrier's reference.
func (s *Store) ByReference(
	ctx context.Context, channel cancellation.ChannelKind, reference string,
) (owner.User, string, error) {
	r, err := dynamo.Get[pointerRow](ctx, s.table, referenceKey(channel, reference))
	return owner.User{Partner: r.Partner, ID: r.User}, r.ID, err
}

func (s *Store) toRow(c cancellation.Cancellation) cancellationRow {
	r := cancellationRow{Cancellation: c, Partner: c.Owner.Partner, User: c.Owner.ID}
	if c.Seen.Number > 0 {
		r.Seen = &c.Seen
	}
	if c.Cause.Kind != "" {
		r.Cause = &c.Cause
	}
	if c.Status.Waiting() && !c.NextTryAt.IsZero() {
		r.DueKind, r.DueAt = s.due.Key(dueDispatch, c.ID), dynamo.Time(c.NextTryAt)
	}
	return r
}

func toCancellation(row dynamo.Item) (cancellation.Cancellation, error) {
	r, err := dynamo.Decode[cancellationRow](row)
	c := r.Cancellation
	c.Owner = owner.User{Partner: r.Partner, ID: r.User}
	if r.Seen != nil {
		c.Seen = *r.Seen
	}
	if r.Cause != nil {
		c.Cause = *r.Cause
	}
	c.Stored = stored(c)
	return c, err
}

func stored(c cancellation.Cancellation) cancellation.Stored {
	return cancellation.Stored{
		History: len(c.History), AtCarriers: len(c.AtCarriers), ConfirmedEnd: c.ConfirmedEnd,
	}
}

// ReceivedDocuments reads the documents of a cancellation.
func (s *Store) ReceivedDocuments(
	ctx context.Context, user owner.User, id string,
) (map[evidence.Digest]evidence.Received, error) {
	return s.received(ctx, user, receivedPrefix+id+"#")
}

// SignedEvidence reads the evidence that was signed last.
func (s *Store) SignedEvidence(ctx context.Context, user owner.User, id string) (evidence.Signed, error) {
	return dynamo.Get[evidence.Signed](ctx, s.table, evidenceKey(user, id))
}

// SaveEvidence replaces the row if it still has the version that e was read as.
func (s *Store) SaveEvidence(ctx context.Context, user owner.User, id string, e evidence.Signed) error {
	unchanged := dynamo.IfNew
	if e.Version > 0 {
		unchanged = dynamo.Expr("version = ?", e.Version)
	}
	var x dynamo.Transaction
	e.Version++
	x.Put(s.table, evidenceKey(user, id), e, unchanged)
	return s.users.Commit(ctx, &x, user)
}
