package consolefn

import (
	"context"
	"time"

	"aviso/internal/clock"
	"aviso/internal/console"
	"aviso/internal/dynamo/owner"
	"aviso/internal/identity"
)

// userClocks implements console.Clocks.
type userClocks struct{ service *identity.UserClocks }

func (c userClocks) Get(ctx context.Context, user owner.User) (console.UserClock, error) {
	k, err := c.service.Get(ctx, user)
	return console.UserClock{Now: k.Setting.At(clock.Read(time.Now)).Time(), Until: k.Until, Advancing: k.IsAdvancing()}, err
}

func (c userClocks) Advance(ctx context.Context, user owner.User, to time.Time) error {
	_, err := c.service.Advance(ctx, user, func(time.Time) time.Time { return to }, "/advanceTo")
	return err
}
