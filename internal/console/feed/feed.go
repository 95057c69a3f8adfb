// Package feed collects data for the console: requests and callbacks from the functions' logs, and events from the
// outbox's stream. Those functions do not depend on it. It also has the entries of the console's own audit log.
//
// Streams and logs deliver at least once and in no useful order. So a store adds each event, or each batch of lines,
// together with its counts in one transaction, once.
package feed

import (
	"context"
	"log/slog"

	"aviso/internal/owner"
)

// Store keeps requests and events for the console. Adding a stored record again is not an error.
type Store interface {
	// AddLines counts the lines. It keeps the failed requests and a sample of the others.
	AddLines(ctx context.Context, partner owner.PartnerID, l Lines) error
	// AddEvents leaves out the events of erased users.
	AddEvents(ctx context.Context, partner owner.PartnerID, events []Event) error
}

// Feed handles the deliveries of streams and logs.
type Feed struct {
	store Store
	log   *slog.Logger
}

// New returns a Feed that fills store.
func New(store Store, log *slog.Logger) *Feed { return &Feed{store: store, log: log} }

// skip logs a record that cannot be read. It will never be readable, so it must not hold up others. Its content may
// be personal data, so the log line has none of it.
func (f *Feed) skip(ctx context.Context, source, id string) {
	f.log.LogAttrs(ctx, slog.LevelError, "console record skipped", slog.String("Service", "console"),
		slog.String("source", source), slog.String("record", id))
}
