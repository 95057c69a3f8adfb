package notification_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/notification"
	"aviso/localstack/tests/clocktest"
)

// checkAddress refuses URLs that are not https, and fails for "https://broken".
var errPolicy = errors.New("policy is broken")

func checkAddress(serverURL string) error {
	switch {
	case serverURL == "https://broken":
		return errPolicy
	case !strings.HasPrefix(serverURL, "https://"):
		return &notification.AddressError{Reason: "its scheme is not https"}
	}
	return nil
}

type service struct {
	*notification.Subscriptions
	store *store
	clock *clocktest.Clock
}

func newService(t *testing.T) service {
	t.Helper()
	clock := clocktest.New()
	s := service{store: newStore(t, clock.Now), clock: clock}
	s.Subscriptions = notification.NewSubscriptions(s.store, checkAddress, s.clock.Now, uuid.NewString)
	return s
}

func wish(url string, events ...string) notification.SubscriptionInput {
	return notification.SubscriptionInput{ServerURL: &url, Events: events}
}

// subscribe creates a subscription of partner p.
func (s service) subscribe(t *testing.T) (notification.Subscription, notification.Secret) {
	t.Helper()
	sub, secret, err := s.Create(t.Context(), "p", wish("https://a.example/", notification.AllEvents), nil)
	require.NoError(t, err)
	return sub, secret
}

func requireFault(t *testing.T, err error, code apierror.Code) *apierror.Error {
	t.Helper()
	var f *apierror.Error
	require.ErrorAs(t, err, &f)
	assert.Equal(t, code, f.Code)
	return f
}

func TestCreate(t *testing.T) {
	t.Run("counts again after a concurrent creation", func(t *testing.T) {
		s := newService(t)
		for range 49 {
			s.subscribe(t)
		}
		s.store.onceBefore(func() { s.subscribe(t) })
		_, _, err := s.Create(t.Context(), "p", wish("https://a.example/", notification.AllEvents), nil)
		requireFault(t, err, apierror.Conflict)
		all, err := s.List(t.Context(), "p")
		require.NoError(t, err)
		assert.Len(t, all, 50)
	})

	t.Run("fails and writes nothing if the URL check fails", func(t *testing.T) {
		s := newService(t)
		_, _, err := s.Create(t.Context(), "p", wish("https://broken", notification.AllEvents), nil)
		require.ErrorIs(t, err, errPolicy)
		all, err := s.List(t.Context(), "p")
		require.NoError(t, err)
		assert.Empty(t, all)
	})
}

func TestUpdate(t *testing.T) {
	t.Run("writes nothing that is already so", func(t *testing.T) {
		s := newService(t)
		sub, _ := s.subscribe(t)
		s.clock.Advance(time.Hour)
		s.store.intercept = func(in any, call func() (any, error)) (any, error) {
			assert.IsType(t, &dynamodb.GetItemInput{}, in)
			return call()
		}
		for _, in := range []notification.SubscriptionInput{
			{}, {ServerURL: &sub.ServerURL, Events: []string{notification.AllEvents}, Description: &sub.Description},
		} {
			got, err := s.Update(t.Context(), "p", sub.ID, in)
			require.NoError(t, err)
			assert.Equal(t, sub, got)
		}
		got, err := s.SetStatus(t.Context(), "p", sub.ID, notification.SubscriptionActive)
		require.NoError(t, err)
		assert.Equal(t, sub.UpdatedAt, got.UpdatedAt)
	})

	t.Run("retries after a concurrent change, ten times in all", func(t *testing.T) {
		for _, others := range []int{9, 10} {
			s := newService(t)
			sub, _ := s.subscribe(t)
			tries := 0
			s.store.intercept = func(in any, call func() (any, error)) (any, error) {
				if _, ok := in.(*dynamodb.UpdateItemInput); ok {
					if tries++; tries <= others {
						return nil, &types.ConditionalCheckFailedException{}
					}
				}
				return call()
			}
			_, err := s.SetStatus(t.Context(), "p", sub.ID, notification.SubscriptionPaused)
			if others < 10 {
				require.NoError(t, err)
			} else {
				assert.Equal(t, time.Second, requireFault(t, err, apierror.TemporarilyUnavailable).RetryAfter)
			}
		}
	})
}

func TestAFailingStoreIsNotThePartnersFault(t *testing.T) {
	s := newService(t)
	sub, _ := s.subscribe(t)
	down := errors.New("the store is down")
	s.store.intercept = func(any, func() (any, error)) (any, error) { return nil, down }
	for name, call := range map[string]func(context.Context) error{
		"create": func(ctx context.Context) error {
			_, _, err := s.Create(ctx, "p", wish("https://a.example/", "*"), nil)
			return err
		},
		"list":       func(ctx context.Context) error { _, err := s.List(ctx, "p"); return err },
		"get":        func(ctx context.Context) error { _, err := s.Get(ctx, "p", sub.ID); return err },
		"delete":     func(ctx context.Context) error { return s.Delete(ctx, "p", sub.ID) },
		"add secret": func(ctx context.Context) error { _, err := s.AddSecret(ctx, "p", sub.ID, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			err := call(t.Context())
			require.ErrorIs(t, err, down)
			var f *apierror.Error
			assert.NotErrorAs(t, err, &f)
		})
	}
}
