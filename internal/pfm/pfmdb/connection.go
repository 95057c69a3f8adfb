package pfmdb

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

type connectionRow struct {
	connection.Connection
	ownerRow

	Authorisation *authorisationRow `dynamodbav:"authorisation,omitempty"`
	connection.Partial
	pfm.Access
	connection.TestRows
	// DueKind and DueAt put the row into the index `due`. They are empty when
	// housekeeping has nothing to do.
	DueKind string `dynamodbav:"dueKind,omitempty"`
	DueAt   string `dynamodbav:"dueAt,omitempty"`
}

// authorisationRow stores the next step without its kind if it has an address: then it is
// StepRedirect.
type authorisationRow struct {
	connection.Authorisation
	pfm.Step
}

type ownerRow struct {
	Partner owner.PartnerID `dynamodbav:"partner"`
	User    owner.UserID    `dynamodbav:"user"`
}

func toOwnerRow(u owner.User) ownerRow { return ownerRow{u.Partner, u.ID} }

func (r ownerRow) owner() owner.User { return owner.User{Partner: r.Partner, ID: r.User} }

// CreateConnection writes a connection and the pointer from its ID to its owner:
// a browser that returns from the bank knows the ID only.
func (s *Store) CreateConnection(
	ctx context.Context, c connection.Connection, also idempotency.Effect[connection.Connection],
) error {
	var x dynamo.Transaction
	x.Put(s.table, connectionKey(c.Owner, c.ID), s.toConnectionRow(c), dynamo.IfNew)
	x.Put(s.table, connectionOwnerKey(c.ID), toOwnerRow(c.Owner), dynamo.IfNew)
	also.Put(&x, c)
	return s.users.Commit(ctx, &x, c.Owner)
}

// Connection reads a connection consistently, since users and banks come back
// moments after the last write. A connection that is being deleted counts as gone.
func (s *Store) Connection(ctx context.Context, user owner.User, id string) (connection.Connection, error) {
	c, err := s.AnyConnection(ctx, user, id)
	if err == nil && c.Status == connection.Deleting {
		return connection.Connection{}, outcome.ErrNotFound
	}
	return c, err
}

// AnyConnection reads a connection consistently, whatever its status.
func (s *Store) AnyConnection(ctx context.Context, user owner.User, id string) (connection.Connection, error) {
	row, err := s.table.Row(ctx, connectionKey(user, id))
	if err != nil {
		return connection.Connection{}, err
	}
	return toConnection(row)
}

// ConnectionOwner returns the owner of the connection with this ID.
func (s *Store) ConnectionOwner(ctx context.Context, id string) (owner.User, error) {
	r, err := dynamo.Get[ownerRow](ctx, s.table, connectionOwnerKey(id))
	return r.owner(), err
}

