package operatorfn

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
)

// deadLetters maps the names that redrive-queue accepts to dead-letter queues and their source queues.
type deadLetters map[string]struct{ from, to string }

// relayQueue is the name of outbox-relay's dead-letter queue. It has records of failed batches, not messages.
const relayQueue = "relay"

func readDeadLetters(r *config.Reader) deadLetters {
	return deadLetters{
		"sync":   {r.Required("SYNC_DEAD_LETTERS_URL"), r.Required("SYNC_QUEUE_URL")},
		"letter": {r.Required("LETTER_DEAD_LETTERS_URL"), r.Required("LETTER_QUEUE_URL")},
		// Dead letters of RetryQueue are here too. Both queues invoke the same function, which checks the table for
		// what is due and postpones the rest.
		"delivery": {r.Required("DELIVERY_DEAD_LETTERS_URL"), r.Required("DELIVERY_QUEUE_URL")},
		"reply":    {r.Required("REPLY_DEAD_LETTERS_URL"), r.Required("REPLY_QUEUE_URL")},
		relayQueue: {from: r.Required("RELAY_DEAD_LETTERS_URL")},
		// Production has no sandbox.
		"clock":   {r.Optional("CLOCK_DEAD_LETTERS_URL", ""), r.Optional("CLOCK_QUEUE_URL", "")},
		"sandbox": {r.Optional("SANDBOX_DEAD_LETTERS_URL", ""), r.Optional("SANDBOX_QUEUE_URL", "")},
	}
}

// maxRedrive is the maximum number of messages that a call redrives.
const maxRedrive = 10_000

// redriveQueue answers how many messages it moved ("moved"), how many obsolete records it deleted, and whether it
// reached the limit ("more"). For relay, "waiting" is the number of late messages in the outbox.
func (o *operations) redriveQueue(ctx context.Context, e event) (any, error) {
	q, known := o.letters[e.Queue]
	if !known {
		return nil, apierror.New(apierror.ValidationFailed,
			"queue must be one of "+strings.Join(slices.Sorted(maps.Keys(o.letters)), ", ")+".")
	}
	if q.from == "" {
		return nil, apierror.New(apierror.NotAvailableInProd, "This environment has no sandbox.")
	}
	if e.Limit < 1 || e.Limit > maxRedrive {
		return nil, apierror.New(apierror.ValidationFailed,
			"limit must be a whole number from 1 to "+strconv.Itoa(maxRedrive)+".")
	}
	if e.Queue == relayQueue {
		return o.clearRelay(ctx, q.from, e.Limit)
	}
	moved, err := queue.Redrive(ctx, o.sqs, q.from, q.to, e.Limit)
	if err != nil {
		slog.WarnContext(ctx, "redrive interrupted", "queue", e.Queue, "moved", moved)
		return nil, err
	}
	return answer{"queue": e.Queue, "moved": moved, "deleted": 0, "more": moved == e.Limit}, nil
}

// clearRelay deletes obsolete records of batches on which outbox-relay failed for good. A record is a position in the
// stream, so there is nothing to move: the outbox still has the messages, and housekeeping sends them. Until then the
// records stay, because they trigger an alarm.
func (o *operations) clearRelay(ctx context.Context, from string, limit int) (any, error) {
	waiting, err := outbox.Waiting(ctx, o.dynamo, o.outbox, time.Now().Add(-outbox.ResendAfter))
	if err != nil {
		return nil, err
	}
	if waiting > 0 {
		return answer{
			"queue": relayQueue, "moved": 0, "deleted": 0, "more": false, "waiting": waiting,
			"note": "The records are not messages. The messages are in the outbox, and housekeeping sends them " +
				"every minute. Some have waited for more than two minutes, so the records were kept. " +
				"See housekeeping's log for the cause.",
		}, nil
	}
	deleted, err := queue.Discard(ctx, o.sqs, from, limit)
	if err != nil {
		return nil, err
	}
	return answer{
		"queue": relayQueue, "moved": 0, "deleted": deleted, "more": deleted == limit, "waiting": waiting,
		"note": "The records are not messages. The messages were in the outbox, and housekeeping has sent them. " +
			"Nothing is left to send, so the records were deleted.",
	}, nil
}
