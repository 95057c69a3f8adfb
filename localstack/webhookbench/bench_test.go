package webhookbench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aviso/bench/budget"
)

const (
	// burst is the number of events that are published as fast as possible, counted of those whose
	// calls are counted.
	burst, counted = 1_000, 200
	// publishers publish side by side.
	publishers = 16
	// bound limits a run that hangs.
	bound = time.Minute
)

// table is what is measured, for docs/performance.md, and of that what has a budget.
type table struct {
	strings.Builder
	held map[string]float64
}

func (t *table) row(what, format string, args ...any) {
	line := fmt.Sprintf("| %s | %s |\n", what, fmt.Sprintf(format, args...))
	fmt.Print(line)
	t.WriteString(line)
}

// hold adds a figure that has a budget.
func (t *table) hold(what string, figure float64) {
	t.held["webhooks from publishing to arrival, "+what] = figure
}

// BenchmarkWholeWay measures the delivery of webhooks as partners see it. It fails if a figure is over
// its budget.
func BenchmarkWholeWay(b *testing.B) {
	for b.Loop() {
		figures := &table{held: map[string]float64{}}
		fmt.Fprintf(figures, "| Events of 500 bytes, on %d cores | |\n|---|---:|\n", runtime.NumCPU())
		calls(b, figures)
		w := newWhole(b)
		healthy := receive(b, w.seen, nil)[0]
		w.subscribe(b, "one", healthy)
		w.deliverAll(b, 1) // from now on, the receiver is known
		measure(b, w, figures)
		isolation(b, w, figures, healthy)
		crash(b, figures)
		if file := os.Getenv("TABLE"); file != "" {
			require.NoError(b, os.WriteFile(file, []byte(figures.String()), 0o600))
		}
		budget.Hold(b, figures.held)
	}
}

// calls counts what an event costs of AWS.
func calls(b *testing.B, figures *table) {
	w, tables, queues := newMetered(b)
	w.subscribe(b, "one", receive(b, w.seen, nil)[0])
	w.deliverAll(b, 1)
	before, sent := tables.Read(), queues.Read()
	w.deliverAll(b, counted)
	used, messages := tables.Read().Less(before), queues.Read().Less(sent)
	figures.row("Calls of DynamoDB for each event", "%.2f", float64(used.Calls)/counted)
	figures.row("Calls of SQS for each event, without receiving", "%.2f", float64(messages.Calls)/counted)
	figures.row("WRU; RRU for each event", "%.2f; %.2f", used.WriteUnits/counted, used.ReadUnits/counted)
	w.kill()
}

// measure publishes a burst to one receiver, and then events at a steady pace.
func measure(b *testing.B, w *whole, figures *table) {
	w.seen.reset()
	began, used := time.Now(), w.cpu()
	w.emitAll(b, "one", burst)
	accepted := time.Since(began)
	w.wait(b, burst)
	took, work := time.Since(began), w.cpu()-used
	figures.row("Accepted a second", "%.0f", burst/accepted.Seconds())
	figures.row("Delivered a second, to one receiver", "%.0f", burst/took.Seconds())
	figures.row("Delivered for a second of our own processor time", "%.0f", burst/work.Seconds())
	figures.row("Our own processor time for 1,000 events", "%.2f s", work.Seconds()/burst*1000)
	figures.hold("1,000 events at once, s", took.Seconds()/burst*1000)
	figures.hold("our own processor time for 1,000 events, s", work.Seconds()/burst*1000)
	const perSecond, seconds = 50, 5
	time.Sleep(time.Second)
	w.seen.reset()
	w.pace(b, "one", perSecond*seconds, perSecond)
	w.wait(b, perSecond*seconds)
	p50, p99 := w.seen.latencies()
	figures.row("From publishing to arrival at 50/s, p50; p99", "%.1f ms; %.1f ms", p50, p99)
	figures.hold("p50 at 50/s, ms", p50)
	figures.hold("p99 at 50/s, ms", p99)
	figures.row("Memory of the service, most", "%.0f MB", w.memory())
}

// isolation measures one partner's events beside a thousand of another, whose receiver hangs.
func isolation(b *testing.B, w *whole, figures *table, healthy string) {
	const deep, beside, rate = 1000, 100, 20
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
	p50, p99 := w.seen.latencies()
	figures.row("The same at 20/s, beside another partner's 1,000 events to a receiver that hangs", "%.1f ms; %.1f ms", p50, p99)
	figures.hold("p99 beside a receiver that hangs, ms", p99)
	w.kill()
}

// crash kills the service while it delivers, and starts it again.
func crash(b *testing.B, figures *table) {
	w := newWhole(b)
	w.subscribe(b, "one", receive(b, w.seen, nil)[0])
	w.deliverAll(b, 1)
	w.emitAll(b, "one", burst)
	before, _ := w.seen.count()
	w.restart(b)
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	_ = w.seen.wait(ctx, burst) // missing says how many did not arrive
	time.Sleep(2 * time.Second)
	missing, repeated := w.seen.count()
	what := fmt.Sprintf("After kill -9 with %d of %d events to be delivered: lost; repeated", before, burst)
	figures.row(what, "%d; %d", missing, repeated)
	figures.hold("lost by kill -9", float64(missing))
	figures.hold("repeated after kill -9", float64(repeated))
}

func (w *whole) wait(b testing.TB, n int) {
	ctx, cancel := context.WithTimeout(b.Context(), bound)
	defer cancel()
	require.NoError(b, w.seen.wait(ctx, n))
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
		d, err := newDelivery(ctx, b, urls, slog.New(slog.DiscardHandler))
		require.NoError(b, err)
		began := time.Now()
		for n := range some {
			require.NoError(b, d.emit(ctx, seen, n))
		}
		require.NoError(b, seen.wait(ctx, some))
		figures := &table{}
		what := fmt.Sprintf("Delivered a second, by %d executions with %d messages each, to receivers that answer in %.1f s",
			executions, batch, mean)
		figures.row(what, "%.0f", some/time.Since(began).Seconds())
		cancel()
		if name := os.Getenv("TABLE"); name != "" { // BenchmarkWholeWay has created it
			file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o600)
			require.NoError(b, err)
			_, err = file.WriteString(figures.String())
			require.NoError(b, errors.Join(err, file.Close()))
		}
	}
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
