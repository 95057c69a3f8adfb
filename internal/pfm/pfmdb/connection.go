package pfmdb

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/event"
	"aviso/internal/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

type connectionRow struct {
	ID                    string            `dynamodbav:"id"`
	Partner               string            `dynamodbav:"partner"`
	User                  string            `dynamodbav:"user"`
	ProviderID            string            `dynamodbav:"providerId"`
	ProviderName          string            `dynamodbav:"providerName"`
	LogoURL               string            `dynamodbav:"logoUrl"`
	Status                string            `dynamodbav:"status"`
	Reason                string            `dynamodbav:"reason,omitempty"`
	CreatedAt             int64             `dynamodbav:"createdAt"`
	UpdatedAt             int64             `dynamodbav:"updatedAt"`
	ReturnURL             string            `dynamodbav:"returnUrl"`
	Authorisation         *authorisationRow `dynamodbav:"authorisation,omitempty"`
	ConsentID             string            `dynamodbav:"consentId,omitempty"`
	ConsentExpiresAt      int64             `dynamodbav:"consentExpiresAt,omitempty"`
	LastNotice            int               `dynamodbav:"lastNotice,omitempty"`
	SyncRequestedAt       int64             `dynamodbav:"syncRequestedAt,omitempty"`
	LastSuccessAt         int64             `dynamodbav:"lastSuccessAt,omitempty"`
	SyncEndedAt           int64             `dynamodbav:"syncEndedAt,omitempty"`
	UnattendedDay         string            `dynamodbav:"unattendedDay,omitempty"`
	UnattendedCount       int               `dynamodbav:"unattendedCount,omitempty"`
	RefreshTimeoutMinutes int               `dynamodbav:"refreshTimeoutMinutes"`
	AutomaticFetch        bool              `dynamodbav:"automaticFetch,omitempty"`
	Version               int64             `dynamodbav:"version"`
	// DueKind and DueAt put the row into the index `due`, and are absent when
	// there is nothing for housekeeping to do.
	DueKind string `dynamodbav:"dueKind,omitempty"`
	DueAt   string `dynamodbav:"dueAt,omitempty"`
}

type authorisationRow struct {
	ExpiresAt int64  `dynamodbav:"expiresAt"`
	ConsentID string `dynamodbav:"consentId,omitempty"`
	BankURL   string `dynamodbav:"bankUrl,omitempty"`
	StateHash string `dynamodbav:"stateHash,omitempty"`
}

type ownerRow struct {
	Partner string `dynamodbav:"partner"`
	User    string `dynamodbav:"user"`
}

// CreateConnection writes a connection, and the pointer by which a browser that
// knows its id finds it.
func (s *Store) CreateConnection(ctx context.Context, c pfm.Connection) error {
	row, err := connectionItem(c)
	if err != nil {
		return err
	}
	pk, sk := connectionOwnerKey(c.ID)
	pointer, err := dynamo.Marshal(pk, sk, ownerRow{Partner: string(c.Owner.Partner), User: string(c.Owner.ID)})
	if err != nil {
		return err
	}
	isNew := ptr("attribute_not_exists(pk)")
	return translate(dynamo.LegacyTransact(ctx, s.db, []types.TransactWriteItem{
		{Put: &types.Put{TableName: &s.table, Item: row, ConditionExpression: isNew}},
		{Put: &types.Put{TableName: &s.table, Item: pointer, ConditionExpression: isNew}},
	}))
}

// Connection reads a connection consistently: users and banks come back within
// a moment of the write before. One that is being deleted is not there any more.
func (s *Store) Connection(ctx context.Context, user owner.User, id string) (pfm.Connection, error) {
	c, err := s.connection(ctx, user, id)
	if err == nil && c.Status == pfm.ConnectionDeleting {
		return pfm.Connection{}, outcome.ErrNotFound
	}
	return c, err
}

// connection reads a connection consistently, whatever its status.
func (s *Store) connection(ctx context.Context, user owner.User, id string) (pfm.Connection, error) {
	pk, sk := connectionKey(user, id)
	item, err := dynamo.LegacyGetItem(ctx, s.db, s.table, pk, sk, true)
	if err != nil {
		return pfm.Connection{}, translate(err)
	}
	return toConnection(dynamo.NewRow(item))
}

// ConnectionOwner follows the pointer from a connection's id.
func (s *Store) ConnectionOwner(ctx context.Context, id string) (owner.User, error) {
	pk, sk := connectionOwnerKey(id)
	item, err := dynamo.LegacyGetItem(ctx, s.db, s.table, pk, sk, true)
	if err != nil {
		return owner.User{}, translate(err)
	}
	row := dynamo.NewRow(item)
	return toOwner(row), row.Err()
}

// SaveConnection writes c over the version it was read as; its events and the
// messages that bring the jobs to bank-sync go into the same transaction.
func (s *Store) SaveConnection(ctx context.Context, c pfm.Connection, jobs ...pfm.SyncJob) error {
	actions, err := s.saveActions(c)
	if err != nil {
		return err
	}
	if c.Status == pfm.ConnectionDeleting {
		// A sync that is running writes nothing from here on.
		pk, sk := leaseKey(c.Owner, c.ID)
		actions = append(actions, types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: dynamo.LegacyKey(pk, sk)}})
	}
	for _, job := range jobs {
		put, err := outbox.LegacyPut(s.outbox, outbox.Message{ID: s.newID(), Queue: outbox.SyncQueue, Body: job}, s.now())
		if err != nil {
			return err
		}
		actions = append(actions, put)
	}
	return translate(dynamo.LegacyTransact(ctx, s.db, actions))
}

