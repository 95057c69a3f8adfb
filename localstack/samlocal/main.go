// Command samlocal runs the service's API on sam local, in containers like Lambda's
// (make sam-local). In this process, the local stack runs what sam local lacks: queues,
// streams, schedules and mail, with the emulators or the services at AWS_ENDPOINT_URL.
// Given event files as arguments, it has sam local invoke the function of each and then
// exits (make sam-local EVENT=…).
//
// It reads the same variables as make run (PORT, DATA_DIR, the template's parameters),
// and passes SAM_ARGS to sam, such as --skip-pull-image. The functions must have been
// built by make build for this machine's processor.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"aviso/localstack/stack"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(events []string) error {
	options, err := stack.Local()
	if err != nil {
		return err
	}
	if options.Port == 8080 || options.Port == 9001 { // for sam's runtime emulator, or the function
		return fmt.Errorf("PORT cannot be %d, because every sam local container listens there itself", options.Port)
	}
	options.WorkersOnly = true
	ctx, stop := stack.UntilInterrupted()
	defer stop()
	s := &sam{checkout: filepath.Dir(options.Template), dataDir: options.DataDir, port: options.Port}
	if err := s.checkPort(); err != nil {
		return err
	}
	return withWorkers(ctx, options, func(ctx context.Context, around stack.Surroundings) error {
		if err := s.prepare(around); err != nil {
			return err
		}
		if err := s.forwardFromContainers(ctx, around); err != nil {
			return err
		}
		if len(events) > 0 {
			return s.invoke(ctx, around, events)
		}
		return s.serve(ctx)
	})
}

// withWorkers runs the stack without its API, and do, until either ends. The stack
// stops last, because what do started may still need it.
func withWorkers(ctx context.Context, o stack.Options, do func(context.Context, stack.Surroundings) error) error {
	ready, ended := make(chan stack.Surroundings, 1), make(chan error, 1)
	workers, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorkers()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer stop()
		o.Ready = func(around stack.Surroundings) { ready <- around }
		ended <- stack.Run(workers, o)
	}()
	var err error
	select {
	case <-ctx.Done():
	case around := <-ready:
		err = do(ctx, around)
	}
	stopWorkers()
	return errors.Join(err, <-ended)
}

// inContainer returns the address at which a container reaches a server on this
// machine's loopback: localhost, which --add-host also points at this machine. So
// BASE_URL works in browsers and in containers. A client in a container tries the
// container itself first, where nothing listens.
func inContainer(value string) string {
	return strings.Replace(value, "://127.0.0.1:", "://localhost:", 1)
}

// forwardFromContainers lets containers reach servers on this machine's loopback until
// ctx ends. On Linux their connections arrive at the address of Docker's bridge, so this
// forwards them from there. Docker Desktop does that by itself.
func (s *sam) forwardFromContainers(ctx context.Context, around stack.Surroundings) error {
	gateway, err := bridge(ctx)
	if err != nil || gateway == "" {
		return err
	}
	ports := map[string]bool{}
	for _, value := range around.AWS {
		if u, err := url.Parse(value); err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost") {
			ports[u.Port()] = true
		}
	}
	own := strconv.Itoa(s.port)
	ports[own] = true
	for port := range ports {
		err := forward(ctx, net.JoinHostPort(gateway, port), net.JoinHostPort("127.0.0.1", port))
		if errors.Is(err, syscall.EADDRINUSE) && port != own {
			continue // The server already listens on all addresses of the machine.
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bridge returns this machine's address on Docker's bridge, or "" if Docker runs in a
// virtual machine. It goes by the subnet, because some versions of Docker do not report
// the gateway.
func bridge(ctx context.Context) (string, error) {
	const format = "{{range .IPAM.Config}}{{.Subnet}} {{end}}"
	out, err := exec.CommandContext(ctx, "docker", "network", "inspect", "bridge", "--format", format).Output()
	if err != nil {
		return "", fmt.Errorf("ask Docker for its bridge: %w", err)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return "", err
	}
	return within(string(out), own), nil
}

// within returns the IPv4 address that is in one of the subnets, or "".
func within(subnets string, addresses []net.Addr) string {
	for text := range strings.FieldsSeq(subnets) {
		_, subnet, err := net.ParseCIDR(text)
		if err != nil {
			continue
		}
		for _, address := range addresses {
			if own, ok := address.(*net.IPNet); ok && own.IP.To4() != nil && subnet.Contains(own.IP) {
				return own.IP.String()
			}
		}
	}
	return ""
}

// forward passes requests to one address on to another.
func forward(ctx context.Context, from, to string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", from)
	if err != nil {
		return fmt.Errorf("listen for the containers: %w", err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: to})
			r.Out.Host = r.In.Host
		},
	}}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }()
	return nil
}
