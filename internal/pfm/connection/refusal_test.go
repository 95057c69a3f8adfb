package connection_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

func TestTheBanksAnswerIsKept(t *testing.T) {
	refuses := func(kind pfm.SupplierErrorKind) func(string) error {
		return func(operation string) error {
			return &pfm.SupplierError{
				Kind: kind, Operation: operation, Status: 503, BankCode: "SERVICE_BLOCKED", Message: "Closed until 6", RequestID: "r-1",
			}
		}
	}
	kept := func(w *world, operation string) *connection.Refusal {
		return &connection.Refusal{
			At: w.clock.Now(), Operation: operation, Status: 503, Code: "SERVICE_BLOCKED", Message: "Closed until 6", RequestID: "r-1",
		}
	}

	t.Run("until a sync succeeds", func(t *testing.T) {
		w, c := synced(t)
		w.bank.Before = refuses(pfm.SupplierRejected)
		w.syncOnce(c.ID)
		assert.Equal(t, kept(w, "read accounts"), w.read(c.ID).Refusal)
		w.bank.Before = nil
		w.syncOnce(c.ID)
		assert.Nil(t, w.read(c.ID).Refusal)
	})

	t.Run("if it is about one account", func(t *testing.T) {
		w, c := synced(t)
		w.bank.Before = func(operation string) error {
			if operation == "read transactions" {
				return refuses(pfm.SupplierRejected)(operation)
			}
			return nil
		}
		w.syncOnce(c.ID)
		assert.Equal(t, kept(w, "read transactions"), w.read(c.ID).Refusal)
	})

	t.Run("if it refuses an authorisation, until one succeeds", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.bank.Before = refuses(pfm.SupplierUnavailable)
		_, err := w.visit(c.ID)
		require.ErrorIs(t, err, connection.ErrBankUnavailable)
		assert.Equal(t, kept(w, "request consent"), w.read(c.ID).Refusal)
		w.bank.Before = nil
		w.reconnect(c.ID)
		w.authorise(c.ID)
		assert.Nil(t, w.read(c.ID).Refusal)
	})

	t.Run("not for failures of ours", func(t *testing.T) {
		w, c := synced(t)
		w.bank.Before = func(string) error { return assert.AnError }
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(w.request(c.ID)), 1))
		assert.Nil(t, w.read(c.ID).Refusal)
	})
}
