package webhookbench

import (
	"context"
	"encoding/json"
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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/bench/budget"
)

const (
	// burst is the number of events that are published as fast as possible.
	burst = 2_000
	// publishers publish side by side.
	publishers = 16
	// bound limits what hangs.
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
func (t *table) hold(what string, figure float64) { t.held["webhooks, "+what] = figure }

// BenchmarkWholeWay measures what a partner gets of the stack as make run starts it: events are
// published with the API's own request, and the console is on. It fails if a figure is over its budget. In
// nine minutes it kills five times, measures three times, and loads the stack; with -short it does less.
func BenchmarkWholeWay(b *testing.B) {
	rounds, kills, load := 3, 5, 5*time.Minute
	if testing.Short() {
		rounds, kills, load = 1, 3, 0 // one kill says little about what is repeated
	}
	for b.Loop() {
		figures := &table{held: map[string]float64{}}
		fmt.Fprintf(figures, "| Events of 500 bytes, on %d cores | |\n|---|---:|\n", runtime.NumCPU())
		r := newRunner(b)
		fresh := r.reads(b, rounds)
		count := r.crash(b, figures, kills)
		var all []map[string]float64
		for range rounds {
			all = append(all, r.measure(b))
		}
		for _, row := range []struct{ format, first, second string }{
			{"%.0f", accepted, ""}, {"%.0f", delivered, ""}, {"%.2f s; %.2f s", own, emulators}, {"%.0f MB", memory, ""},
			{"%.1f ms; %.1f ms", p50, p99}, {"%.0f ms", firstBurst, ""}, {"%.0f ms", isolated, ""},
		} {
			what, values := row.first, []any{median(all, row.first)}
			if row.second != "" {
				what, values = what+"; "+row.second, append(values, median(all, row.second))
			}
			figures.row(what, row.format, values...)
		}
		for _, what := range []string{own, p50, p99, firstBurst, isolated} {
			figures.hold(what, median(all, what))
		}
		figures.hold("1,000 events at once, s", 1000/median(all, delivered))
		r.load(b, load)
		figures.row(accounts, "%.0f; %.0f", fresh, r.reads(b, rounds))
		calls(b, figures)
		count()
		if file := os.Getenv("TABLE"); file != "" {
			require.NoError(b, os.WriteFile(file, []byte(figures.String()), 0o600))
		}
		budget.Hold(b, figures.held)
	}
}

// The figures of a round.
const (
	accepted   = "Accepted a second"
	delivered  = "Delivered a second, to one receiver"
	own        = "Processor time for 1,000 events, our own"
	emulators  = "the emulators'"
	memory     = "Memory of the stack without emulators, most"
	p50        = "From the request to arrival at 10/s, p50"
	p99        = "p99"
	firstBurst = "The first 50 at once to a new receiver, p99"
	accounts   = "GET accounts a second, at first; at the end"
	isolated   = "At 20/s, beside another partner's 1,000 to a receiver that hangs, from the same moment: p99"
)

func median(rounds []map[string]float64, what string) float64 {
	var all []float64
	for _, r := range rounds {
		all = append(all, r[what])
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// calls counts what an event costs of DynamoDB.
func calls(b *testing.B, figures *table) {
	const counted = 200
	r, tables := newMetered(b)
	defer r.kill()
	r.subscribe(b, one, receive(b, r.seen, nil)[0])
	r.deliverAll(b, one, 1)
	before := tables.Read()
	r.deliverAll(b, one, counted)
	used := tables.Read().Less(before)
	figures.row("Calls of DynamoDB for each event", "%.2f", float64(used.Calls)/counted)
	figures.row("WRU; RRU for each event", "%.2f; %.2f", used.WriteUnits/counted, used.ReadUnits/counted)
}

// measure measures once: new receivers, events at once, at a steady pace, and beside a receiver that hangs.
func (r *runner) measure(b *testing.B) map[string]float64 {
	figures := map[string]float64{}
	remove := r.subscribe(b, one, receive(b, r.seen, nil)[0])
	r.seen.reset()
	r.emitAll(b, one, 50)
	r.wait(b, 50, bound)
	_, figures[firstBurst] = r.seen.latencies()

	time.Sleep(settles)
	r.seen.reset()
	begun := time.Now()
	ours, theirs := r.cpu()
	r.emitAll(b, one, burst)
	figures[accepted] = burst / time.Since(begun).Seconds()
	r.wait(b, burst, bound)
	figures[delivered] = burst / time.Since(begun).Seconds()
	time.Sleep(settles)
	nowOurs, nowTheirs := r.cpu()
	figures[own], figures[emulators] = (nowOurs-ours).Seconds()/burst*1000, (nowTheirs-theirs).Seconds()/burst*1000
	figures[memory] = r.memory()

	r.seen.reset()
	r.pace(b, one, 200, 10)
	r.wait(b, 200, bound)
	figures[p50], figures[p99] = r.seen.latencies()
	remove()

	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer hangs.Close()
	defer close(release)
	defer r.subscribe(b, one, hangs.URL+"/")()
	defer r.subscribe(b, other, receive(b, r.seen, nil)[0])()
	r.seen.reset()
	beside := newReceipts()
	var both sync.WaitGroup
	both.Go(func() { r.publishAll(b, one, 1000, beside) })
	both.Go(func() { r.pace(b, other, 200, 20) })
	both.Wait()
	r.wait(b, 200, bound)
	_, figures[isolated] = r.seen.latencies()
	return figures
}

// crash kills the stack while it delivers, and starts it again. What was under way comes again when its
// lease has ended. count waits for that, and for what is missing.
func (r *runner) crash(b *testing.B, figures *table, times int) (count func()) {
	const leases = 75 * time.Second // longer than that of an attempt
	seen, left := newReceipts(), 0
	remove := r.subscribe(b, other, receive(b, seen, nil)[0])
	for range times {
		r.publishAll(b, other, burst, seen)
		missing, _ := seen.count()
		left += missing
		r.kill()
		r.start(b)
	}
	ended := time.Now().Add(leases)
	for missing, before := 0, -1; missing != before; time.Sleep(2 * time.Second) { // what was under way is left
		before = missing
		missing, _ = seen.count()
	}
	return func() {
		defer remove()
		time.Sleep(time.Until(ended))
		ctx, cancel := context.WithTimeout(b.Context(), bound)
		defer cancel()
		_ = seen.wait(ctx, times*burst) // missing says how many did not arrive
		missing, repeated := seen.count()
		what := fmt.Sprintf("kill -9, %d times while it delivered, with %d events to go on average: lost; repeated", times, left/times)
		figures.row(what, "%d; %d", missing, repeated)
		figures.hold("lost by kill -9", float64(missing))
		figures.hold("repeated by a kill -9", float64(repeated)/float64(times))
	}
}

// load delivers events for a while.
func (r *runner) load(b *testing.B, lasting time.Duration) {
	defer r.subscribe(b, one, receive(b, r.seen, nil)[0])()
	for begun := time.Now(); time.Since(begun) < lasting; {
		r.deliverAll(b, one, burst)
	}
}

// reads returns how many GETs of a user's accounts the stack answers a second, the median of some rounds.
func (r *runner) reads(b *testing.B, rounds int) float64 {
	const lasting = 10 * time.Second
	data, err := r.call(b.Context(), one, "", http.MethodPost, "/identity/v1/users",
		map[string]any{"externalId": uuid.NewString(), "countryCode": "DE", "languageCode": "de"})
	require.NoError(b, err)
	var made struct{ User struct{ UserID string } }
	require.NoError(b, json.Unmarshal(data, &made))
	data, err = r.call(b.Context(), one, made.User.UserID, http.MethodGet, "/identity/v1/terms", nil)
	require.NoError(b, err)
	var list struct {
		Terms []struct {
			Type    string `json:"termsType"`
			Version string `json:"version"`
		}
	}
	require.NoError(b, json.Unmarshal(data, &list))
	for _, terms := range list.Terms {
		_, err = r.call(b.Context(), one, made.User.UserID, http.MethodPost, "/identity/v1/users/"+made.User.UserID+"/terms-acceptances",
			map[string]any{"termsType": terms.Type, "version": terms.Version})
		require.NoError(b, err)
	}
	var figures []map[string]float64
	for range rounds {
		var n atomic.Int64
		var all sync.WaitGroup
		begun := time.Now()
		for range 8 {
			all.Go(func() {
				for time.Since(begun) < lasting {
					if _, err := r.call(b.Context(), one, made.User.UserID, http.MethodGet, "/openbanking/v1/accounts", nil); err != nil {
						b.Errorf("read: %v", err)
						return
					}
					n.Add(1)
				}
			})
		}
		all.Wait()
		figures = append(figures, map[string]float64{accounts: float64(n.Load()) / lasting.Seconds()})
	}
	return median(figures, accounts)
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
