package console

import (
	"context"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo/owner"
)

// Past has what happened, as the feed has seen it. What there is none of, or no longer, is
// outcome.ErrNotFound. Pages go on from the position that the page before ended with.
type Past interface {
	Overview(ctx context.Context, partner owner.PartnerID, window feed.Window) (feed.Overview, error)
	Requests(
		ctx context.Context, partner owner.PartnerID, onlyFailed bool, limit int, position string,
	) ([]feed.Request, string, error)
	// Find finds a trace by its ID or the ID of a request.
	Find(ctx context.Context, partner owner.PartnerID, id string) (feed.Trace, error)
	Timeline(ctx context.Context, user owner.User, limit int, position string) ([]feed.Event, string, error)
	// Events are those of all users, the last seen first, with or without the routine ones.
	Events(
		ctx context.Context, partner owner.PartnerID, routine bool, limit int, position string,
	) ([]feed.Event, string, error)
	Event(ctx context.Context, partner owner.PartnerID, id string) (feed.Event, error)
	Attempts(ctx context.Context, partner owner.PartnerID, eventID string) ([]feed.Attempt, error)
}
