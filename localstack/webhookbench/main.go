// Command webhookbench measures the delivery of webhooks on this machine: make
// bench-webhooks. Events go by the code of outbox-relay and webhook-delivery to
// receivers on loopback, over HTTP, each over a connection of its own. The store
// and the queue are in memory, so that the service is measured and no emulator.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"
)

const (
	// burst events are all there at the beginning and tell how many are
	// delivered in a second; paced ones come at half that rate and tell how
	// long one takes.
	burst, paced = 15_000, 5_000
	// bound ends a run that hangs.
	bound = 2 * time.Minute
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "webhookbench:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	seen := newReceipts()
	urls, stop, err := receive(ctx, seen)
	if err != nil {
		return err
	}
	defer stop()
	log, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer log.Close()
	d, err := newDelivery(ctx, urls, slog.New(slog.NewJSONHandler(log, nil)))
	if err != nil {
		return err
	}

	began, used := time.Now(), cpu()
	for n := range burst {
		if err := d.emit(ctx, seen, n); err != nil {
			return err
		}
	}
	if err := seen.wait(ctx, burst); err != nil {
		return err
	}
	took, work := time.Since(began), cpu()-used
	fmt.Printf("%d deliveries to %d subscriptions on %d cores; store and queue in memory, real worker and HTTP client.\n", burst, len(urls), runtime.NumCPU())
	fmt.Printf("%8.0f deliveries/s, %.0f/s per core that was busy (with the receivers' own work)\n", burst/took.Seconds(), burst/work.Seconds())

	seen.reset()
	pause := 2 * took / burst
	next := time.Now()
	for n := range paced {
		time.Sleep(time.Until(next))
		next = next.Add(pause)
		if err := d.emit(ctx, seen, n); err != nil {
			return err
		}
	}
	if err := seen.wait(ctx, paced); err != nil {
		return err
	}
	waits := seen.latencies()
	slices.Sort(waits)
	fmt.Printf("From commit to receipt, %d events at %.0f/s: p50 %s, p99 %s\n", paced, 1/pause.Seconds(),
		waits[len(waits)/2].Round(time.Microsecond), waits[len(waits)*99/100].Round(time.Microsecond))
	fmt.Printf("%d deliveries had to wait for a slot.\n", d.waited.Load())
	return nil
}

// cpu is the time that this process has computed.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// receive opens a receiver for each subscription: a port each, so that there are
// local ports enough for a connection per event.
func receive(ctx context.Context, seen *receipts) (urls []string, stop func(), err error) {
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		seen.received(r.Header.Get("webhook-id"))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"isAcknowledged":true,"timestamp":%q}`, time.Now().UTC().Format(time.RFC3339))
	})}
	for range subscriptions {
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("listen: %w", err), server.Close())
		}
		go func() { _ = server.Serve(l) }()
		urls = append(urls, "http://"+l.Addr().String()+"/")
	}
	return urls, func() { _ = server.Close() }, nil
}
