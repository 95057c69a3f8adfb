package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aviso/bench/meter"
	"aviso/bench/route"
	"aviso/bench/runtimeapi"
)

// metered is a proxy between functions and AWS, with its certificate.
type metered struct {
	*meter.Meter
	dir string
}

// meter opens the proxy.
func (m *measurement) meter(ctx context.Context) (*metered, error) {
	dir, err := os.MkdirTemp("", "aviso-meter")
	if err != nil {
		return nil, fmt.Errorf("create a folder for the certificate: %w", err)
	}
	p := &metered{dir: dir}
	certificate, err := meter.Certificate(p.certificate())
	if err == nil {
		p.Meter, err = meter.Start(ctx, m.world.Endpoints, certificate)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return p, nil
}

func (p *metered) certificate() string { return filepath.Join(p.dir, "certificate.pem") }

func (p *metered) stop() error { return errors.Join(p.Stop(), os.RemoveAll(p.dir)) }

// behind starts a function that calls AWS through the proxy.
func (m *measurement) behind(ctx context.Context, p *metered, name string) (*runtimeapi.Function, error) {
	s := m.subjects[name]
	var err error
	if s.env, err = m.world.Environment(like(name), p.Endpoints); err != nil {
		return nil, err
	}
	return s.start(ctx, "SSL_CERT_FILE="+p.certificate())
}

// counts records each function's use of AWS: for each route the calls and units of a warm
// invocation, and the TLS handshakes of the first one. None of it depends on the machine.
func (m *measurement) counts(ctx context.Context, names []string, into *figures) (err error) {
	proxy, err := m.meter(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, proxy.stop()) }()
	for _, name := range names {
		for _, r := range m.on(name) {
			if err := m.countRoute(ctx, proxy, name, r, into); err != nil {
				return err
			}
		}
		size, err := m.subjects[name].size()
		if err != nil {
			return err
		}
		into.add(name, binary, float64(size)/1e6)
	}
	return nil
}

// countRoute starts the function up to three times, until its first invocation waits for
// no handshake: on a busy machine, a connection that the start opens may come too late. A
// connection that the start does not open fails every time.
func (m *measurement) countRoute(ctx context.Context, proxy *metered, name string, r route.Route, into *figures) error {
	var first, second meter.Reading
	logged := 0.0
	for starts := 1; starts == 1 || first.Handshakes > 0 && starts <= 3; starts++ {
		f, err := m.behind(ctx, proxy, name)
		if err != nil {
			return err
		}
		first, err = m.countInvocation(ctx, f, proxy, r)
		if err == nil {
			second, err = m.countInvocation(ctx, f, proxy, r)
		}
		if err := errors.Join(err, f.Stop()); err != nil {
			return err
		}
		logged = float64(f.Logged()) / 2 // a start logs nothing
	}
	into.add(r.Key(), firstHandshakes, float64(first.Handshakes))
	into.add(r.Key(), logBytes, logged)
	into.add(r.Key(), calls, float64(second.Calls))
	into.add(r.Key(), readUnits, second.ReadUnits)
	into.add(r.Key(), writeUnits, second.WriteUnits)
	if name := floorWriting(second.Calls, second.Items); second.Items > 0 {
		into.addFloor(r.Key(), name)
		if !slices.ContainsFunc(m.writing, func(f route.Route) bool { return f.Name == name }) {
			m.writing = append(m.writing, m.caller.Floor(floorWrites, name, second.Calls-1, second.Items))
		}
	}
	return nil
}

func (m *measurement) countInvocation(
	ctx context.Context, f *runtimeapi.Function, proxy *metered, r route.Route,
) (meter.Reading, error) {
	before := proxy.Read()
	_, err := m.invoke(ctx, f, r)
	return proxy.Read().Less(before), err
}

// like returns the function whose environment a subject gets.
func like(name string) string {
	if strings.HasPrefix(name, "floor: ") {
		return "pfm"
	}
	return name
}
