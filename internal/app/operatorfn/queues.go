package operatorfn

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/config"
	"aviso/internal/outbox"
	"aviso/internal/queue"
)

// deadLetters are the queues of what was given up, with where it goes back to, by
// the names that redrive-queue takes.
type deadLetters map[string]struct{ from, to string }

// relayQueue is the name of the queue of what outbox-relay gave up. Nothing on it
// is a message.
const relayQueue = "relay"

func readDeadLetters(r *config.Reader) deadLetters {
	return deadLetters{
		"sync":   {r.Required("SYNC_DEAD_LETTERS_URL"), r.Required("SYNC_QUEUE_URL")},
		"letter": {r.Required("LETTER_DEAD_LETTERS_URL"), r.Required("LETTER_QUEUE_URL")},
		// They come from RetryQueue, too. Both queues wake the same function, which
		// asks the table what is due, and puts off itself what is not.
		"delivery": {r.Required("DELIVERY_DEAD_LETTERS_URL"), r.Required("DELIVERY_QUEUE_URL")},
		relayQueue: {from: r.Required("RELAY_DEAD_LETTERS_URL")},
		// Production has no sandbox.
		"sandbox": {r.Optional("SANDBOX_DEAD_LETTERS_URL", ""), r.Optional("SANDBOX_QUEUE_URL", "")},
	}
}

// The bounds of how many messages a call redrives.
const (
	defaultRedrive = 1000
	maxRedrive     = 10_000
)

type redrive struct {
	Queue string `json:"queue"`
	Limit *int   `json:"limit"`
}

func (e redrive) about() []slog.Attr { return []slog.Attr{slog.String("queue", e.Queue)} }

// redriveAnswer says what has become of dead letters.
type redriveAnswer struct {
	Queue string `json:"queue"`
	// Moved went back to where they came from, Deleted were of no more use.
	Moved   int `json:"moved"`
	Deleted int `json:"deleted"`
	// More: the limit was reached, so that more may be there.
	More bool `json:"more"`
	// Waiting is of the outbox, and there for relay alone.
	Waiting *int   `json:"waiting,omitempty"`
	Note    string `json:"note,omitempty"`
}

func (o *operations) redriveQueue(ctx context.Context, e redrive) (any, error) {
	q, known := o.letters[e.Queue]
	if !known {
		return nil, apierror.New(apierror.ValidationFailed, "queue is one of delivery, letter, relay, sandbox and sync.")
	}
	if q.from == "" {
		return nil, apierror.New(apierror.NotAvailableInProd, "There is no sandbox here.")
	}
	limit := defaultRedrive
	if e.Limit != nil {
		limit = *e.Limit
	}
	if limit < 1 || limit > maxRedrive {
		return nil, apierror.New(apierror.ValidationFailed, "limit is a whole number from 1 to "+strconv.Itoa(maxRedrive)+".")
	}
	if e.Queue == relayQueue {
		return o.clearRelay(ctx, q.from, limit)
	}
	moved, err := queue.Redrive(ctx, o.sqs, q.from, q.to, limit)
	if err != nil {
		slog.WarnContext(ctx, "redrive broke off", "queue", e.Queue, "moved", moved)
		return nil, err
	}
	return redriveAnswer{Queue: e.Queue, Moved: moved, More: moved == limit}, nil
}

// clearRelay deletes the records of batches that outbox-relay gave up, once they
// are of no more use. A record names a place in the stream and holds no message,
// so that there is nothing to send back: the messages lie in the outbox, and
// housekeeping sends them from there. While it has not, the records stay, since
// an alarm hangs on them.
func (o *operations) clearRelay(ctx context.Context, from string, limit int) (any, error) {
	waiting, err := outbox.Waiting(ctx, o.dynamo, o.outbox, time.Now().Add(-outbox.ResendAfter))
	if err != nil {
		return nil, err
	}
	if waiting > 0 {
		return redriveAnswer{Queue: relayQueue, Waiting: &waiting, Note: "The records hold no messages: those are in the outbox, and housekeeping sends them every minute. " +
			"Some have waited for more than two minutes, so that the records stay; the log of housekeeping says why."}, nil
	}
	deleted, err := queue.Discard(ctx, o.sqs, from, limit)
	if err != nil {
		return nil, err
	}
	return redriveAnswer{Queue: relayQueue, Deleted: deleted, More: deleted == limit, Waiting: &waiting, Note: "The records hold no messages: those were in the outbox, " +
		"and housekeeping has sent what outbox-relay had not. Nothing is left to be sent, so that the records were deleted."}, nil
}
