package notificationdb_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/notificationtest"
)

// limits checks that the store's conditions keep the limits of the service under
// parallel calls.
func limits(t *testing.T, s *notificationdb.Store) {
	service := notification.NewSubscriptions(s, func(string) error { return nil }, notificationtest.Noon, uuid.NewString)
	input := notification.SubscriptionInput{
		ServerURL: new("https://partner.example/hook"), Events: []string{notification.AllEvents},
	}
	create := func(t *testing.T, partner owner.PartnerID) notification.Subscription {
		sub, _, err := service.Create(t.Context(), partner, input, nil)
		require.NoError(t, err)
		return sub
	}
	statuses := func(t *testing.T, sub notification.Subscription) map[notification.SecretStatus]int {
		secrets, err := s.Secrets(t.Context(), sub.Partner, sub.ID)
		require.NoError(t, err)
		count := map[notification.SecretStatus]int{}
		for _, secret := range secrets {
			count[secret.Status(realNoon())]++
		}
		return count
	}

	t.Run("82 parallel creations leave 50 subscriptions", func(t *testing.T) {
		partner := owner.PartnerID(uuid.NewString())
		created := together(t, 82, func(int) error {
			_, _, err := service.Create(t.Context(), partner, input, nil)
			return err
		})
		all, err := s.Subscriptions(t.Context(), partner)
		require.NoError(t, err)
		assert.Equal(t, []int{50, 50}, []int{created, len(all)})
		require.NoError(t, service.Delete(t.Context(), partner, all[0].ID))
		create(t, partner)
	})

	t.Run("40 parallel secrets leave five that sign, one of them Active", func(t *testing.T) {
		sub := create(t, "p")
		added := together(t, 40, func(int) error {
			_, err := service.AddSecret(t.Context(), sub.Partner, sub.ID, nil)
			return err
		})
		assert.Equal(t, 4, added)
		assert.Equal(t, map[notification.SecretStatus]int{
			notification.SecretActive: 1, notification.SecretExpiring: 4,
		}, statuses(t, sub))
	})

	t.Run("parallel revocations of all secrets leave one Active", func(t *testing.T) {
		sub := create(t, "p")
		saveActive(t, s, sub, 9)
		secrets, err := s.Secrets(t.Context(), sub.Partner, sub.ID)
		require.NoError(t, err)
		revoked := together(t, len(secrets), func(i int) error {
			return service.RevokeSecret(t.Context(), sub.Partner, sub.ID, secrets[i].ID)
		})
		assert.Equal(t, 9, revoked)
		assert.Equal(t, map[notification.SecretStatus]int{
			notification.SecretActive: 1, notification.SecretRevoked: 9,
		}, statuses(t, sub))
	})

	t.Run("parallel creations and revocations leave one Active", func(t *testing.T) {
		sub := create(t, "p")
		saveActive(t, s, sub, 3)
		secrets, err := s.Secrets(t.Context(), sub.Partner, sub.ID)
		require.NoError(t, err)
		together(t, 2*len(secrets), func(i int) error {
			if i < len(secrets) {
				return service.RevokeSecret(t.Context(), sub.Partner, sub.ID, secrets[i].ID)
			}
			_, err := service.AddSecret(t.Context(), sub.Partner, sub.ID, nil)
			return err
		})
		count := statuses(t, sub)
		assert.Equal(t, 1, count[notification.SecretActive])
		assert.LessOrEqual(t, count[notification.SecretActive]+count[notification.SecretExpiring], 5)
	})

	t.Run("40 parallel calls take four slots", func(t *testing.T) {
		sub := create(t, "p")
		taken := together(t, 40, func(int) error {
			now := notificationtest.Noon()
			_, err := s.AcquireSlot(t.Context(), sub, notification.InitialLimit, clock.Real(now), clock.Real(now.Add(time.Minute)))
			if errors.Is(err, outcome.ErrChanged) {
				return apierror.New(apierror.Conflict, "All slots are taken.")
			}
			return err
		})
		assert.Equal(t, 4, taken)
	})

	t.Run("200 parallel calls take 60 slots, each a different one", func(t *testing.T) {
		sub := create(t, "p")
		var mu sync.Mutex
		held := map[int]bool{}
		take := func(int) error {
			slot, err := s.AcquireSlot(t.Context(), sub, 60, realNoon(), realNoon().Add(time.Minute))
			if errors.Is(err, outcome.ErrChanged) {
				return apierror.New(apierror.Conflict, "All slots are taken.")
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil && held[slot.Number] {
				return fmt.Errorf("slot %d was taken twice", slot.Number)
			}
			held[slot.Number] = true
			return err
		}
		taken := together(t, 200, take)
		assert.Equal(t, 60, taken)
		for number := range held {
			assert.Less(t, number, 60)
			require.NoError(t, s.ReleaseSlot(t.Context(), sub, number, realNoon().Add(time.Minute)))
		}
		clear(held)
		assert.Equal(t, 60, together(t, 200, take), "all were released")
	})

	t.Run("of 20 parallel changes of the number of slots one wins", func(t *testing.T) {
		sub := create(t, "p")
		won := together(t, 20, func(i int) error {
			err := s.SetLimit(t.Context(), sub, 5+i)
			if errors.Is(err, outcome.ErrChanged) {
				return apierror.New(apierror.Conflict, "Somebody else was faster.")
			}
			return err
		})
		assert.Equal(t, 1, won)
	})

	t.Run("a deletion among parallel creations leaves no secret", func(t *testing.T) {
		for range 5 {
			sub := create(t, "p")
			together(t, 4, func(i int) error {
				if i == 3 {
					return service.Delete(t.Context(), sub.Partner, sub.ID)
				}
				_, err := service.AddSecret(t.Context(), sub.Partner, sub.ID, nil)
				return err
			})
			assert.Empty(t, statuses(t, sub))
		}
	})
}

// together makes n calls at once, and each again while it is told to come back later.
// It returns how many succeeded. The others must be refused for good.
func together(t *testing.T, n int, call func(i int) error) (succeeded int) {
	t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for range 1000 {
				errs[i] = call(i)
				if !isFault(errs[i], apierror.TemporarilyUnavailable) {
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		switch {
		case err == nil:
			succeeded++
		case !isFault(err, apierror.Conflict) && !isFault(err, apierror.NotFound):
			require.NoError(t, err)
		}
	}
	return succeeded
}

func isFault(err error, code apierror.Code) bool {
	fault, ok := errors.AsType[*apierror.Error](err)
	return ok && fault.Code == code
}

// saveActive adds n secrets that are Active, as parallel calls could once leave them.
func saveActive(t *testing.T, s *notificationdb.Store, sub notification.Subscription, n int) {
	t.Helper()
	secrets := make([]notification.Secret, n)
	for i := range secrets {
		secrets[i] = notificationtest.SampleSecret(notificationtest.Noon())
	}
	require.NoError(t, s.SaveSecrets(t.Context(), sub, nil, secrets...))
}
