package identitydb_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

var at = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// counted returns a client whose calls config counts, as in the service.
func counted(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, config.CountCalls) }

func newStore(t *testing.T, options ...func(*dynamodb.Options)) *identitydb.Store {
	db := dynamodb.New(testenv.DynamoDB(t).Options(), options...)
	return identitydb.New(db, testenv.Table(t, "IdentityTable"))
}

func erika() identity.User {
	return identity.User{
		Owner: owner.User{Partner: "p", ID: "1b4e28ba-2fa1-4d1e-883f-0016d3cca427"}, ExternalID: "customer-1",
		CountryCode: "DE", LanguageCode: "de", CreatedAt: at,
	}
}

func TestPartners(t *testing.T) {
	t.Run("are read as they were written", func(t *testing.T) {
		store := newStore(t)
		written := identity.Partner{
			ID: "p", Name: "Partner", Scopes: []string{"identity", "pfm"}, ReturnURLs: []string{"https://partner.example/"}, Disabled: true,
			Secrets: []identity.ClientSecret{{Hash: "a"}, {Hash: "b", ExpiresAt: at}},
		}
		require.NoError(t, store.PutPartner(t.Context(), written))
		read, err := store.Partner(t.Context(), "p")
		require.NoError(t, err)
		assert.Equal(t, written, read)
		assert.True(t, read.Secrets[0].ExpiresAt.IsZero(), "a secret without expiry stays so")
	})

	t.Run("are replaced completely", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.PutPartner(t.Context(), identity.Partner{ID: "p", Scopes: []string{"pfm"}, Disabled: true}))
		require.NoError(t, store.PutPartner(t.Context(), identity.Partner{ID: "p", Name: "New"}))
		read, err := store.Partner(t.Context(), "p")
		require.NoError(t, err)
		assert.Equal(t, identity.Partner{ID: "p", Name: "New"}, read)
	})

	t.Run("that do not exist are not found", func(t *testing.T) {
		_, err := newStore(t).Partner(t.Context(), "p")
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})
}

func TestPartnersAreSwitched(t *testing.T) {
	name := testenv.Table(t, "IdentityTable")
	store, now := identitydb.New(testenv.DynamoDB(t), name), at
	require.NoError(t, store.CreatePartner(t.Context(), identity.Partner{ID: "p"}))
	disabled := dynamo.DisabledIn(dynamo.NewTable(testenv.DynamoDB(t), name), func() time.Time { return now })
	for version, yes := range []bool{true, true, false, true} {
		p, err := store.Partner(t.Context(), "p")
		require.NoError(t, err)
		assert.EqualValues(t, version, p.Version)
		p.Disabled = yes
		require.NoError(t, store.SwitchPartner(t.Context(), p))
		p.Disabled = !yes
		require.ErrorIs(t, store.SwitchPartner(t.Context(), p), outcome.ErrChanged, "a stale change changes neither row")
		now = now.Add(time.Hour)
		shut, err := disabled(t.Context(), "p")
		require.NoError(t, err)
		assert.Equal(t, yes, shut)
		p, err = store.Partner(t.Context(), "p")
		require.NoError(t, err)
		assert.Equal(t, yes, p.Disabled)
	}
}

