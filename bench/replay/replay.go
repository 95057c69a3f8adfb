// Package replay is a proxy between a function and the emulators that keeps their answers: it
// passes on each request once, and answers the same one from memory afterwards. So a start can be
// timed without the time that an emulator takes to read a large row.
package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"
)

// Proxy is a proxy in front of each of some endpoints.
type Proxy struct {
	// Endpoints are the proxies' addresses, by the same names.
	Endpoints map[string]string

	servers []*http.Server
	mu      sync.Mutex
	answers map[string]answer // by upstream, operation and body
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

// Start opens a proxy in front of each endpoint, on loopback.
func Start(ctx context.Context, endpoints map[string]string) (*Proxy, error) {
	p := &Proxy{Endpoints: map[string]string{}, answers: map[string]answer{}}
	for service, upstream := range endpoints {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("listen: %w", err), p.Stop())
		}
		server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: p.handler(upstream)}
		go func() { _ = server.Serve(listener) }()
		p.servers = append(p.servers, server)
		p.Endpoints[service] = "http://" + listener.Addr().String()
	}
	return p, nil
}

// Stop closes the proxies.
func (p *Proxy) Stop() error {
	var errs []error
	for _, s := range p.servers {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

func (p *Proxy) handler(upstream string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, err := p.answer(r, upstream)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		maps.Copy(w.Header(), a.header)
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body)
	})
}

func (p *Proxy) answer(r *http.Request, upstream string) (answer, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return answer{}, fmt.Errorf("read the request: %w", err)
	}
	key := upstream + r.Header.Get("X-Amz-Target") + sorted(body)
	p.mu.Lock()
	known, ok := p.answers[key]
	p.mu.Unlock()
	if ok {
		return known, nil
	}
	out, err := http.NewRequestWithContext(r.Context(), r.Method, upstream+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return answer{}, fmt.Errorf("pass the request on: %w", err)
	}
	out.Header = r.Header.Clone()
	got, err := http.DefaultClient.Do(out)
	if err != nil {
		return answer{}, fmt.Errorf("pass the request on: %w", err)
	}
	defer got.Body.Close()
	content, err := io.ReadAll(got.Body)
	if err != nil {
		return answer{}, fmt.Errorf("read the response: %w", err)
	}
	a := answer{got.StatusCode, got.Header, content}
	p.mu.Lock()
	p.answers[key] = a
	p.mu.Unlock()
	return a, nil
}

// sorted returns a body with the members of its objects in order, which the SDK writes in any.
func sorted(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) == nil {
		if text, err := json.Marshal(v); err == nil {
			return string(text)
		}
	}
	return string(body)
}
