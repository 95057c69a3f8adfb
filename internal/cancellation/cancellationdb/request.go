package cancellationdb

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
	"aviso/internal/event"
	"aviso/internal/outbox"
	"aviso/internal/owner"
)

// dueDispatch is the partition of the index `due` for letters that wait.
const dueDispatch = "Dispatch"

type cancellationRow struct {
	ID             string       `dynamodbav:"id"`
	Partner        string       `dynamodbav:"partner"`
	User           string       `dynamodbav:"user"`
	ExternalID     string       `dynamodbav:"externalId,omitempty"`
	OrganizationID string       `dynamodbav:"organizationId"`
	ProductID      string       `dynamodbav:"productId"`
	Locale         string       `dynamodbav:"locale"`
	Status         string       `dynamodbav:"status"`
	Reason         string       `dynamodbav:"reason,omitempty"`
	CreatedAt      int64        `dynamodbav:"createdAt"`
	UpdatedAt      int64        `dynamodbav:"updatedAt"`
	LetterSHA256   string       `dynamodbav:"letterSha256"`
	TrackingNumber string       `dynamodbav:"trackingNumber,omitempty"`
	History        []stepRow    `dynamodbav:"history"`
	Channels       []channelRow `dynamodbav:"channels"`
	Turn           int          `dynamodbav:"turn"`
	Way            wayRow       `dynamodbav:"way"`
	NextTryAt      int64        `dynamodbav:"nextTryAt,omitempty"`
	AtCarriers     []carrierRow `dynamodbav:"atCarriers,omitempty"`
	Version        int64        `dynamodbav:"version"`
	// DueKind and DueAt put the row into the index `due`, and are absent when
	// there is nothing for housekeeping to do.
	DueKind string `dynamodbav:"dueKind,omitempty"`
	DueAt   string `dynamodbav:"dueAt,omitempty"`
}

type stepRow struct {
	Status string `dynamodbav:"status"`
	At     int64  `dynamodbav:"at"`
}

type wayRow struct {
	ShipmentID string `dynamodbav:"shipmentId,omitempty"`
	LeaseUntil int64  `dynamodbav:"leaseUntil,omitempty"`
	Since      int64  `dynamodbav:"since,omitempty"`
	TriedAt    int64  `dynamodbav:"triedAt,omitempty"`
	Tries      int    `dynamodbav:"tries,omitempty"`
	Reference  string `dynamodbav:"reference,omitempty"`
}

type carrierRow struct {
	Channel   string `dynamodbav:"channel"`
	Reference string `dynamodbav:"reference"`
	Deleted   bool   `dynamodbav:"deleted,omitempty"`
}

type letterRow struct {
	PDF        []byte `dynamodbav:"pdf"`
	Subject    string `dynamodbav:"subject"`
	Text       string `dynamodbav:"text"`
	FileName   string `dynamodbav:"fileName"`
	SenderName string `dynamodbav:"senderName"`
	ReplyTo    string `dynamodbav:"replyTo,omitempty"`
}

// pointerRow leads from something that is known outside to a cancellation.
type pointerRow struct {
	Partner string `dynamodbav:"partner"`
	User    string `dynamodbav:"user"`
	ID      string `dynamodbav:"id"`
	// Content is of an external identifier: a digest of what was asked for.
	Content string `dynamodbav:"content,omitempty"`
}

// CreateCancellation writes everything about a new cancellation in one
// transaction.
func (s *Store) CreateCancellation(ctx context.Context, c cancellation.Cancellation, letter cancellation.StoredLetter, content string, jobs ...cancellation.Job) error {
	isNew := ptr("attribute_not_exists(pk)")
	pointer := pointerRow{Partner: string(c.Owner.Partner), User: string(c.Owner.ID), ID: c.ID}
	var actions []types.TransactWriteItem
	put := func(pk, sk string, row any, condition *string) error {
		item, err := dynamo.Marshal(pk, sk, row)
		actions = append(actions, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: item, ConditionExpression: condition}})
		return err
	}
	if c.ExternalID != "" { // first, so that its condition is told from the others
		pk, sk := externalKey(c.Owner, c.ExternalID)
		row := pointer
		row.Content = content
		if err := put(pk, sk, row, isNew); err != nil {
			return err
		}
	}
	pk, sk := cancellationKey(c.Owner, c.ID)
	if err := put(pk, sk, toRow(c), isNew); err != nil {
		return err
	}
	pk, sk = letterKey(c.Owner, c.ID)
	if err := put(pk, sk, letterRow{
		PDF: letter.PDF, Subject: letter.Subject, Text: letter.Text, FileName: letter.FileName, SenderName: letter.SenderName, ReplyTo: letter.ReplyTo,
	}, nil); err != nil {
		return err
	}
	pk, sk = ownerKey(c.ID)
	if err := put(pk, sk, pointer, nil); err != nil {
		return err
	}
	messages, err := s.messages(c, jobs)
	if err != nil {
		return err
	}
	err = dynamo.LegacyTransact(ctx, s.db, append(actions, messages...))
	var refused *dynamo.ConditionError
	if errors.As(err, &refused) && c.ExternalID != "" && refused.Failed(0) {
		return cancellation.ErrExternalIDTaken
	}
	return translate(err)
}

