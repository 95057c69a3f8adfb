package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/owner"
)

func TestTimeIsInUTCAndMilliseconds(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 1_999_999, time.FixedZone("CET", 3600)) }
	want := time.Date(2026, 3, 2, 11, 0, 0, 1_000_000, time.UTC)
	assert.Equal(t, want, clock.Read(now).Time())
	assert.Equal(t, want, clock.Now(t.Context(), now))
	ahead := clock.With(t.Context(), clock.Setting{Ahead: 36 * time.Hour})
	assert.Equal(t, want.Add(36*time.Hour), clock.Now(ahead, now))
	assert.Equal(t, want, clock.Read(now).Time(), "what users share stays real")
	assert.Equal(t, want, clock.Now(clock.With(ahead, clock.Setting{}), now), "another user's work")
	stopped := want.AddDate(1, 0, 0)
	assert.Equal(t, stopped, clock.Now(clock.With(ahead, clock.Setting{Ahead: time.Hour, Stopped: stopped}), now))
}

// users has the settings of users by ID.
type users map[owner.UserID]clock.Setting

func (u users) Setting(_ context.Context, user owner.User) (clock.Setting, error) {
	if s, ok := u[user.ID]; ok {
		return s, nil
	}
	return clock.Setting{}, errors.New("no store")
}

func TestFor(t *testing.T) {
	all := users{"u": {Ahead: time.Hour}}
	ctx, err := clock.For(t.Context(), all, owner.User{Partner: "p", ID: "u"})
	require.NoError(t, err)
	assert.Equal(t, clock.Setting{Ahead: time.Hour}, clock.From(ctx))
	_, err = clock.For(t.Context(), all, owner.User{Partner: "p", ID: "broken"})
	require.Error(t, err)
	for name, ask := range map[string]clock.Users{"nobody's clock can be moved": nil, "no user": all} {
		for _, from := range []context.Context{t.Context(), ctx} {
			ctx, err := clock.For(from, ask, owner.User{Partner: "p"})
			require.NoError(t, err, name)
			assert.Zero(t, clock.From(ctx), name)
		}
	}
}