// Connections reads a page of a user's connections. Users have a handful.
func (s *Store) Connections(
	ctx context.Context, user owner.User, limit int, position string,
) ([]connection.Connection, string, error) {
	var page []connection.Connection
	for row, err := range s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Eventual: true, Limit: max(limit+2, 100), // accounts lie between
		Sort: dynamo.Between(cmp.Or(position, connectionPrefix), connectionPrefix+highest),
	}) {
		if err != nil {
			return nil, "", err
		}
		if sk := dynamo.KeyOf(row).SK; sk == position || isAccount(sk) {
			continue
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

// DueConnections finds the connections that are due in the index, then reads them.
func (s *Store) DueConnections(
	ctx context.Context, kind connection.DueKind, shard int, until time.Time,
) iter.Seq2[connection.Connection, error] {
	return dynamo.Convert(s.due.Rows(ctx, s.table, string(kind), shard, until), toConnection)
}

// SaveConnection replaces the version of the connection that was read as c. The
// same transaction writes its events and the messages with the jobs for bank-sync.
func (s *Store) SaveConnection(
	ctx context.Context, c connection.Connection, also idempotency.Effect[connection.Connection],
	jobs ...connection.SyncJob,
) error {
	var x dynamo.Transaction
	s.addConnection(ctx, &x, c)
	s.addJobs(ctx, &x, jobs)
	also.Put(&x, c)
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
		m := outbox.Message{ID: s.newID(), Queue: outbox.SyncQueue, Body: job, User: job.User}
		outbox.Put(ctx, x, s.outbox, m, s.now())
	}
}

// addConnection replaces the row if it still has the version of c, and puts the
// events of c into the outbox.
func (s *Store) addConnection(ctx context.Context, x *dynamo.Transaction, c connection.Connection) {
	unchanged := dynamo.Expr("version = ?", c.Version)
	c.Version++
	x.Put(s.table, connectionKey(c.Owner, c.ID), s.toConnectionRow(c), unchanged)
	s.addEvents(ctx, x, c.Owner, c.Events)
	s.addConsents(x, c)
}

func (s *Store) toConnectionRow(c connection.Connection) connectionRow {
	r := connectionRow{
		Connection: c, ownerRow: toOwnerRow(c.Owner),
		Partial: c.Partial, Access: c.Access, TestRows: c.TestRows,
	}
	if a := c.Authorisation; a != nil {
		r.Authorisation = &authorisationRow{*a, a.Next}
		if a.Next.Kind == pfm.StepRedirect {
			r.Authorisation.Kind = ""
		}
	}
	if kind, at := c.Due(); kind != "" {
		r.DueKind, r.DueAt = s.due.Key(string(kind), c.ID), dynamo.Time(at)
	}
	return r
}

// toConnection decodes a connectionRow.
func toConnection(row dynamo.Item) (connection.Connection, error) {
	r, err := dynamo.Decode[connectionRow](row)
	c := r.Connection
	c.Owner, c.Partial, c.Access, c.TestRows = r.owner(), r.Partial, r.Access, r.TestRows
	if a := r.Authorisation; a != nil {
		c.Authorisation, a.Next = &a.Authorisation, a.Step
		if a.URL != "" {
			a.Next.Kind = pfm.StepRedirect
		}
	}
	return c, err
}

type accountRow struct {
	pfm.Account
	ownerRow
}

// AccountViews reads a page of a user's accounts. It begins at the connection of the last account
// on the previous page because that row is needed again. Users have a handful of accounts.
func (s *Store) AccountViews(
	ctx context.Context, user owner.User, limit int, position string,
) ([]connection.AccountView, string, error) {
	from, _, _ := strings.Cut(position, accountInfix)
	held, err := s.holdings(ctx, user, from, true)
	sortKey := func(v connection.AccountView) string {
		return accountKey(user, v.Connection.ID, v.Account.ID).SK
	}
	var shown []connection.AccountView
	for _, h := range held.All {
		for _, a := range h.Accounts {
			v := connection.AccountView{Account: a, Connection: h.Connection}
			if h.Connection.Status != connection.Deleting && sortKey(v) > position {
				shown = append(shown, v)
			}
		}
	}
	if len(shown) > limit {
		return shown[:limit], sortKey(shown[limit-1]), nil
	}
	return shown, "", err
}

// ConnectionAccounts reads a connection's accounts consistently.
func (s *Store) ConnectionAccounts(
	ctx context.Context, user owner.User, connectionID string,
) ([]pfm.Account, error) {
	accounts := accountKey(user, connectionID, "")
	rows := s.table.Query(ctx, dynamo.Query{Partition: accounts.PK, Sort: dynamo.Prefix(accounts.SK)})
	return dynamo.Collect(rows, toAccount)
}

func toAccountRow(a pfm.Account) accountRow { return accountRow{a, toOwnerRow(a.Owner)} }

// toAccount decodes an accountRow.
func toAccount(row dynamo.Item) (pfm.Account, error) {
	r, err := dynamo.Decode[accountRow](row)
	r.Owner = r.owner()
	return r.Account, err
}
