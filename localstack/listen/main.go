// Command listen is a webhook receiver for developers (make listen). It verifies, prints
// and acknowledges callbacks, or responds wrongly if asked to. A browser that returns
// from a sandbox bank gets a page.
//
// PORT (8080) is the port on 127.0.0.1. SECRET holds the subscription's key, or several
// separated by spaces. Without it, BASE_URL (http://localhost:3000) must be a local
// stack. The program then subscribes to all events there until it exits.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endWithin limits the time to clean up after Ctrl-C.
const endWithin = 5 * time.Second

func main() {
	if err := run(os.Args[1:], os.Getenv, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "listen:", err)
		os.Exit(1)
	}
}

func run(args []string, getenv func(string) string, out io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// After the first signal, a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	return listen(ctx, args, getenv, &screen{out: out})
}

func listen(ctx context.Context, args []string, getenv func(string) string, s *screen) error {
	var b behaviour
	flags := flag.NewFlagSet("listen", flag.ContinueOnError)
	flags.SetOutput(s.out)
	b.declare(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; write a number with an equals sign, such as --fail=2", flags.Arg(0))
	}
	port := cmp.Or(getenv("PORT"), "8080")
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %s is taken; stop the program that uses it, or run make listen PORT=8888", port)
	}
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // already closed if the server ran
	address := "http://" + listener.Addr().String() + "/"

	if keys := getenv("SECRET"); keys != "" {
		v, err := newVerifier(keys)
		if err != nil {
			return fmt.Errorf("SECRET: %w", err)
		}
		return serve(ctx, listener, newReceiver(v, b, s, time.Now))
	}

	baseURL := cmp.Or(getenv("BASE_URL"), "http://localhost:3000")
	if !isLocal(baseURL) {
		return errors.New("BASE_URL is not a local stack, so set the key of your own subscription: SECRET=whsec_…")
	}
	stack := newService(baseURL)
	id, key, err := stack.subscribe(ctx, address)
	if err != nil {
		return fmt.Errorf("subscribe: %w", err)
	}
	s.print("Subscribed to all events (subscription " + id + ").")
	v, err := newVerifier(key)
	if err == nil {
		err = serve(ctx, listener, newReceiver(v, b, s, time.Now))
	}
	return errors.Join(err, leave(ctx, stack, id, s))
}

// leave deletes the subscription, even if ctx has ended.
func leave(ctx context.Context, stack service, id string, s *screen) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if err := stack.unsubscribe(ctx, id); err != nil {
		return fmt.Errorf("delete subscription %s: %w", id, err)
	}
	s.print("\nDeleted subscription " + id + ".")
	return nil
}

// serve serves until ctx ends.
func serve(ctx context.Context, listener net.Listener, r *receiver) error {
	r.screen.print("Listening on http://" + listener.Addr().String() + "/. Stop with Ctrl-C.")
	server := &http.Server{
		Handler:           r,
		ReadHeaderTimeout: 10 * time.Second,
		// Requests that hang on purpose end with the program.
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
		defer cancel()
		return server.Shutdown(ending)
	}
}