// SaveCancellation replaces the row if it is still of the version that c was
// read as. A reference that a carrier has given is noted where its callbacks
// find it.
func (s *Store) SaveCancellation(ctx context.Context, c cancellation.Cancellation, jobs ...cancellation.Job) (cancellation.Cancellation, error) {
	messages, err := s.messages(c, jobs)
	if err != nil {
		return c, err
	}
	was := c.Version
	pointers := c.AtCarriers[c.Stored.AtCarriers:]
	c.Version, c.Stored = c.Version+1, stored(c)
	pk, sk := cancellationKey(c.Owner, c.ID)
	item, err := dynamo.Marshal(pk, sk, toRow(c))
	if err != nil {
		return c, err
	}
	actions := []types.TransactWriteItem{{Put: &types.Put{
		TableName: &s.table, Item: item, ConditionExpression: ptr("version = :was"),
		ExpressionAttributeValues: dynamo.Item{":was": dynamo.N(was)},
	}}}
	for _, l := range pointers {
		pk, sk := referenceKey(l.Channel, l.Reference)
		item, err := dynamo.Marshal(pk, sk, pointerRow{Partner: string(c.Owner.Partner), User: string(c.Owner.ID), ID: c.ID})
		if err != nil {
			return c, err
		}
		actions = append(actions, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: item}})
	}
	return c, translate(dynamo.LegacyTransact(ctx, s.db, append(actions, messages...)))
}

// messages are what the write of c has to leave in the outbox: the jobs, and an
// event for each step of the history that is not stored yet.
func (s *Store) messages(c cancellation.Cancellation, jobs []cancellation.Job) ([]types.TransactWriteItem, error) {
	var actions []types.TransactWriteItem
	for _, job := range jobs {
		put, err := outbox.LegacyPut(s.outbox, outbox.Message{ID: s.newID(), Queue: outbox.LetterQueue, Body: job}, s.now())
		if err != nil {
			return nil, err
		}
		actions = append(actions, put)
	}
	for _, step := range c.History[c.Stored.History:] {
		e, err := event.New(s.newID(), step.EventType(), step.At, c.Owner, c.EventData(step))
		if err != nil {
			return nil, err
		}
		put, err := event.LegacyPut(s.outbox, e, s.now())
		if err != nil {
			return nil, err
		}
		actions = append(actions, put)
	}
	return actions, nil
}

// Cancellation reads a cancellation consistently.
func (s *Store) Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error) {
	pk, sk := cancellationKey(user, id)
	var r cancellationRow
	if err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return cancellation.Cancellation{}, translate(err)
	}
	return r.cancellation(), nil
}

// Letter reads a letter.
func (s *Store) Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error) {
	pk, sk := letterKey(user, id)
	var r letterRow
	if err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return cancellation.StoredLetter{}, translate(err)
	}
	return cancellation.StoredLetter{
		Document:   cancellation.Document{PDF: r.PDF, Subject: r.Subject, Text: r.Text, FileName: r.FileName},
		SenderName: r.SenderName, ReplyTo: r.ReplyTo,
	}, nil
}

// ByExternalID follows the pointer from the partner's identifier.
func (s *Store) ByExternalID(ctx context.Context, user owner.User, externalID string) (id, content string, err error) {
	pk, sk := externalKey(user, externalID)
	var r pointerRow
	if err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return "", "", translate(err)
	}
	return r.ID, r.Content, nil
}

// CancellationOwner follows the pointer from a cancellation's id.
func (s *Store) CancellationOwner(ctx context.Context, id string) (owner.User, error) {
	pk, sk := ownerKey(id)
	user, _, err := s.follow(ctx, pk, sk)
	return user, err
}

