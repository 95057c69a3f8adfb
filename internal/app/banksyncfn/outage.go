package banksyncfn

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/messaging/queue"
	"aviso/internal/pfm/connection"
)

// waitQueue is the sender's name for the queue of jobs whose bank is down.
const waitQueue = "waiting"

// resend returns connection.Breaker.Resend.
func resend(sender *queue.Sender) func(context.Context, connection.SyncJob, time.Duration) error {
	return func(ctx context.Context, job connection.SyncJob, after time.Duration) error {
		return sender.SendJSON(ctx, waitQueue, job, after) // the supplier has sealed the secret in it
	}
}

// logOutage is connection.Breaker.Note.
func logOutage(ctx context.Context, providerID string, down bool, err error) {
	switch {
	case err != nil:
		slog.WarnContext(ctx, "outage not stored", "provider", providerID, "error", err.Error())
	case down:
		slog.WarnContext(ctx, "bank is down", "provider", providerID)
	default:
		slog.InfoContext(ctx, "bank answers again", "provider", providerID)
	}
}
