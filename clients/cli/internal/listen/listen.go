// Package listen receives callbacks on a developer's machine. It verifies, prints and
// acknowledges them, hands them on, or responds wrongly if asked to. A browser that returns
// from a bank gets a page.
package listen

import (
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
	// PublicURL is where the service finds this machine; by default the address on 127.0.0.1.
	PublicURL string
	// ForwardTo is the URL of a receiver that gets the genuine callbacks and answers them.
	ForwardTo string
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
	flags.StringSliceVar(&o.Events, "events", []string{"*"}, "event types to subscribe to")
	o.behaviour.declare(flags)
}

// reachable returns an error if the service cannot call this machine.
func (o *Options) reachable(serviceIsLocal bool) error {
	if serviceIsLocal || o.PublicURL != "" {
		return nil
	}
	return errors.New("the service cannot reach this machine: give the address of a tunnel with --url https://…, " +
		"set AVISO_WEBHOOK_SECRET=whsec_… if you have subscribed yourself, or look at a subscription's deliveries " +
		"with aviso webhooks attempts --follow")
}

// Listen listens until ctx ends. It asks for the client only if it has to subscribe; the client's
// service is local if it runs on this machine.
func Listen(ctx context.Context, o Options, client func() (c *aviso.Client, local bool, err error), out io.Writer) error {
	s := &screen{out: out, json: o.JSON}
	if o.ForwardTo != "" {
		if u, err := url.Parse(o.ForwardTo); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return errors.New("--forward-to must be a URL such as http://localhost:4000/webhooks")
		}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", o.Port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %s is taken; stop the program that uses it, or choose --port 8888", o.Port)
	}
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // already closed if the server ran

	if o.Secrets != "" {
		v, err := newVerifier(o.Secrets)
		if err != nil {
			return fmt.Errorf("AVISO_WEBHOOK_SECRET: %w", err)
		}
		return serve(ctx, listener, newReceiver(v, o, s, time.Now))
	}
	c, local, err := client()
	if err == nil {
		err = o.reachable(local)
	}
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String() + "/"
	if o.PublicURL != "" {
		address = o.PublicURL
	}
	id, key, err := subscribe(ctx, c.Webhooks, address, o.Events)
	if err != nil {
		return err
	}
	s.print(subscribed(o.Events) + " (subscription " + id + ").")
	v, err := newVerifier(key)
	if err == nil {
		err = serve(ctx, listener, newReceiver(v, o, s, time.Now))
	}
	return errors.Join(err, leave(ctx, c.Webhooks, id, s))
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
