package connection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// ReturnURL returns where a partner's users are sent back: to wanted if that is registered, or to the
// first registered URL if wanted is empty. If there is no such URL, it returns "" and the registered URLs.
type ReturnURL func(ctx context.Context, partner owner.PartnerID, wanted string) (owner.Destination, error)

// ConnectionsStore stores connections. As in all stores of this package, methods return
// outcome.ErrNotFound if there is no such row, and outcome.ErrChanged if a write loses a race.
type ConnectionsStore interface {
	Provider(ctx context.Context, id string) (pfm.Provider, error)
	// CreateConnection returns outcome.ErrNotFound if the user does not exist.
	CreateConnection(ctx context.Context, c Connection, also idempotency.Effect[Connection]) error
	Connection(ctx context.Context, user owner.User, id string) (Connection, error)
	// ConnectionOwner returns the connection's owner. It serves the user's browser,
	// which knows the ID only.
	ConnectionOwner(ctx context.Context, id string) (owner.User, error)
	// Connections returns a page of the user's connections.
	Connections(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []Connection, next string, err error)
	// AccountViews returns a page of the user's accounts with their connections.
	AccountViews(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []AccountView, next string, err error)
	// Holdings returns the user's connections with their accounts, read consistently. Those that are
	// being deleted are among them.
	Holdings(ctx context.Context, user owner.User) (Holdings, error)
	// IsSyncing reports whether a sync of the connection holds its lease.
	IsSyncing(ctx context.Context, user owner.User, id string, now time.Time) (bool, error)
	// SaveConnection replaces the version that c was read as, and writes c's events and
	// the jobs with it. If c is Deleting, a running sync loses its lease. If c is not, and
	// the user has been erased, it returns outcome.ErrNotFound.
	SaveConnection(ctx context.Context, c Connection, also idempotency.Effect[Connection], jobs ...SyncJob) error
	// ConsentRecords returns the records of a connection of the user's, which may be deleted.
	ConsentRecords(ctx context.Context, user owner.User, connectionID string) ([]ConsentRecord, error)
}

// Connections creates, renews, refreshes and deletes connections, and guides users
// through the authorisation at their bank.
type Connections struct{ Deps }

// Deps are the dependencies of Connections.
type Deps struct {
	Store ConnectionsStore
	Bank  pfm.SupplierOf
	// Gate admits users who have accepted the terms; AnyUser also those who have not, who may see their connections
	// and end them.
	Gate, AnyUser owner.Gate
	ReturnURL     ReturnURL
	// Disabled says whose links do not work at present; nil: all do.
	Disabled owner.Disabled
	// ConsentDays is for how many days the record of a consent is kept after the consent could have ended; 0: users
	// are not asked on our page.
	ConsentDays int
	// Brand returns the name of the user's partner, or "" if it cannot be read; nil: none has one.
	Brand func(ctx context.Context, user owner.User) string
	// Clocks finds the clocks of users; nil: all are real.
	Clocks clock.Users
	Now    func() time.Time
	NewID  func() string
	// NewSecret returns text that cannot be guessed.
	NewSecret func() string
}

// New returns the service.
func New(d Deps) *Connections { return &Connections{d} }

// Get returns one of the user's connections.
func (s *Connections) Get(ctx context.Context, user owner.User, id string) (Connection, error) {
	return owner.Read(ctx, s.AnyUser, user, func(ctx context.Context) (Connection, error) {
		c, err := s.owned(ctx, user, id)
		return c.At(clock.Now(ctx, s.Now)), err
	})
}

// List returns a page of the user's connections.
func (s *Connections) List(
	ctx context.Context, user owner.User, limit int, position string,
) (pfm.Page[Connection], error) {
	return owner.Read(ctx, s.AnyUser, user, func(ctx context.Context) (pfm.Page[Connection], error) {
		page, next, err := s.Store.Connections(ctx, user, limit, position)
		for i := range page {
			page[i] = page[i].At(clock.Now(ctx, s.Now))
		}
		return pfm.Page[Connection]{Items: page, Next: next}, err
	})
}

// changeTries is how often a write is tried when it loses a race.
const changeTries = 5

// change applies a change to one of the connections of a user whom the gate admits, and writes it together
// with the jobs that result from it.
func (s *Connections) change(
	ctx context.Context, gate owner.Gate, user owner.User, id string, also idempotency.Effect[Connection],
	apply func(*Connection) ([]SyncJob, error),
) (Connection, error) {
	read := func(ctx context.Context) (Connection, error) { return s.owned(ctx, user, id) }
	c, err := owner.Read(ctx, gate, user, read)
	for range changeTries {
		if err != nil {
			return Connection{}, err
		}
		jobs, refused := apply(&c)
		if refused != nil {
			return Connection{}, refused
		}
		err = s.Store.SaveConnection(ctx, c, also, jobs...)
		switch {
		case err == nil:
			return c, nil
		case errors.Is(err, outcome.ErrNotFound): // erased since the gate admitted the call
			return Connection{}, apierror.NoUser()
		}
		if !errors.Is(err, outcome.ErrChanged) {
			return Connection{}, fmt.Errorf("save connection: %w", err)
		}
		c, err = read(ctx)
	}
	return Connection{}, &apierror.Error{
		Code: apierror.TemporarilyUnavailable, RetryAfter: time.Second,
		Detail: "Other requests are changing the connection. Try again.",
	}
}