// saveActions replace the row, if it is still of the version that c was read as,
// and leave the events of c in the outbox.
func (s *Store) saveActions(c pfm.Connection) ([]types.TransactWriteItem, error) {
	was := c.Version
	c.Version++
	row, err := connectionItem(c)
	if err != nil {
		return nil, err
	}
	actions := []types.TransactWriteItem{{Put: &types.Put{
		TableName: &s.table, Item: row,
		ConditionExpression:       ptr("version = :was"),
		ExpressionAttributeValues: dynamo.Item{":was": dynamo.N(was)},
	}}}
	for _, told := range c.Events {
		e, err := event.New(s.newID(), told.Type, told.At, c.Owner, told.Data)
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

// DueConnections reads the index of what has fallen due, then the connections.
func (s *Store) DueConnections(ctx context.Context, kind pfm.DueKind, until time.Time, limit int) ([]pfm.Connection, error) {
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("due"), Limit: ptr(int32(limit)),
		KeyConditionExpression:    ptr("dueKind = :kind AND dueAt <= :until"),
		ExpressionAttributeValues: dynamo.Item{":kind": dynamo.S(string(kind)), ":until": dynamo.S(dynamo.Time(until))},
	})
	if err != nil {
		return nil, fmt.Errorf("query due connections: %w", err)
	}
	list := make([]pfm.Connection, 0, len(out.Items))
	for _, key := range out.Items {
		got, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: &s.table, Key: dynamo.Item{"pk": key["pk"], "sk": key["sk"]}, ConsistentRead: ptr(true),
		})
		if err != nil {
			return nil, fmt.Errorf("get due connection: %w", err)
		}
		if len(got.Item) == 0 {
			continue // deleted since the index was written
		}
		c, err := toConnection(dynamo.NewRow(got.Item))
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func connectionItem(c pfm.Connection) (dynamo.Item, error) {
	r := connectionRow{
		ID: c.ID, Partner: string(c.Owner.Partner), User: string(c.Owner.ID), ProviderID: c.ProviderID, ProviderName: c.ProviderName,
		LogoURL: c.LogoURL, Status: string(c.Status), Reason: string(c.Reason), CreatedAt: dynamo.Millis(c.CreatedAt), UpdatedAt: dynamo.Millis(c.UpdatedAt),
		ReturnURL: c.ReturnURL, ConsentID: c.ConsentID, ConsentExpiresAt: dynamo.Millis(c.ConsentExpiresAt), LastNotice: c.LastNotice, SyncRequestedAt: dynamo.Millis(c.SyncRequestedAt),
		LastSuccessAt: dynamo.Millis(c.LastSuccessAt), SyncEndedAt: dynamo.Millis(c.SyncEndedAt), UnattendedDay: string(c.Unattended.Day),
		UnattendedCount: c.Unattended.Count, RefreshTimeoutMinutes: c.RefreshTimeoutMinutes, AutomaticFetch: c.AutomaticFetch, Version: c.Version,
	}
	if a := c.Authorisation; a != nil {
		r.Authorisation = &authorisationRow{ExpiresAt: dynamo.Millis(a.ExpiresAt), ConsentID: a.ConsentID, BankURL: a.BankURL, StateHash: a.StateHash}
	}
	if kind, at := c.Due(); kind != "" {
		r.DueKind, r.DueAt = string(kind), dynamo.Time(at)
	}
	pk, sk := connectionKey(c.Owner, c.ID)
	return dynamo.Marshal(pk, sk, r)
}

// toConnection reads what connectionItem has made.
func toConnection(r *dynamo.Row) (pfm.Connection, error) {
	c := pfm.Connection{
		ID: r.Text("id"), Owner: toOwner(r), ProviderID: r.Text("providerId"), ProviderName: r.Text("providerName"), LogoURL: r.Text("logoUrl"),
		Status: pfm.ConnectionStatus(r.Text("status")), Reason: pfm.StatusReason(r.Text("reason")),
		CreatedAt: dynamo.FromMillis(r.Int("createdAt")), UpdatedAt: dynamo.FromMillis(r.Int("updatedAt")), ReturnURL: r.Text("returnUrl"),
		ConsentID: r.Text("consentId"), ConsentExpiresAt: dynamo.FromMillis(r.Int("consentExpiresAt")), LastNotice: int(r.Int("lastNotice")),
		SyncRequestedAt: dynamo.FromMillis(r.Int("syncRequestedAt")), LastSuccessAt: dynamo.FromMillis(r.Int("lastSuccessAt")),
		SyncEndedAt:           dynamo.FromMillis(r.Int("syncEndedAt")),
		Unattended:            pfm.Unattended{Day: pfm.Date(r.Text("unattendedDay")), Count: int(r.Int("unattendedCount"))},
		RefreshTimeoutMinutes: int(r.Int("refreshTimeoutMinutes")), AutomaticFetch: r.Bool("automaticFetch"), Version: r.Int("version"),
	}
	if r.Has("authorisation") {
		a := r.Inner("authorisation")
		c.Authorisation = &pfm.Authorisation{
			ExpiresAt: dynamo.FromMillis(a.Int("expiresAt")), ConsentID: a.Text("consentId"), BankURL: a.Text("bankUrl"), StateHash: a.Text("stateHash"),
		}
	}
	return c, r.Err()
}

func toOwner(r *dynamo.Row) owner.User {
	return owner.User{Partner: owner.PartnerID(r.Text("partner")), ID: owner.UserID(r.Text("user"))}
}
