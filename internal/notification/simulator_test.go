package notification_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// admit knows one user.
func admit(_ context.Context, user owner.User) error {
	if user != (owner.User{Partner: "p", ID: "u"}) {
		return apierror.New(apierror.UserNotFound, "There is no such user.")
	}
	return nil
}

func (s service) simulator(production bool) *notification.Simulator {
	return notification.NewSimulator(s.store, admit, production, s.clock.Now, uuid.NewString)
}

// The request may be made for a user, but it is the body that says whom the event is about.
func TestASimulatedEventHasTheTimeOfItsUser(t *testing.T) {
	s := newService(t)
	s.subscribe(t)
	simulator := s.simulator(false)
	simulator.Clocks = ahead(30 * 24 * time.Hour)
	ctx := clock.With(t.Context(), clock.Setting{Ahead: time.Hour})
	for user, ahead := range map[owner.UserID]time.Duration{"u": 30 * 24 * time.Hour, "": 0} {
		e, err := simulator.Simulate(ctx, "p", notification.Simulation{EventType: "webhook.ping", User: user}, nil)
		require.NoError(t, err)
		assert.Equal(t, s.clock.Now().Add(ahead), e.OccurredAt.Time(), user)
	}
}

func TestSimulateForNobody(t *testing.T) {
	s := newService(t)
	simulate := func(in notification.Simulation) error {
		in.EventType = "webhook.ping"
		_, err := s.simulator(false).Simulate(t.Context(), "p", in, nil)
		return err
	}
	refused := func(err error, detail string) {
		t.Helper()
		assert.Equal(t, detail, requireFault(t, err, apierror.SubscriptionNotListening).Detail)
		assert.Empty(t, s.store.events(t))
	}
	const nobody = "You have no Active subscription to events of this type."
	refused(simulate(notification.Simulation{}), nobody)

	other, _, err := s.Create(t.Context(), "p", wish("https://a.example/", "cancellation.sent"), nil)
	require.NoError(t, err)
	refused(simulate(notification.Simulation{}), nobody)
	refused(simulate(notification.Simulation{SubscriptionID: other.ID}),
		"The subscription does not include events of this type.")

	paused, _ := s.subscribe(t)
	_, err = s.SetStatus(t.Context(), "p", paused.ID, notification.SubscriptionPaused)
	require.NoError(t, err)
	refused(simulate(notification.Simulation{}), nobody)
	refused(simulate(notification.Simulation{SubscriptionID: paused.ID}), "The subscription is Paused.")

	_, err = s.SetStatus(t.Context(), "p", paused.ID, notification.SubscriptionActive)
	require.NoError(t, err)
	require.NoError(t, simulate(notification.Simulation{}))
}