// owned returns one of the user's connections as it is stored.
func (s *Connections) owned(ctx context.Context, user owner.User, id string) (Connection, error) {
	c, err := s.Store.Connection(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Connection{}, apierror.New(apierror.NotFound, "The user has no connection with this ID.")
	}
	if err != nil {
		return Connection{}, fmt.Errorf("read connection: %w", err)
	}
	return c, nil
}

// AccountView is an account with its connection.
type AccountView struct {
	Account    pfm.Account
	Connection Connection
}

// Accounts returns a page of the user's accounts.
func (s *Connections) Accounts(
	ctx context.Context, user owner.User, limit int, position string,
) (pfm.Page[AccountView], error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) (pfm.Page[AccountView], error) {
		page, next, err := s.Store.AccountViews(ctx, user, limit, position)
		for i := range page {
			page[i].Connection = page[i].Connection.At(clock.Now(ctx, s.Now))
		}
		return pfm.Page[AccountView]{Items: page, Next: next}, err
	})
}

// Reconnect prepares a new authorisation for an existing connection, which keeps its ID
// and the IDs of its accounts.
func (s *Connections) Reconnect(
	ctx context.Context, user owner.User, id, returnURL string, also idempotency.Effect[Connection],
) (Connection, error) {
	return s.change(ctx, s.Gate, user, id, also, func(c *Connection) ([]SyncJob, error) {
		provider, err := s.Store.Provider(ctx, c.ProviderID)
		if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return nil, fmt.Errorf("read provider: %w", err)
		}
		to, err := s.mayConnect(ctx, user.Partner, provider, returnURL)
		if err != nil {
			return nil, err
		}
		old, now := *c, clock.Now(ctx, s.Now)
		*c = c.At(now)
		c.openLink(provider, to, s.NewSecret(), now)
		return old.endConsents(*c), nil
	})
}

// Refresh requests a sync of the connection. The visitor has an address if the user is
// present. Otherwise the law allows four reads in any 24 hours.
func (s *Connections) Refresh(
	ctx context.Context, user owner.User, id string, v Visitor, also idempotency.Effect[Connection],
) (Connection, error) {
	return s.change(ctx, s.Gate, user, id, also, func(c *Connection) ([]SyncJob, error) {
		now := clock.Now(ctx, s.Now)
		*c = c.At(now)
		if !c.SyncRequestedAt.IsZero() { // it may also wait for its next attempt, which this one replaces
			isRunning, err := s.Store.IsSyncing(ctx, user, id, now)
			if err != nil {
				return nil, fmt.Errorf("read lease: %w", err)
			}
			if isRunning {
				return nil, apierror.New(apierror.RefreshInProgress, "A refresh of this connection is already in progress.")
			}
		}
		if err := c.requestSync(now, v.IPAddress != ""); err != nil {
			return nil, err
		}
		job := c.job(JobSync)
		if v.IPAddress != "" {
			job.PSUIPAddress, job.PSUHeaders = v.IPAddress, v.Headers
		}
		return []SyncJob{job}, nil
	})
}

// MayRefresh returns why no refresh without the user is allowed now, or nil.
func (c Connection) MayRefresh(now time.Time) error { return c.requestSync(now, false) }

// requestSync marks a sync as requested, or returns an error if none is allowed now.
func (c *Connection) requestSync(now time.Time, attended bool) error {
	switch {
	case !c.IsActive():
		return apierror.New(apierror.ConnectionNotActive,
			"Only an active connection can be refreshed. Check its connectionStatus and statusReason.")
	case now.Before(c.NextRefreshPossibleAt()) && c.TestRows.From == "":
		return tooEarly(now, c.NextRefreshPossibleAt(),
			"The bank's refreshTimeoutMinutes have not passed since the last successful refresh.")
	case !attended && c.SyncRequestedAt.IsZero() && !c.countUnattended(now): // the outstanding one has been counted
		return tooEarly(now, c.nextUnattended(),
			"We have already read the bank four times in the last 24 hours without the user. "+
				"Send X-Psu-Ip-Address if the user is present, or try again later.")
	}
	c.SyncRequestedAt, c.UpdatedAt = now, now
	return nil
}

func tooEarly(now, next time.Time, detail string) error {
	return &apierror.Error{
		Code: apierror.RefreshTooEarly, Detail: detail, NextRefreshPossibleAt: next, RetryAfter: next.Sub(now),
	}
}
