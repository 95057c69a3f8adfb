package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmtest"
)

// While a user's clock is advanced, partners are notified of contracts' deadlines at their time.
func TestDueWorkNotifiesOfDeadlines(t *testing.T) {
	w, _ := watching(t)
	sendBy := pfm.DateOf(w.clock.Now()).AddDays(10)
	deadlines := pfmtest.Deadlines{"product": {
		EarliestEnd: sendBy, EarliestFreeEnd: sendBy.AddDays(40), NextChance: sendBy.AddDays(405),
		SendBy: []pfm.ContractSendBy{{Channel: "Mail", Date: sendBy}},
	}}
	cancellables := pfmtest.Cancellables{pfmtest.ID(pfm.MediaStreaming): {OrganizationID: streaming, ProductID: "product"}}
	work := connection.NewDueWork(
		w.store, w.syncer.Syncer, contract.NewDeadlineWatch(w.store, cancellables.Find, deadlines.Find, w.clock.Now),
	)
	w.takeEvents()
	end := w.clock.Now().AddDate(0, 0, 9)
	var notified []time.Duration
	for range 10 {
		next, err := work.NextDue(t.Context(), pfmtest.User(), end)
		require.NoError(t, err)
		if next.IsZero() || next.After(end) {
			break
		}
		w.clock.Advance(next.Sub(w.clock.Now()))
		require.NoError(t, work.DoDue(t.Context(), pfmtest.User()))
		for _, e := range w.takeEvents() {
			require.Equal(t, contract.EventDeadlineApproaching, e.Type)
			notified = append(notified, sendBy.Time().Sub(w.clock.Now()).Truncate(day))
		}
	}
	assert.Equal(t, []time.Duration{9 * day, 6 * day}, notified, "the first notice is late")
}
