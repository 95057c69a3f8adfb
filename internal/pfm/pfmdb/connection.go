package pfmdb

import (
	"context"
	"iter"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
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
	LinkHash              string            `dynamodbav:"linkHash,omitempty"`
	Authorisation         *authorisationRow `dynamodbav:"authorisation,omitempty"`
	ConsentID             string            `dynamodbav:"consentId,omitempty"`
	Secret                string            `dynamodbav:"secret,omitempty"`
	ConsentExpiresAt      int64             `dynamodbav:"consentExpiresAt,omitempty"`
	AuthorisedAt          int64             `dynamodbav:"authorisedAt,omitempty"`
	CardAccounts          bool              `dynamodbav:"cardAccounts,omitempty"`
	LastNotice            int               `dynamodbav:"lastNotice,omitempty"`
	SyncRequestedAt       int64             `dynamodbav:"syncRequestedAt,omitempty"`
	LastSuccessAt         int64             `dynamodbav:"lastSuccessAt,omitempty"`
	SyncEndedAt           int64             `dynamodbav:"syncEndedAt,omitempty"`
	SyncFailing           bool              `dynamodbav:"syncFailing,omitempty"`
	PartialRows           int               `dynamodbav:"partialRows,omitempty"`
	PartialAccounts       int               `dynamodbav:"partialAccounts,omitempty"`
	PartialFrom           string            `dynamodbav:"partialFrom,omitempty"`
	TestRowsFrom          string            `dynamodbav:"testRowsFrom,omitempty"`
	TestRowsAt            int64             `dynamodbav:"testRowsAt,omitempty"`
	UnattendedDay         string            `dynamodbav:"unattendedDay,omitempty"`
	UnattendedCount       int               `dynamodbav:"unattendedCount,omitempty"`
	RefreshTimeoutMinutes int               `dynamodbav:"refreshTimeoutMinutes"`
	AutomaticFetch        bool              `dynamodbav:"automaticFetch,omitempty"`
	Version               int64             `dynamodbav:"version"`
	// DueKind and DueAt put the row into the index `due`. They are empty when
	// housekeeping has nothing to do.
	DueKind string `dynamodbav:"dueKind,omitempty"`
	DueAt   string `dynamodbav:"dueAt,omitempty"`
}

type authorisationRow struct {
	ExpiresAt      int64  `dynamodbav:"expiresAt"`
	ConsentID      string `dynamodbav:"consentId,omitempty"`
	Secret         string `dynamodbav:"secret,omitempty"`
	StateHash      string `dynamodbav:"stateHash,omitempty"`
	AskedStateHash string `dynamodbav:"askedStateHash,omitempty"`
	TriedAt        int64  `dynamodbav:"triedAt,omitempty"`
	Tries          int    `dynamodbav:"tries,omitempty"`
	// BankURL alone is StepRedirect, and Next is the kind of any other step.
	BankURL   string `dynamodbav:"bankUrl,omitempty"`
	Next      string `dynamodbav:"next,omitempty"`
	Once      bool   `dynamodbav:"once,omitempty"`
	Message   string `dynamodbav:"message,omitempty"`
	AsksPSUID bool   `dynamodbav:"asksPsuId,omitempty"`
	AsksIBANs bool   `dynamodbav:"asksIbans,omitempty"`
	Refused   bool   `dynamodbav:"refused,omitempty"`
}

type ownerRow struct {
	Partner string `dynamodbav:"partner"`
	User    string `dynamodbav:"user"`
}

// CreateConnection writes a connection and the pointer from its ID to its owner:
// a browser that returns from the bank knows the ID only.
func (s *Store) CreateConnection(ctx context.Context, c connection.Connection) error {
	var x dynamo.Transaction
	x.Put(s.table, connectionKey(c.Owner, c.ID), s.toConnectionRow(c), dynamo.IfNew)
	pointer := ownerRow{Partner: string(c.Owner.Partner), User: string(c.Owner.ID)}
	x.Put(s.table, connectionOwnerKey(c.ID), pointer, dynamo.IfNew)
	idempotency.Put(ctx, &x, c)
	return s.users.Commit(ctx, &x, c.Owner)
}

// Connection reads a connection consistently, since users and banks come back
// moments after the last write. A connection that is being deleted counts as gone.
func (s *Store) Connection(ctx context.Context, user owner.User, id string) (connection.Connection, error) {
	c, err := s.connection(ctx, user, id)
	if err == nil && c.Status == connection.Deleting {
		return connection.Connection{}, outcome.ErrNotFound
	}
	return c, err
}

// DeletingConnection reads a connection that is being deleted.
func (s *Store) DeletingConnection(ctx context.Context, user owner.User, id string) (connection.Connection, error) {
	c, err := s.connection(ctx, user, id)
	if err == nil && c.Status != connection.Deleting {
		return connection.Connection{}, outcome.ErrNotFound
	}
	return c, err
}