// ByReference follows the pointer from a carrier's reference.
func (s *Store) ByReference(ctx context.Context, channel cancellation.ChannelKind, reference string) (owner.User, string, error) {
	pk, sk := referenceKey(channel, reference)
	return s.follow(ctx, pk, sk)
}

func (s *Store) follow(ctx context.Context, pk, sk string) (owner.User, string, error) {
	var r pointerRow
	if err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return owner.User{}, "", translate(err)
	}
	return owner.User{Partner: owner.PartnerID(r.Partner), ID: owner.UserID(r.User)}, r.ID, nil
}

func toRow(c cancellation.Cancellation) cancellationRow {
	r := cancellationRow{
		ID: c.ID, Partner: string(c.Owner.Partner), User: string(c.Owner.ID), ExternalID: c.ExternalID, OrganizationID: c.OrganizationID,
		ProductID: c.ProductID, Locale: string(c.Locale), Status: string(c.Status), Reason: string(c.Reason), CreatedAt: dynamo.Millis(c.CreatedAt),
		UpdatedAt: dynamo.Millis(c.UpdatedAt), LetterSHA256: c.LetterSHA256, TrackingNumber: c.TrackingNumber, Turn: c.Turn, NextTryAt: dynamo.Millis(c.NextTryAt),
		Version: c.Version,
		Way: wayRow{
			ShipmentID: c.Way.ShipmentID, LeaseUntil: dynamo.Millis(c.Way.LeaseUntil), Since: dynamo.Millis(c.Way.Since), TriedAt: dynamo.Millis(c.Way.TriedAt),
			Tries: c.Way.Tries, Reference: c.Way.Reference,
		},
	}
	for _, step := range c.History {
		r.History = append(r.History, stepRow{Status: string(step.Status), At: dynamo.Millis(step.At)})
	}
	for _, channel := range c.Channels {
		r.Channels = append(r.Channels, toChannelRow(channel))
	}
	for _, l := range c.AtCarriers {
		r.AtCarriers = append(r.AtCarriers, carrierRow{Channel: string(l.Channel), Reference: l.Reference, Deleted: l.Deleted})
	}
	if c.Status.Waiting() && !c.NextTryAt.IsZero() {
		r.DueKind, r.DueAt = dueDispatch, dynamo.Time(c.NextTryAt)
	}
	return r
}

func (r cancellationRow) cancellation() cancellation.Cancellation {
	c := cancellation.Cancellation{
		ID: r.ID, Owner: owner.User{Partner: owner.PartnerID(r.Partner), ID: owner.UserID(r.User)}, ExternalID: r.ExternalID,
		OrganizationID: r.OrganizationID, ProductID: r.ProductID, Locale: cancellation.Locale(r.Locale), Status: cancellation.Status(r.Status),
		Reason: cancellation.StatusReason(r.Reason), CreatedAt: dynamo.FromMillis(r.CreatedAt), UpdatedAt: dynamo.FromMillis(r.UpdatedAt),
		LetterSHA256: r.LetterSHA256, TrackingNumber: r.TrackingNumber, Turn: r.Turn, NextTryAt: dynamo.FromMillis(r.NextTryAt),
		Version: r.Version,
		Way: cancellation.Way{
			ShipmentID: r.Way.ShipmentID, LeaseUntil: dynamo.FromMillis(r.Way.LeaseUntil), Since: dynamo.FromMillis(r.Way.Since), TriedAt: dynamo.FromMillis(r.Way.TriedAt),
			Tries: r.Way.Tries, Reference: r.Way.Reference,
		},
	}
	for _, step := range r.History {
		c.History = append(c.History, cancellation.Step{Status: cancellation.Status(step.Status), At: dynamo.FromMillis(step.At)})
	}
	for _, channel := range r.Channels {
		c.Channels = append(c.Channels, channel.channel())
	}
	for _, l := range r.AtCarriers {
		c.AtCarriers = append(c.AtCarriers, cancellation.CarrierLetter{
			Channel: cancellation.ChannelKind(l.Channel), Reference: l.Reference, Deleted: l.Deleted,
		})
	}
	c.Stored = stored(c)
	return c
}

func stored(c cancellation.Cancellation) cancellation.Stored {
	return cancellation.Stored{History: len(c.History), AtCarriers: len(c.AtCarriers)}
}
