package notificationdb_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification/notificationdb"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/notificationtest"
)

const freshRoot = "another root of the sealing keys of the tests"

// meanwhile is a Resealer that runs something else during each call.
type meanwhile struct {
	notificationdb.Resealer
	happens func()
}

func (m meanwhile) Reseal(sealed []byte, binding string) ([]byte, error) {
	m.happens()
	return m.Resealer.Reseal(sealed, binding)
}

func TestResealSecrets(t *testing.T) {
	oldRoot := "root of the sealing keys of the tests"
	sealer := func(r keyring.Root) *keyring.Sealer {
		s, err := r.Sealer("webhook")
		require.NoError(t, err)
		return s
	}
	rotated := sealer(keyring.Root{Current: freshRoot, Previous: oldRoot})

	t.Run("seals every key again, so the previous root can go", func(t *testing.T) {
		old, db, table, outbox := newStore(t)
		sub, secret := notificationtest.SampleSubscription(), notificationtest.SampleSecret(notificationtest.Noon())
		require.NoError(t, old.CreateSubscription(t.Context(), sub, secret, nil))
		for range 3 {
			another := secret
			another.ID = uuid.NewString()
			require.NoError(t, old.SaveSecrets(t.Context(), sub, nil, another))
			sub.SecretsVersion++
		}
		before, err := old.Secrets(t.Context(), sub.Partner, sub.ID)
		require.NoError(t, err)
		done, err := old.ResealSecrets(t.Context(), rotated)
		require.NoError(t, err)
		assert.Equal(t, notificationdb.Resealed{Secrets: 4, Resealed: 4}, done)
		fresh := notificationdb.New(db, table, outbox, sealer(keyring.Root{Current: freshRoot}), notificationtest.Noon, uuid.NewString)
		after, err := fresh.Secrets(t.Context(), sub.Partner, sub.ID)
		require.NoError(t, err)
		assert.ElementsMatch(t, before, after)
		done, err = fresh.ResealSecrets(t.Context(), rotated)
		require.NoError(t, err)
		assert.Equal(t, notificationdb.Resealed{Secrets: 4}, done)
	})

	t.Run("counts secrets that no key opens, and continues", func(t *testing.T) {
		old, _, _, _ := newStore(t)
		sub, secret := notificationtest.SampleSubscription(), notificationtest.SampleSecret(notificationtest.Noon())
		require.NoError(t, old.CreateSubscription(t.Context(), sub, secret, nil))
		done, err := old.ResealSecrets(t.Context(), sealer(keyring.Root{Current: freshRoot}))
		require.NoError(t, err)
		assert.Equal(t, notificationdb.Resealed{Secrets: 1, Unopened: 1}, done)
	})

	t.Run("does not restore a secret deleted meanwhile", func(t *testing.T) {
		old, _, _, _ := newStore(t)
		sub := notificationtest.SampleSubscription()
		require.NoError(t, old.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon()), nil))
		done, err := old.ResealSecrets(t.Context(), meanwhile{rotated, func() {
			require.NoError(t, old.DeleteSubscription(t.Context(), sub))
		}})
		require.NoError(t, err)
		assert.Equal(t, notificationdb.Resealed{Secrets: 1}, done)
		left, err := old.Secrets(t.Context(), sub.Partner, sub.ID)
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}