// connection reads a connection consistently, whatever its status.
func (s *Store) connection(ctx context.Context, user owner.User, id string) (connection.Connection, error) {
	row, err := s.table.Row(ctx, connectionKey(user, id))
	if err != nil {
		return connection.Connection{}, err
	}
	return toConnection(row)
}

// ConnectionOwner returns the owner of the connection with this ID.
func (s *Store) ConnectionOwner(ctx context.Context, id string) (owner.User, error) {
	r, err := dynamo.Get[ownerRow](ctx, s.table, connectionOwnerKey(id))
	return toOwner(r.Partner, r.User), err
}

// Connections reads a page of a user's connections. Users have a handful.
func (s *Store) Connections(
	ctx context.Context, user owner.User, limit int, position string,
) ([]connection.Connection, string, error) {
	q := dynamo.Query{Partition: user.Key(), Sort: between(connectionPrefix, "", ""), Eventual: true}
	if position != "" {
		q.Start = dynamo.Item{"pk": dynamo.S(user.Key()), "sk": dynamo.S(position)}
	}
	var page []connection.Connection
	for row, err := range withoutAccounts(s.table.Query(ctx, q)) {
		if err != nil {
			return nil, "", err
		}
		c, err := toConnection(row)
		if err != nil {
			return nil, "", err
		}
		if c.Status == connection.Deleting {
			continue
		}
		if len(page) == limit {
			return page, connectionKey(user, page[limit-1].ID).SK, nil
		}
		page = append(page, c)
	}
	return page, "", nil
}

// AllConnections reads a user's connections consistently, whatever their status.
func (s *Store) AllConnections(ctx context.Context, user owner.User) ([]connection.Connection, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(connectionPrefix)})
	return dynamo.Collect(withoutAccounts(rows), toConnection)
}

