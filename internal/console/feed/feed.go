// Package feed tells the console what happens elsewhere: requests and callbacks from the
// functions' logs, and events from the stream of the outbox. The functions that do these
// things know nothing of it. It also has the entries of the console's own audit log.
//
// Streams and logs deliver at least once and in no order that counts, so a store adds each
// event, or the lines that came together, and what they count in one transaction, once.
package feed

import (
	"context"
	"log/slog"

	"aviso/internal/owner"
)

// Store keeps what the console shows of the past. A record that it has already is not an error.
type Store interface {
	// AddLines counts what the lines say, and keeps the requests that failed and a sample of the others.
	AddLines(ctx context.Context, partner owner.PartnerID, l Lines) error
	// AddEvents leaves out the events of users who are gone.
	AddEvents(ctx context.Context, partner owner.PartnerID, events []Event) error
}

// Feed takes what streams and logs deliver.
type Feed struct {
	store Store
	log   *slog.Logger
}

// New returns a Feed that fills store.
func New(store Store, log *slog.Logger) *Feed { return &Feed{store: store, log: log} }

// skip logs a record that cannot be read. It never will be, so it holds up no others. Its
// content may be anything, so the line has none of it.
func (f *Feed) skip(ctx context.Context, source, id string) {
	f.log.LogAttrs(ctx, slog.LevelError, "console record skipped", slog.String("Service", "console"),
		slog.String("source", source), slog.String("record", id))
}