func TestStaleChangesOfPartnersAreRefused(t *testing.T) {
	t.Run("and created if there is none", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.CreatePartner(t.Context(), identity.Partner{ID: "p", Name: "First"}))
		require.ErrorIs(t, store.CreatePartner(t.Context(), identity.Partner{ID: "p", Name: "Second"}), outcome.ErrChanged)
		read, err := store.Partner(t.Context(), "p")
		require.NoError(t, err)
		assert.Equal(t, "First", read.Name)
	})

	t.Run("by only one of several at the same time", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.CreatePartner(t.Context(), identity.Partner{ID: "p"}))
		read, err := store.Partner(t.Context(), "p")
		require.NoError(t, err)
		var group errgroup.Group
		var saved atomic.Int64
		for i := range 8 {
			group.Go(func() error {
				p := read
				p.ReturnURLs = []string{fmt.Sprintf("https://partner.example/%d", i)}
				err := store.SavePartner(t.Context(), p)
				if errors.Is(err, outcome.ErrChanged) {
					return nil
				}
				saved.Add(1)
				return err
			})
		}
		require.NoError(t, group.Wait())
		assert.EqualValues(t, 1, saved.Load())
	})

	t.Run("and not if there is none", func(t *testing.T) {
		require.ErrorIs(t, newStore(t).SavePartner(t.Context(), identity.Partner{ID: "p"}), outcome.ErrChanged)
	})
}

func TestTermsPublishedConcurrentlyAreAllKept(t *testing.T) {
	store := newStore(t)
	var group errgroup.Group
	for _, kind := range identity.TermsTypes() {
		group.Go(func() error {
			return store.PublishTerms(t.Context(), identity.Terms{Type: kind, Version: "1", URL: "https://t.example/1"})
		})
	}
	require.NoError(t, group.Wait())
	terms, err := store.Terms(t.Context())
	require.NoError(t, err)
	assert.Len(t, terms, len(identity.TermsTypes()))
}

func TestUsersAreWrittenOnce(t *testing.T) {
	t.Run("a second one with the same external ID leaves no trace", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.CreateUser(t.Context(), erika(), nil))
		second := erika()
		second.Owner.ID = "2b4e28ba-2fa1-4d1e-883f-0016d3cca427"
		require.ErrorIs(t, store.CreateUser(t.Context(), second, nil), outcome.ErrChanged)
		_, err := store.User(t.Context(), second.Owner)
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("one with the same ID is never replaced", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.CreateUser(t.Context(), erika(), nil))
		second := erika()
		second.ExternalID = "customer-2"
		require.ErrorIs(t, store.CreateUser(t.Context(), second, nil), outcome.ErrChanged)
		_, err := store.UserByExternalID(t.Context(), "p", "customer-2")
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("concurrent acceptances return the same time", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.CreateUser(t.Context(), erika(), nil))
		require.NoError(t, store.PublishTerms(t.Context(), identity.Terms{Type: identity.TermsOperator, Version: "1", URL: "u"}))
		var calls atomic.Int64
		agreements := identity.NewAgreements(store, func() time.Time { return at.Add(time.Duration(calls.Add(1)) * time.Second) })
		var group errgroup.Group
		var mu sync.Mutex
		moments := map[time.Time]bool{}
		for range 16 {
			group.Go(func() error {
				a, err := agreements.Accept(t.Context(), erika().Owner, identity.TermsOperator, "1", nil)
				mu.Lock()
				defer mu.Unlock()
				moments[a.AcceptedAt] = true
				return err
			})
		}
		require.NoError(t, group.Wait())
		assert.Len(t, moments, 1)
	})

	t.Run("concurrent erasures are one", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.CreateUser(t.Context(), erika(), nil))
		var group errgroup.Group
		var begun atomic.Int64
		for i := range 16 {
			group.Go(func() error {
				err := store.BeginErasure(t.Context(), erika().Owner, identity.ErasureReceipt{
					ID: strconv.Itoa(i), Partner: erika().Owner.Partner, RequestedAt: at,
				})
				if errors.Is(err, outcome.ErrNotFound) {
					return nil
				}
				begun.Add(1)
				return err
			})
		}
		require.NoError(t, group.Wait())
		assert.EqualValues(t, 1, begun.Load())
	})
}

