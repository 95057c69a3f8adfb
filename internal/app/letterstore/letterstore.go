// Package letterstore is the store of cancellations for those who look after
// letters.
package letterstore

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/metric"
)

// metricWait is how long a letter has stood still that was looked at.
// template.yaml has an alarm on it.
const metricWait = "LetterWait"

// Store logs how long a letter has waited, each time that somebody looks after it
// and it goes on waiting: at least once an hour.
type Store struct {
	*cancellationdb.Store
	log *slog.Logger
	now func() time.Time
}

// New watches what store saves.
func New(store *cancellationdb.Store, log *slog.Logger, now func() time.Time) Store {
	return Store{store, log, now}
}

// SaveCancellation implements cancellation.Store.
func (s Store) SaveCancellation(ctx context.Context, c cancellation.Cancellation, jobs ...cancellation.Job) (cancellation.Cancellation, error) {
	saved, err := s.Store.SaveCancellation(ctx, c, jobs...)
	if err != nil || !saved.Status.Waiting() {
		return saved, err
	}
	now := s.now()
	wait := now.Sub(saved.History[len(saved.History)-1].At)
	s.log.LogAttrs(ctx, slog.LevelInfo, "letter wait", slog.String("cancellation", saved.ID), slog.String("status", string(saved.Status)),
		slog.Float64(metricWait, wait.Seconds()), metric.EMF(now, nil, metric.Def{Name: metricWait, Unit: "Seconds"}))
	return saved, nil
}
