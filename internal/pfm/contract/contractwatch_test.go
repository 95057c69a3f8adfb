package contract_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/pfmtest"
)

// watched is a store with one user's contracts, and the events that were written.
type watched struct {
	*listed

	watches []contract.Watch
	events  []contract.DeadlineEventData
	failed  error
}

func (w *watched) Watches(context.Context, owner.User) ([]contract.Watch, error) {
	return w.watches, nil
}

func (w *watched) DueShards() int { return 1 }

func (w *watched) DueContracts(_ context.Context, _ int, until time.Time) iter.Seq2[contract.Notes, error] {
	return func(yield func(contract.Notes, error) bool) {
		if !w.notes.CheckAt.IsZero() && !w.notes.CheckAt.After(until) {
			yield(w.notes, nil)
		}
	}
}

func (w *watched) SaveContractNotes(_ context.Context, n contract.Notes, events ...pfm.Event) error {
	if w.failed != nil {
		return w.failed
	}
	if n.Version != w.notes.Version {
		return outcome.ErrChanged
	}
	n.Version++
	w.notes = n
	for _, e := range events {
		data, _ := e.Data.(contract.DeadlineEventData)
		w.events = append(w.events, data)
	}
	return nil
}

func TestContractWatch(t *testing.T) {
	const id, product = "contract", "product"
	type stage struct {
		*watched

		clock     *pfmtest.Clock
		deadlines pfmtest.Deadlines
		watch     *contract.DeadlineWatch
	}
	// pass lets days pass, and checks every hour as housekeeping would.
	pass := func(t *testing.T, s stage, days int) {
		t.Helper()
		for range 24 * days {
			s.clock.Advance(time.Hour)
			_, err := s.watch.Run(t.Context())
			require.NoError(t, err)
		}
	}
	now := pfm.DateOf(pfmtest.NewClock().Now())
	setUp := func(sendBy pfm.Date) stage {
		s := stage{clock: pfmtest.NewClock()}
		s.watched = &watched{listed: &listed{
			list: []contract.Subscription{{
				ID: id, Merchant: pfm.Merchant{ID: "m"}, First: "2024-05-01", Overdue: now.AddDays(400),
			}},
			notes: contract.Notes{Owner: pfmtest.User(), CheckAt: s.clock.Now()},
		}}
		s.deadlines = pfmtest.Deadlines{product: {
			EarliestEnd: sendBy, EarliestFreeEnd: sendBy.AddDays(40), NextChance: sendBy.AddDays(405),
			SendBy: []pfm.ContractSendBy{{Channel: "Mail", Date: sendBy}, {Channel: "Email", Date: sendBy.AddDays(3)}},
		}}
		cancellables := pfmtest.Cancellables{"m": {OrganizationID: "o", ProductID: product}}
		s.watch = contract.NewDeadlineWatch(s, cancellables.Find, s.deadlines.Find, s.clock.Now)
		return s
	}

	t.Run("notifies 30 and 7 days before the last day to send, once each", func(t *testing.T) {
		s := setUp(now.AddDays(45))
		pass(t, s, 14)
		require.Empty(t, s.events)
		pass(t, s, 2)
		require.Len(t, s.events, 1)
		assert.Equal(t, contract.DeadlineEventData{
			SubscriptionID: id, OrganizationID: "o", ProductID: product, ContractStart: "2024-05-01",
			StartSource: "FirstPayment", EarliestEnd: now.AddDays(85), Channel: "Mail", SendBy: now.AddDays(45),
			NextChance: now.AddDays(450),
		}, s.events[0])
		pass(t, s, 21)
		require.Len(t, s.events, 1)
		pass(t, s, 2)
		require.Len(t, s.events, 2)
		pass(t, s, 5)
		assert.Len(t, s.events, 2)
	})

	t.Run("notifies once if both are late", func(t *testing.T) {
		s := setUp(now.AddDays(3))
		pass(t, s, 3)
		assert.Len(t, s.events, 1)
	})

	t.Run("notifies of a new deadline", func(t *testing.T) {
		s := setUp(now.AddDays(20))
		pass(t, s, 1)
		require.Len(t, s.events, 1)
		other := s.deadlines[product]
		other.SendBy = []pfm.ContractSendBy{{Channel: "Mail", Date: now.AddDays(25)}}
		s.deadlines[product] = other
		s.notes.CheckAt = s.clock.Now() // as a PATCH does
		pass(t, s, 1)
		require.Len(t, s.events, 2)
		assert.Equal(t, now.AddDays(25), s.events[1].SendBy)
	})

	t.Run("finds new terms of the catalogue within 30 days", func(t *testing.T) {
		s := setUp(now.AddDays(400))
		pass(t, s, 1)
		other := s.deadlines[product]
		other.SendBy = []pfm.ContractSendBy{{Channel: "Mail", Date: now.AddDays(40)}}
		s.deadlines[product] = other
		pass(t, s, 31)
		assert.Len(t, s.events, 1)
	})

	t.Run("is silent about contracts that can end every month, and that have ended", func(t *testing.T) {
		s := setUp(now.AddDays(20))
		monthly := s.deadlines[product]
		monthly.NextChance = monthly.EarliestFreeEnd.AddDays(31)
		s.deadlines[product] = monthly
		pass(t, s, 20)
		assert.Empty(t, s.events)

		s = setUp(now.AddDays(45))
		s.list[0].Overdue = now.AddDays(10)
		pass(t, s, 45)
		assert.Empty(t, s.events)
		assert.Zero(t, s.notes.CheckAt, "nothing is left to check")
	})

	t.Run("is silent about a contract that is cancelled, until the cancellation came to nothing", func(t *testing.T) {
		s := setUp(now.AddDays(45))
		s.watches = []contract.Watch{{Contract: contract.WatchedContract{SubscriptionID: id}}}
		pass(t, s, 30)
		assert.Empty(t, s.events)
		s.watches[0].Stopped = true
		pass(t, s, 10)
		assert.Len(t, s.events, 1, "that of the last week")
	})

	t.Run("tries again after a failure, and leaves a lost race to the winner", func(t *testing.T) {
		s := setUp(now.AddDays(20))
		s.failed = errors.New("down")
		_, err := s.watch.Run(t.Context())
		require.ErrorIs(t, err, s.failed)
		s.failed = outcome.ErrChanged
		_, err = s.watch.Run(t.Context())
		require.NoError(t, err)
		s.failed = nil
		pass(t, s, 1)
		assert.Len(t, s.events, 1)
	})
}
