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
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// burst is the number of events that are all due at the beginning, to measure the
	// throughput. paced is the number that come at half that rate, to measure how long
	// one takes.
	burst, paced = 15_000, 5_000
	// bound limits a run that hangs.
	bound = 2 * time.Minute
)

func BenchmarkDelivery(b *testing.B) {
	for b.Loop() {
		measure(b)
	}
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

func measure(b *testing.B) {
	ctx, cancel := context.WithTimeout(b.Context(), bound)
	defer cancel()
	seen := newReceipts()
	urls := receive(b, seen, nil)
	log, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // what is logged is written
	require.NoError(b, err)
	b.Cleanup(func() { _ = log.Close() })
	d, err := newDelivery(ctx, urls, slog.New(slog.NewJSONHandler(log, nil)))
	require.NoError(b, err)

	began, used := time.Now(), cpu()
	for n := range burst {
		require.NoError(b, d.emit(ctx, seen, n))
	}
	require.NoError(b, seen.wait(ctx, burst))
	took, work := time.Since(began), cpu()-used
	fmt.Printf("%d deliveries to %d subscriptions on %d cores; store and queue in memory, real worker and HTTP client.\n",
		burst, len(urls), runtime.NumCPU())
	fmt.Printf("%8.0f deliveries/s, %.0f/s per core that was busy (with the receivers' own work)\n",
		burst/took.Seconds(), burst/work.Seconds())

	seen.reset()
	pause := 2 * took / burst
	next := time.Now()
	for n := range paced {
		time.Sleep(time.Until(next))
		next = next.Add(pause)
		require.NoError(b, d.emit(ctx, seen, n))
	}
	require.NoError(b, seen.wait(ctx, paced))
	waits := seen.latencies()
	slices.Sort(waits)
	fmt.Printf("From commit to receipt, %d events at %.0f/s: p50 %s, p99 %s\n", paced, 1/pause.Seconds(),
		waits[len(waits)/2].Round(time.Microsecond), waits[len(waits)*99/100].Round(time.Microsecond))
	fmt.Printf("%d deliveries had to wait for a slot.\n", d.waited.Load())
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
func receive(b *testing.B, seen *receipts, takes func() time.Duration) (urls []string) {
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
