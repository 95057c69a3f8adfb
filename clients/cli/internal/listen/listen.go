// Package listen receives callbacks on a developer's machine. It verifies, prints and
// acknowledges them, hands them on, or responds wrongly if asked to. A browser that returns
// from a bank gets a page.
package listen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	aviso "aviso.example/client"
)

// Options say how to listen.
type Options struct {
	// Port is the port on 127.0.0.1.
	Port string
	// Secrets has the keys of a subscription of one's own, separated by spaces. Without it,
	// Listen subscribes until it ends.
	Secrets string
	// PublicURL is where the service finds this machine, if it is not local.
	PublicURL string
	// ForwardTo is the URL of a receiver that gets the genuine callbacks and answers them.
	ForwardTo string
	// Poll reads what was sent from the API, even if the service reaches this machine.
	Poll bool
	// Events are the types to subscribe to.
	Events []string
	// JSON prints a line of JSON for each callback.
	JSON bool

	behaviour behaviour
}

// Declare declares the flags.
func (o *Options) Declare(flags *pflag.FlagSet) {
	flags.StringVar(&o.Port, "port", "8080", "port on 127.0.0.1")
	flags.StringVar(&o.PublicURL, "url", "", "where the service finds this machine, such as a tunnel's address")
	flags.StringVar(&o.ForwardTo, "forward-to", "", "URL of your receiver: it gets the genuine callbacks, and its answers count")
	flags.BoolVar(&o.Poll, "poll", false, "read from the API what was sent, as without a tunnel, from a local stack too")
	flags.StringSliceVar(&o.Events, "events", []string{"*"}, "event types to subscribe to")
	o.behaviour.declare(flags)
}

// Service is where Listen subscribes.
type Service struct {
	Client  *aviso.Client
	BaseURL string
	// IsLocal is whether it runs on this machine, which it reaches then.
	IsLocal bool
}

// Listen listens until ctx ends. It asks for the service only if it has to subscribe. It polls
// a service that cannot reach this machine.
func Listen(ctx context.Context, o Options, service func() (Service, error), out io.Writer) error {
	s := &screen{out: out, json: o.JSON}
	if o.ForwardTo != "" {
		if u, err := url.Parse(o.ForwardTo); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return errors.New("--forward-to must be a URL such as http://localhost:4000/webhooks")
		}
	}
	if o.Secrets != "" {
		return receive(ctx, o, o.Secrets, s)
	}
	from, err := service()
	if err != nil {
		return err
	}
	if o.Poll || !from.IsLocal && o.PublicURL == "" {
		return poll(ctx, o, from, s)
	}
	listener, err := listenOn(ctx, o.Port)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // already closed if the server ran
	address := cmp.Or(o.PublicURL, "http://"+listener.Addr().String()+"/")
	id, key, err := subscribe(ctx, from.Client.Webhooks, address, o.Events)
	if err != nil {
		return err
	}
	s.print(subscribed(o.Events) + " (subscription " + id + ").")
	v, err := newVerifier(key)
	if err == nil {
		err = serve(ctx, listener, newReceiver(v, o, s, time.Now))
	}
	return errors.Join(err, leave(ctx, from.Client.Webhooks, id, s))
}

// receive receives the callbacks of somebody else's subscription.
func receive(ctx context.Context, o Options, secrets string, s *screen) error {
	v, err := newVerifier(secrets)
	if err != nil {
		return fmt.Errorf("AVISO_WEBHOOK_SECRET: %w", err)
	}
	listener, err := listenOn(ctx, o.Port)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // already closed if the server ran
	return serve(ctx, listener, newReceiver(v, o, s, time.Now))
}

func listenOn(ctx context.Context, port string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %s is taken; stop the program that uses it, or choose --port 8888", port)
	}
	return listener, err
}

func subscribed(events []string) string {
	if len(events) == 1 && events[0] == "*" {
		return "Subscribed to all events"
	}
	return "Subscribed to " + strings.Join(events, ", ")
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
