package webhookbench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"aviso/internal/owner"

	"github.com/stretchr/testify/require"
)

const (
	// burst is the number of events that are published as fast as possible, paced the number of
	// those that come at a steady pace of perSecond.
	burst, paced, perSecond = 2_000, 500, 50
	// publishers publish side by side.
	publishers = 16
	// grown is how many events have been delivered when the tables are said to be grown.
	grown = 10_000
	// bound limits a run that hangs.
	bound = 5 * time.Minute
)

// BenchmarkWholeWay measures the delivery of webhooks as partners see it, on fresh tables and on
// those that have grown.
func BenchmarkWholeWay(b *testing.B) {
	for b.Loop() {
		w := newWhole(b)
		healthy := receive(b, w.seen, nil)[0]
		w.subscribe(b, "one", healthy)
		measure(b, w, "fresh tables")
		isolation(b, w, healthy)
		if os.Getenv("GROWN") != "" {
			w.deliverAll(b, grown)
			measure(b, w, fmt.Sprintf("tables after %d events", grown))
		}
	}
}

// measure publishes a burst to one receiver, and then events at a steady pace.
func measure(b *testing.B, w *whole, name string) {
	w.deliverAll(b, 1) // from now on, the receiver is known
	w.called()
	began, used := time.Now(), cpu()
	w.emitAll(b, "one", burst)
	accepted := time.Since(began)
	w.wait(b, burst)
	took, work := time.Since(began), cpu()-used
	by, calls := w.called()
	fmt.Printf("%s: %d events of 500 bytes to one receiver, on %d cores, with the emulators beside them.\n",
		name, burst, runtime.NumCPU())
	fmt.Printf("%8.0f accepted/s, %.0f delivered/s; %.2f s of processor time for 1,000, with publisher and receiver, without emulators\n",
		burst/accepted.Seconds(), burst/took.Seconds(), work.Seconds()/burst*1000)
	fmt.Printf("%8.2f calls of AWS for each event: %v\n", float64(calls)/burst, by)

	w.seen.reset()
	w.pace(b, "one", paced, perSecond)
	w.wait(b, paced)
	w.latencies("From publishing to arrival at %d/s", perSecond)
}

// isolation measures one partner's events beside a thousand of another, whose receiver hangs.
func isolation(b *testing.B, w *whole, healthy string) {
	const deep, beside, rate = 1000, 200, 20
	held := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}))
	b.Cleanup(hangs.Close)
	b.Cleanup(func() { close(held) })
	w.subscribe(b, "hangs", hangs.URL+"/")
	w.subscribe(b, "other", healthy)
	w.seen.reset()
	w.emit(b, "other")
	w.wait(b, 1)
	w.emitAll(b, "hangs", deep)
	w.seen.reset()
	w.pace(b, "other", beside, rate)
	w.wait(b, beside)
	w.latencies("Beside 1,000 events to a receiver that hangs, at %d/s", rate)
}

// pace publishes n events of the partner.
func (w *whole) pace(b *testing.B, partner owner.PartnerID, n, perSecond int) {
	next := time.Now()
	var all sync.WaitGroup
	for range n {
		time.Sleep(time.Until(next))
		next = next.Add(time.Second / time.Duration(perSecond))
		all.Go(func() { w.emit(b, partner) })
	}
	all.Wait()
}

// deliverAll publishes n events and waits until they have arrived.
func (w *whole) deliverAll(b testing.TB, n int) {
	w.seen.reset()
	w.emitAll(b, "one", n)
	w.wait(b, n)
	time.Sleep(time.Second) // until the last ones are settled
	w.seen.reset()
}

func (w *whole) wait(b testing.TB, n int) {
	ctx, cancel := context.WithTimeout(b.Context(), bound)
	defer cancel()
	require.NoError(b, w.seen.wait(ctx, n))
}

func (w *whole) latencies(format string, args ...any) {
	waits := w.seen.latencies()
	slices.Sort(waits)
	fmt.Printf("%8s p50, %s p99: %s\n", waits[len(waits)/2].Round(time.Millisecond/10),
		waits[len(waits)*99/100].Round(time.Millisecond/10), fmt.Sprintf(format, args...))
}

// BenchmarkSlowReceivers measures what the worker makes of its executions if receivers take
// their time: 0.3 s on average, sometimes more. make scale compares its model with it.
func BenchmarkSlowReceivers(b *testing.B) {
	const some, mean, sigma = 2_000, 0.3, 0.5
	for b.Loop() {
		ctx, cancel := context.WithTimeout(b.Context(), bound)
		seen := newReceipts()
		urls := receive(b, seen, func() time.Duration {
			answers := mean * math.Exp(sigma*rand.NormFloat64()-sigma*sigma/2)
			return time.Duration(answers * float64(time.Second))
		})
		d, err := newDelivery(ctx, urls, slog.New(slog.DiscardHandler))
		require.NoError(b, err)
		began := time.Now()
		for n := range some {
			require.NoError(b, d.emit(ctx, seen, n))
		}
		require.NoError(b, seen.wait(ctx, some))
		fmt.Printf("%8.0f deliveries/s to receivers that answer in %.1f s, by %d executions of %d.\n",
			some/time.Since(began).Seconds(), mean, calls, batch)
		cancel()
	}
}

// cpu returns the CPU time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// receive opens a receiver for each subscription. Each has its own port, so that there are
// enough local ports for a connection per event. takes is how long it takes to answer.
func receive(b testing.TB, seen *receipts, takes func() time.Duration) (urls []string) {
	b.Helper()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if takes != nil {
			time.Sleep(takes())
		}
		seen.received(r.Header.Get("webhook-id"))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"isAcknowledged":true,"timestamp":%q}`, time.Now().UTC().Format(time.RFC3339))
	})
	for range subscriptions {
		server := httptest.NewServer(handler)
		b.Cleanup(server.Close)
		urls = append(urls, server.URL+"/")
	}
	return urls
}
