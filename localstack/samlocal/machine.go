package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"aviso/localstack/stack"
)

// isTaken tells whether sam's runtime emulator listens on the port in every
// container: to sam, or to the function.
func isTaken(port uint64) bool { return port == 8080 || port == 9001 }

// inContainer is the address under which a container reaches what listens on this
// machine's loopback: localhost, which --add-host also makes a name of this
// machine. So BASE_URL holds in browsers and in containers alike. A client there
// tries the container itself first, where nobody listens.
func inContainer(value string) string {
	return strings.Replace(value, "://127.0.0.1:", "://localhost:", 1)
}

// lead lets containers reach what listens on the loopback of this machine. Docker
// on Linux leads them to its bridge's address only, so what comes in there goes on
// to loopback, for as long as ctx lives. Docker Desktop does as much by itself.
func (s *sam) lead(ctx context.Context, around stack.Surroundings) error {
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
			continue // It listens on every address of the machine.
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bridge is the address of this machine on Docker's bridge; it is empty where
// Docker runs in a machine of its own. Some versions of Docker do not tell the
// gateway, all tell the subnet.
func bridge(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "docker", "network", "inspect", "bridge", "--format", "{{range .IPAM.Config}}{{.Subnet}} {{end}}").Output()
	if err != nil {
		return "", fmt.Errorf("ask Docker for its bridge: %w", err)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return "", err
	}
	return within(string(out), own), nil
}

// within is the IPv4 address that lies in one of the subnets, or empty.
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

// forward takes connections at one address to the other.
func forward(ctx context.Context, from, to string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", from)
	if err != nil {
		return fmt.Errorf("listen for the containers: %w", err)
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			} else if err == nil {
				go pass(ctx, conn, to)
			}
		}
	}()
	return nil
}

func pass(ctx context.Context, conn net.Conn, to string) {
	defer conn.Close()
	next, err := new(net.Dialer).DialContext(ctx, "tcp", to)
	if err != nil {
		return // and so the container sees a connection that ends
	}
	defer next.Close()
	var both sync.WaitGroup
	both.Go(func() { stream(next, conn) })
	both.Go(func() { stream(conn, next) })
	both.Wait()
}

// stream passes on one direction and its end.
func stream(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.(*net.TCPConn).CloseWrite()
}