func TestUserWithTerms(t *testing.T) {
	t.Run("sees an acceptance at once", func(t *testing.T) {
		store := newStore(t)
		require.NoError(t, store.CreateUser(t.Context(), erika(), nil))
		require.NoError(t, store.PublishTerms(t.Context(), identity.Terms{Type: identity.TermsOperator, Version: "1", URL: "u"}))
		accepted := identity.TermsAcceptance{Type: identity.TermsOperator, Version: "1", AcceptedAt: at.Add(time.Millisecond)}
		require.NoError(t, store.Accept(t.Context(), erika().Owner, accepted, nil))
		u, terms, err := store.UserWithTerms(t.Context(), erika().Owner)
		require.NoError(t, err)
		want := erika()
		want.Acceptances = []identity.TermsAcceptance{accepted}
		assert.Equal(t, want, u)
		assert.Equal(t, []identity.Terms{{Type: identity.TermsOperator, Version: "1", URL: "u"}}, terms)
	})

	t.Run("reports the store as unavailable if not everything was read", func(t *testing.T) {
		// Tables in memory leave keys unprocessed only with rows of 16 MB.
		store := newStore(t, testenv.Around(func(call any, next func() (any, error)) (any, error) {
			batch, ok := call.(*dynamodb.BatchGetItemInput)
			if !ok {
				return next()
			}
			return &dynamodb.BatchGetItemOutput{
				Responses: map[string][]map[string]types.AttributeValue{}, UnprocessedKeys: batch.RequestItems,
			}, nil
		}))
		_, _, err := store.UserWithTerms(t.Context(), erika().Owner)
		require.Error(t, err)
		assert.Truef(t, config.Unavailable(err), "an unread user is not a missing user: %v", err)
	})
}

// A read while a request waits may take two calls at most.
func TestReadsStayWithinTheirBudget(t *testing.T) {
	store := newStore(t, counted)
	require.NoError(t, store.CreateUser(t.Context(), erika(), nil))
	require.NoError(t, store.PutPartner(t.Context(), identity.Partner{ID: "p"}))
	for name, tt := range map[string]struct {
		calls int64
		read  func(context.Context) error
	}{
		"partner":             {1, func(ctx context.Context) error { _, err := store.Partner(ctx, "p"); return err }},
		"user":                {1, func(ctx context.Context) error { _, err := store.User(ctx, erika().Owner); return err }},
		"user by external ID": {2, func(ctx context.Context) error { _, err := store.UserByExternalID(ctx, "p", "customer-1"); return err }},
		"terms":               {1, func(ctx context.Context) error { _, err := store.Terms(ctx); return err }},
		"user with the terms": {1, func(ctx context.Context) error { _, _, err := store.UserWithTerms(ctx, erika().Owner); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, calls := observe.CountCalls(t.Context())
			require.NoError(t, tt.read(ctx))
			assert.Equal(t, tt.calls, calls.Count())
		})
	}
}

func TestTheEventOfAnErasureHasTheTimeOfItsUser(t *testing.T) {
	store, table := newStore(t), testenv.Table(t, "OutboxTable")
	erasing := identitydb.NewErasureTaskStore(store, table, func() string { return "event" })
	task := identity.ErasureTask{ID: "e", User: erika().Owner}
	require.NoError(t, store.CreateUser(t.Context(), erika(), nil))
	require.NoError(t, store.BeginErasure(t.Context(), task.User, identity.ErasureReceipt{ID: task.ID, Partner: "p", RequestedAt: at}))
	ctx := clock.With(t.Context(), clock.Setting{Ahead: 30 * 24 * time.Hour})
	require.NoError(t, erasing.CompleteErasure(ctx, task, clock.Real(at)))
	erasure, err := store.Erasure(t.Context(), "p", task.ID)
	require.NoError(t, err)
	assert.Equal(t, at, erasure.CompletedAt)
	event, err := dynamo.NewTable(testenv.DynamoDB(t), table).Row(t.Context(), dynamo.Key{PK: "event"})
	require.NoError(t, err)
	assert.Contains(t, dynamo.Text(event, "body"), `"occurredAt":"2026-04-01T12:00:00Z"`)
}
