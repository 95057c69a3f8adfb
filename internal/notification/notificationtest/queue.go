package notificationtest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"aviso/internal/notification"
)

// What template.yaml and SQS make of a queue.
const (
	visibility  = 540 * time.Second
	maxReceives = 5
	maxDelay    = 900 * time.Second
)

// Queue is a queue of deliveries with the function that it calls, within a
// bubble of testing/synctest, which does not end before Stop. Its messages come in any order.
type Queue struct {
	// Work works off a message. One whose work fails, or does not return because
	// its goroutine ended, comes again after the visibility time-out, and at the
	// fifth time not any more.
	Work func(ctx context.Context, k notification.DeliveryKey, attempt int) error
	// Batch is how many messages one call of the function has at most; 1 when it
	// is 0. A call ends when all its messages are worked off.
	Batch int
	// Concurrency bounds how many calls there are at once; 0 does not.
	Concurrency int
	// Poll is how long it takes until a message that is visible is fetched.
	Poll time.Duration
	// Fate gives, for each message that is sent or comes again, by how much each
	// of its copies is late. Without one it is lost. A nil Fate is one copy in
	// time.
	Fate func() []time.Duration

	mu      sync.Mutex
	visible []message
	running int
	sent    []time.Duration
	pending int
	stopped chan struct{}
}

// NewQueue is an empty one that does no work yet.
func NewQueue() *Queue { return &Queue{stopped: make(chan struct{})} }

type message struct {
	key      notification.DeliveryKey
	receives int
}

// Wake implements notification.Wake.
func (q *Queue) Wake(_ context.Context, k notification.DeliveryKey) error {
	q.send(k, 0)
	return nil
}

// SendAfter is queue.Sender's.
func (q *Queue) SendAfter(_ context.Context, _, body string, after time.Duration) error {
	if after < 0 || after > maxDelay {
		return fmt.Errorf("delay of %s refused", after)
	}
	var k notification.DeliveryKey
	if err := json.Unmarshal([]byte(body), &k); err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	// Whole seconds, rounded up, as queue.Sender does.
	q.send(k, (after + time.Second - 1).Truncate(time.Second))
	return nil
}

// Delays are those of all messages that were sent, in order.
func (q *Queue) Delays() []time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]time.Duration(nil), q.sent...)
}

// Pending is how many messages are there, copies included.
func (q *Queue) Pending() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.pending
}

// Stop drops all messages that are not worked off yet, once. Work that is under
// way goes on.
func (q *Queue) Stop() {
	close(q.stopped)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.visible = nil
}

func (q *Queue) send(k notification.DeliveryKey, after time.Duration) {
	q.mu.Lock()
	q.sent = append(q.sent, after)
	q.mu.Unlock()
	q.spread(message{key: k}, after)
}

// spread shows the copies that fate gives of a message.
func (q *Queue) spread(m message, after time.Duration) {
	copies := []time.Duration{0}
	if q.Fate != nil {
		copies = q.Fate()
	}
	q.mu.Lock()
	q.pending += len(copies)
	q.mu.Unlock()
	for _, late := range copies {
		q.show(m, after+late)
	}
}

// show makes a message visible after a time, and has it fetched. A timer's channel
// is asked for later times only: goroutines that find one due run the timer each
// by itself, and the race detector of Go 1.26 crashes when two do so at once within
// a bubble.
func (q *Queue) show(m message, after time.Duration) {
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

// fetch calls the function for what is visible.
func (q *Queue) fetch() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.visible) > 0 && !q.over() && (q.Concurrency == 0 || q.running < q.Concurrency) {
		n := min(len(q.visible), max(q.Batch, 1))
		batch := q.visible[:n:n]
		q.visible = q.visible[n:]
		q.running++
		go q.call(batch)
	}
}

func (q *Queue) over() bool {
	select {
	case <-q.stopped:
		return true
	default:
		return false
	}
}

func (q *Queue) call(batch []message) {
	var all sync.WaitGroup
	for _, m := range batch {
		all.Go(func() { q.one(m) })
	}
	all.Wait()
	q.mu.Lock()
	q.running--
	q.mu.Unlock()
	q.fetch()
}

func (q *Queue) one(m message) {
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
