package webhookdeliveryfn

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aviso/internal/notification"
)

// The queue's settings in template.yaml, and the maximum delay of SQS.
const (
	visibility  = 540 * time.Second
	maxReceives = 5
	maxDelay    = 900 * time.Second
)

// messages is a queue of deliveries with the function that it calls, in a bubble of
// testing/synctest. The bubble does not end before Stop. Messages arrive in any order.
type messages struct {
	// Work handles a message. If it fails, or its goroutine ends, the message comes
	// again after the visibility timeout, five times in all.
	Work func(ctx context.Context, k notification.DeliveryKey, attempt int) error
	// Batch is the maximum number of messages in one call of the function; 1 if it
	// is 0. A call ends when all its messages are handled.
	Batch int
	// Concurrency limits the concurrent calls; 0 means no limit.
	Concurrency int
	// Poll is how long it takes to fetch a visible message.
	Poll time.Duration
	// Copies returns the delay of each copy of a message that is sent or redelivered.
	// If there are none, the message is lost. A nil Copies means one copy without
	// delay.
	Copies func() []time.Duration

	mu      sync.Mutex
	visible []message
	running int
	sent    []time.Duration
	pending int
	stopped chan struct{}
}

// newMessages returns an empty queue. Set Work before use.
func newMessages() *messages { return &messages{stopped: make(chan struct{})} }

type message struct {
	key      notification.DeliveryKey
	receives int
}

// SendJSON has the signature of queue.Sender's.
func (q *messages) SendJSON(_ context.Context, _ string, body any, after time.Duration) error {
	if after < 0 || after > maxDelay {
		return fmt.Errorf("delay of %s refused", after)
	}
	// Whole seconds, rounded up, as queue.Sender does.
	q.send(body.(notification.DeliveryKey), (after + time.Second - 1).Truncate(time.Second))
	return nil
}

// Delays returns the delays of all messages sent, in order.
func (q *messages) Delays() []time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]time.Duration(nil), q.sent...)
}

// Pending returns the number of messages in the queue, including copies.
func (q *messages) Pending() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.pending
}

// Stop drops all messages that have not been handled. Work in progress continues.
// Call it once.
func (q *messages) Stop() {
	close(q.stopped)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.visible = nil
}

func (q *messages) send(k notification.DeliveryKey, after time.Duration) {
	q.mu.Lock()
	q.sent = append(q.sent, after)
	q.mu.Unlock()
	q.spread(message{key: k}, after)
}

// spread schedules the copies of a message.
func (q *messages) spread(m message, after time.Duration) {
	copies := []time.Duration{0}
	if q.Copies != nil {
		copies = q.Copies()
	}
	q.mu.Lock()
	q.pending += len(copies)
	q.mu.Unlock()
	for _, late := range copies {
		q.show(m, after+late)
	}
}

// show makes a message visible after a delay and has it fetched. It uses a timer only
// for a positive delay: a goroutine that finds a timer due runs it itself, and the
// race detector of Go 1.26 crashes if two do so at once in a bubble.
func (q *messages) show(m message, after time.Duration) {
	go func() {
		if after > 0 {
			select {
			case <-time.After(after):
			case <-q.stopped:
				return
			}
		}
		q.mu.Lock()
		q.visible = append(q.visible, m)
		q.mu.Unlock()
		time.Sleep(q.Poll)
		q.fetch()
	}()
}

// fetch calls the function for the visible messages.
func (q *messages) fetch() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.visible) > 0 && !q.isStopped() && (q.Concurrency == 0 || q.running < q.Concurrency) {
		n := min(len(q.visible), max(q.Batch, 1))
		batch := q.visible[:n:n]
		q.visible = q.visible[n:]
		q.running++
		go q.call(batch)
	}
}

func (q *messages) isStopped() bool {
	select {
	case <-q.stopped:
		return true
	default:
		return false
	}
}

func (q *messages) call(batch []message) {
	var all sync.WaitGroup
	for _, m := range batch {
		all.Go(func() { q.handle(m) })
	}
	all.Wait()
	q.mu.Lock()
	q.running--
	q.mu.Unlock()
	q.fetch()
}

func (q *messages) handle(m message) {
	m.receives++
	done := false
	defer func() {
		if !done && m.receives < maxReceives {
			q.spread(m, visibility)
		}
		q.mu.Lock()
		q.pending--
		q.mu.Unlock()
	}()
	done = q.Work(context.Background(), m.key, m.receives) == nil
}
