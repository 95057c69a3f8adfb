package pfm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/fault"
	"aviso/internal/gate"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// changeTries is how often a change meets another one before it is given up.
const changeTries = 5

// ConnectionPage is a page of connections, and the position of the following
// page.
type ConnectionPage struct {
	Connections []Connection
	Next        string
}

// List is a page of the user's connections.
func (s *Connections) List(ctx context.Context, user owner.User, limit int, position string) (ConnectionPage, error) {
	return gate.Read(ctx, s.gate, user, func(ctx context.Context) (ConnectionPage, error) {
		page, next, err := s.store.Connections(ctx, user, limit, position)
		for i := range page {
			page[i] = page[i].At(s.now())
		}
		return ConnectionPage{Connections: page, Next: next}, err
	})
}

// Reconnect prepares another way to the bank for a connection that is there,
// which keeps its id and those of its accounts.
func (s *Connections) Reconnect(ctx context.Context, user owner.User, id, returnURL string) (Connection, error) {
	return s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		provider, err := s.store.Provider(ctx, c.ProviderID)
		if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return nil, fmt.Errorf("read provider: %w", err)
		}
		if err := s.mayConnect(ctx, user.Partner, provider, returnURL); err != nil {
			return nil, err
		}
		was, now := *c, clock.Read(s.now)
		*c = c.At(now)
		c.openLink(provider, returnURL, now)
		return was.endConsents(*c), nil
	})
}

// Delete takes the connection away from everybody at once. Its consent, its
// accounts and its transactions go as soon as bank-sync gets to it.
func (s *Connections) Delete(ctx context.Context, user owner.User, id string) error {
	_, err := s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		c.move(ConnectionDeleting, ReasonNone, clock.Read(s.now))
		return []SyncJob{c.job(JobDelete)}, nil
	})
	return err
}

// change applies a change to one of the user's connections as it is now, and
// writes it together with the jobs that follow from it.
func (s *Connections) change(ctx context.Context, user owner.User, id string, apply func(*Connection) ([]SyncJob, error)) (Connection, error) {
	read := func(ctx context.Context) (Connection, error) { return s.owned(ctx, user, id) }
	c, err := gate.Read(ctx, s.gate, user, read)
	for range changeTries {
		if err != nil {
			return Connection{}, err
		}
		jobs, refused := apply(&c)
		if refused != nil {
			return Connection{}, refused
		}
		err = s.store.SaveConnection(ctx, c, jobs...)
		if err == nil {
			return c, nil
		}
		if !errors.Is(err, outcome.ErrChanged) {
			return Connection{}, fmt.Errorf("save connection: %w", err)
		}
		c, err = read(ctx)
	}
	return Connection{}, &fault.Error{Code: fault.TemporarilyUnavailable, Detail: "The connection keeps changing; try again.", RetryAfter: time.Second}
}

// owned is one of the user's connections as it is written.
func (s *Connections) owned(ctx context.Context, user owner.User, id string) (Connection, error) {
	c, err := s.store.Connection(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Connection{}, fault.New(fault.NotFound, "The user has no connection of this id.")
	}
	if err != nil {
		return Connection{}, fmt.Errorf("read connection: %w", err)
	}
	return c, nil
}

// mayConnect refuses a way to a provider that is not to be connected, or back to
// a place that is not the partner's.
func (s *Connections) mayConnect(ctx context.Context, partner owner.PartnerID, p Provider, returnURL string) error {
	if p.Status != ProviderActive {
		return fault.New(fault.ProviderNotAvailable, "Connections to this provider cannot be made at present.")
	}
	allowed, err := s.mayReturn(ctx, partner, returnURL)
	if err != nil {
		return fmt.Errorf("check return URL: %w", err)
	}
	if !allowed {
		return fault.WithFields(fault.ReturnURLNotRegistered, "The return URL must lie under one that is registered for the partner.",
			fault.Field{Pointer: "/returnUrl", Code: "not_registered", Detail: "Scheme, host and port must be the same; the path must begin with the registered one."})
	}
	return nil
}
