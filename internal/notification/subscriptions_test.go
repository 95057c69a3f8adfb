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
	"aviso/internal/clock/clocktest"
	"aviso/internal/notification"
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

func pointers(f *apierror.Error) (all []string) {
	for _, field := range f.Fields {
		all = append(all, field.Pointer+" "+field.Code)
	}
	return all
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

func TestInvalidInputIsRefused(t *testing.T) {
	for _, test := range []struct {
		name string
		wish notification.SubscriptionInput
		want []string
	}{
		{"an address that the policy refuses", wish("http://a.example/", "webhook.ping"), []string{"/serverUrl refused"}},
		{"* with others, in any position", wish("https://a.example/", "webhook.ping", "*"), []string{"/events/1 alone"}},
		{"* twice", wish("https://a.example/", "*", "*"), []string{"/events/0 alone", "/events/1 alone"}},
		{"unknown event types", wish("https://a.example/", "webhook.ping", "webhook.pong", "Webhook.ping", ""),
			[]string{"/events/1 unknown", "/events/2 unknown", "/events/3 unknown"}},
		{"all of it at once", wish("ftp://a.example/", "*", "nothing"), []string{"/serverUrl refused", "/events/0 alone", "/events/1 unknown"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newService(t)
			_, _, err := s.Create(t.Context(), "p", test.wish, nil)
			assert.Equal(t, test.want, pointers(requireFault(t, err, apierror.ValidationFailed)))
			all, err := s.List(t.Context(), "p")
			require.NoError(t, err)
			assert.Empty(t, all)

			sub, _ := s.subscribe(t)
			_, err = s.Update(t.Context(), "p", sub.ID, test.wish)
			assert.Equal(t, test.want, pointers(requireFault(t, err, apierror.ValidationFailed)))
			got, err := s.Get(t.Context(), "p", sub.ID)
			require.NoError(t, err)
			assert.Equal(t, sub, got)
		})
	}
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

func TestSetStatus(t *testing.T) {
	const (
		active, paused, disabled = notification.SubscriptionActive, notification.SubscriptionPaused, notification.SubscriptionDisabled
		none, operator, failures = notification.ReasonNone, notification.ReasonByOperator, notification.ReasonTooManyFailures
	)
	for _, test := range []struct {
		name   string
		from   notification.SubscriptionStatus
		reason notification.SubscriptionReason
		to     notification.SubscriptionStatus
		ok     bool
	}{
		{"pauses", active, none, paused, true},
		{"pauses again", paused, none, paused, true},
		{"ends a pause", paused, none, active, true},
		{"ends what failures have disabled", disabled, failures, active, true},
		{"does not pause what failures have disabled", disabled, failures, paused, false},
		{"does not end what the operator has disabled", disabled, operator, active, false},
		{"does not pause what the operator has disabled", disabled, operator, paused, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newService(t)
			sub, _ := s.subscribe(t)
			sub.Status, sub.Reason = test.from, test.reason
			require.NoError(t, s.store.SaveSubscription(t.Context(), sub))
			got, err := s.SetStatus(t.Context(), "p", sub.ID, test.to)
			if !test.ok {
				requireFault(t, err, apierror.Conflict)
				got, err = s.Get(t.Context(), "p", sub.ID)
				require.NoError(t, err)
				assert.Equal(t, test.from, got.Status)
				assert.Equal(t, test.reason, got.Reason)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.to, got.Status)
			assert.Empty(t, got.Reason)
		})
	}
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
