package notification_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/localstack/tests/notificationtest"
)

// statuses returns the statuses of the secrets of p's subscription, newest first.
func (s service) statuses(t *testing.T, id string) (all []notification.SecretStatus) {
	t.Helper()
	secrets, err := s.Secrets(t.Context(), "p", id)
	require.NoError(t, err)
	for _, x := range secrets {
		all = append(all, x.Status(clock.Real(s.clock.Now())))
	}
	return all
}

func TestSecrets(t *testing.T) {
	const active, expiring, revoked = notification.SecretActive, notification.SecretExpiring, notification.SecretRevoked

	t.Run("a third one does not extend the first", func(t *testing.T) {
		s := newService(t)
		sub, _ := s.subscribe(t)
		for range 2 {
			s.clock.Advance(12 * time.Hour)
			_, err := s.AddSecret(t.Context(), "p", sub.ID, nil)
			require.NoError(t, err)
		}
		s.clock.Advance(12 * time.Hour)
		assert.Equal(t, []notification.SecretStatus{active, expiring, revoked}, s.statuses(t, sub.ID))
	})

	t.Run("one that is revoked among others leaves the last Active one", func(t *testing.T) {
		s := newService(t)
		sub, first := s.subscribe(t)
		second := notificationtest.SampleSecret(s.clock.Now().Add(time.Second))
		require.NoError(t, s.store.SaveSecrets(t.Context(), sub, nil, second))
		s.store.onceBefore(func() { require.NoError(t, s.RevokeSecret(t.Context(), "p", sub.ID, second.ID)) })
		requireFault(t, s.RevokeSecret(t.Context(), "p", sub.ID, first.ID), apierror.Conflict)
		assert.Equal(t, []notification.SecretStatus{revoked, active}, s.statuses(t, sub.ID))
	})

	t.Run("one for a subscription that is deleted meanwhile is not found", func(t *testing.T) {
		s := newService(t)
		sub, _ := s.subscribe(t)
		s.store.onceBefore(func() { require.NoError(t, s.Delete(t.Context(), "p", sub.ID)) })
		_, err := s.AddSecret(t.Context(), "p", sub.ID, nil)
		requireFault(t, err, apierror.NotFound)
		left, err := s.store.Secrets(t.Context(), "p", sub.ID)
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}