// withoutAccounts skips the accounts, whose keys are between those of the connections.
func withoutAccounts(rows iter.Seq2[dynamo.Item, error]) iter.Seq2[dynamo.Item, error] {
	return func(yield func(dynamo.Item, error) bool) {
		for row, err := range rows {
			if err == nil && isAccount(dynamo.KeyOf(row).SK) {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// DueConnections finds the connections that are due in the index, then reads them.
func (s *Store) DueConnections(
	ctx context.Context, kind connection.DueKind, shard int, until time.Time,
) iter.Seq2[connection.Connection, error] {
	return dynamo.Convert(s.due.Rows(ctx, s.table, string(kind), shard, until), toConnection)
}

// SaveConnection replaces the version of the connection that was read as c. The
// same transaction writes its events and the messages with the jobs for bank-sync.
func (s *Store) SaveConnection(ctx context.Context, c connection.Connection, jobs ...connection.SyncJob) error {
	var x dynamo.Transaction
	s.addConnection(ctx, &x, c)
	s.addJobs(ctx, &x, jobs)
	idempotency.Put(ctx, &x, c)
	if c.Status != connection.Deleting {
		return s.users.Commit(ctx, &x, c.Owner)
	}
	// Without the lease, a running sync can write nothing more.
	x.Delete(s.table, leaseKey(c.Owner, c.ID))
	return x.Commit(ctx)
}

// addJobs puts messages with the jobs into the outbox.
func (s *Store) addJobs(ctx context.Context, x *dynamo.Transaction, jobs []connection.SyncJob) {
	for _, job := range jobs {
		outbox.Put(ctx, x, s.outbox, outbox.Message{ID: s.newID(), Queue: outbox.SyncQueue, Body: job}, s.now())
	}
}

// addConnection replaces the row if it still has the version of c, and puts the
// events of c into the outbox.
func (s *Store) addConnection(ctx context.Context, x *dynamo.Transaction, c connection.Connection) {
	unchanged := dynamo.Expr("version = ?", c.Version)
	c.Version++
	x.Put(s.table, connectionKey(c.Owner, c.ID), s.toConnectionRow(c), unchanged)
	s.addEvents(ctx, x, c.Owner, c.Events)
}

func (s *Store) toConnectionRow(c connection.Connection) connectionRow {
	r := connectionRow{
		ID: c.ID, Partner: string(c.Owner.Partner), User: string(c.Owner.ID),
		ProviderID: c.ProviderID, ProviderName: c.ProviderName, LogoURL: c.LogoURL,
		Status: string(c.Status), Reason: string(c.Reason),
		CreatedAt: dynamo.Millis(c.CreatedAt), UpdatedAt: dynamo.Millis(c.UpdatedAt), ReturnURL: c.ReturnURL,
		LinkHash:  c.LinkHash,
		ConsentID: c.ConsentID, Secret: c.Secret, ConsentExpiresAt: dynamo.Millis(c.ConsentExpiresAt), LastNotice: c.LastNotice,
		AuthorisedAt: dynamo.Millis(c.AuthorisedAt), CardAccounts: c.CardAccounts,
		SyncRequestedAt: dynamo.Millis(c.SyncRequestedAt), LastSuccessAt: dynamo.Millis(c.LastSuccessAt),
		SyncEndedAt: dynamo.Millis(c.SyncEndedAt), SyncFailing: c.SyncFailing,
		PartialRows: c.Partial.Rows, PartialAccounts: c.Partial.Accounts, PartialFrom: string(c.Partial.From),
		TestRowsFrom: string(c.TestRows.From), TestRowsAt: dynamo.Millis(c.TestRows.At),
		UnattendedDay: string(c.Unattended.Day), UnattendedCount: c.Unattended.Count,
		RefreshTimeoutMinutes: c.RefreshTimeoutMinutes,
		AutomaticFetch:        c.AutomaticFetch, Version: c.Version,
	}
	if a := c.Authorisation; a != nil {
		r.Authorisation = toAuthorisationRow(*a)
	}
	if kind, at := c.Due(); kind != "" {
		r.DueKind, r.DueAt = s.due.Key(string(kind), c.ID), dynamo.Time(at)
	}
	return r
}

func toAuthorisationRow(a connection.Authorisation) *authorisationRow {
	next := a.Next
	r := &authorisationRow{
		ExpiresAt: dynamo.Millis(a.ExpiresAt), ConsentID: a.ConsentID, Secret: a.Secret, StateHash: a.StateHash,
		AskedStateHash: a.AskedStateHash, TriedAt: dynamo.Millis(a.TriedAt), Tries: a.Tries,
		BankURL: next.URL, Once: next.Once, Message: next.Message,
		AsksPSUID: next.AsksPSUID, AsksIBANs: next.AsksIBANs, Refused: next.Refused,
	}
	if next.Kind != pfm.StepRedirect {
		r.Next = string(next.Kind)
	}
	return r
}

func (r authorisationRow) authorisation() *connection.Authorisation {
	a := &connection.Authorisation{
		ExpiresAt: dynamo.FromMillis(r.ExpiresAt), ConsentID: r.ConsentID, Secret: r.Secret, StateHash: r.StateHash,
		AskedStateHash: r.AskedStateHash, TriedAt: dynamo.FromMillis(r.TriedAt), Tries: r.Tries,
		Next: pfm.Step{
			Kind: pfm.StepKind(r.Next), URL: r.BankURL, Once: r.Once, Message: r.Message,
			AsksPSUID: r.AsksPSUID, AsksIBANs: r.AsksIBANs, Refused: r.Refused,
		},
	}
	if a.Next.URL != "" {
		a.Next.Kind = pfm.StepRedirect
	}
	return a
}

// toConnection decodes a connectionRow.
func toConnection(row dynamo.Item) (connection.Connection, error) {
	r, err := dynamo.Decode[connectionRow](row)
	c := connection.Connection{
		ID: r.ID, Owner: toOwner(r.Partner, r.User), ProviderID: r.ProviderID, ProviderName: r.ProviderName,
		LogoURL: r.LogoURL, Status: connection.Status(r.Status), Reason: connection.StatusReason(r.Reason),
		CreatedAt: dynamo.FromMillis(r.CreatedAt), UpdatedAt: dynamo.FromMillis(r.UpdatedAt), ReturnURL: r.ReturnURL,
		LinkHash: r.LinkHash, ConsentID: r.ConsentID, Secret: r.Secret,
		ConsentExpiresAt: dynamo.FromMillis(r.ConsentExpiresAt), LastNotice: r.LastNotice,
		AuthorisedAt: dynamo.FromMillis(r.AuthorisedAt), CardAccounts: r.CardAccounts,
		SyncRequestedAt: dynamo.FromMillis(r.SyncRequestedAt), LastSuccessAt: dynamo.FromMillis(r.LastSuccessAt),
		SyncEndedAt: dynamo.FromMillis(r.SyncEndedAt), SyncFailing: r.SyncFailing,
		Partial:    connection.Partial{Rows: r.PartialRows, Accounts: r.PartialAccounts, From: pfm.Date(r.PartialFrom)},
		TestRows:   connection.TestRows{From: pfm.Date(r.TestRowsFrom), At: dynamo.FromMillis(r.TestRowsAt)},
		Unattended: connection.Unattended{Day: pfm.Date(r.UnattendedDay), Count: r.UnattendedCount},

		RefreshTimeoutMinutes: r.RefreshTimeoutMinutes, AutomaticFetch: r.AutomaticFetch, Version: r.Version,
	}
	if r.Authorisation != nil {
		c.Authorisation = r.Authorisation.authorisation()
	}
	return c, err
}

func toOwner(partner, user string) owner.User {
	return owner.User{Partner: owner.PartnerID(partner), ID: owner.UserID(user)}
}
