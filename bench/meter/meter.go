// Package meter is a proxy between a function and AWS. It passes calls on to the emulators,
// and counts them, their capacity units and the TLS handshakes that they wait for.
package meter

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Reading is a set of counts.
type Reading struct {
	// Calls are HTTP requests to AWS.
	Calls int
	// ReadUnits and WriteUnits are what they consumed, according to DynamoDB.
	ReadUnits, WriteUnits float64
	// Items are those of transactions.
	Items int
	// Handshakes are TLS handshakes.
	Handshakes int
}

// Less returns what was counted since before.
func (r Reading) Less(before Reading) Reading {
	return Reading{
		Calls:     r.Calls - before.Calls,
		ReadUnits: r.ReadUnits - before.ReadUnits, WriteUnits: r.WriteUnits - before.WriteUnits,
		Items: r.Items - before.Items, Handshakes: r.Handshakes - before.Handshakes,
	}
}

// Meter is a proxy in front of each of some endpoints.
type Meter struct {
	// Endpoints are the proxies' addresses, by the same names.
	Endpoints map[string]string

	client  *http.Client
	servers []*http.Server
	mu      sync.Mutex
	reading Reading
}

// Start opens a proxy in front of each endpoint, on loopback. It uses the certificate, because
// functions call AWS over TLS.
func Start(ctx context.Context, endpoints map[string]string, certificate tls.Certificate) (*Meter, error) {
	m := &Meter{Endpoints: map[string]string{}, client: &http.Client{
		Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
	}}
	for service, upstream := range endpoints {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("listen: %w", err), m.Stop())
		}
		server := &http.Server{
			ReadHeaderTimeout: time.Minute, Handler: m.proxy(upstream),
			TLSConfig: &tls.Config{
				MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate},
				NextProtos: []string{"http/1.1"}, GetConfigForClient: m.handshake,
			},
			// Only HTTP/1.1, like DynamoDB.
			TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		}
		go func() { _ = server.ServeTLS(listener, "", "") }()
		m.servers = append(m.servers, server)
		m.Endpoints[service] = "https://" + listener.Addr().String()
	}
	return m, nil
}

func (m *Meter) handshake(*tls.ClientHelloInfo) (*tls.Config, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reading.Handshakes++
	return nil, nil //nolint:nilnil // tells crypto/tls to keep the configuration
}

// Read returns what has been counted so far.
func (m *Meter) Read() Reading {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reading
}

// Stop closes the proxies.
func (m *Meter) Stop() error {
	var errs []error
	for _, s := range m.servers {
		errs = append(errs, s.Close())
	}
	m.client.CloseIdleConnections()
	return errors.Join(errs...)
}

func (m *Meter) proxy(upstream string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := m.pass(w, r, upstream); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})
}

func (m *Meter) pass(w http.ResponseWriter, r *http.Request, upstream string) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	operation, dynamoDB := strings.CutPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB_20120810.")
	if dynamoDB {
		body = askForUnits(body)
	}
	out, err := http.NewRequestWithContext(r.Context(), r.Method, upstream+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("pass the request on: %w", err)
	}
	out.Header = r.Header.Clone()
	out.Header.Del("Content-Length")
	answer, err := m.client.Do(out)
	if err != nil {
		return fmt.Errorf("pass the request on: %w", err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	m.count(operation, dynamoDB, itemsOf(body), content)
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	_, err = w.Write(content)
	return err
}

// askForUnits makes DynamoDB report what the call consumes. The SDK never sends an empty
// object.
func askForUnits(body []byte) []byte {
	rest, ok := bytes.CutPrefix(body, []byte("{"))
	if !ok || bytes.Contains(body, []byte(`"ReturnConsumedCapacity"`)) {
		return body
	}
	return append([]byte(`{"ReturnConsumedCapacity":"TOTAL",`), rest...)
}

// itemsOf returns how many items a transaction has.
func itemsOf(request []byte) int {
	var transaction struct{ TransactItems []json.RawMessage }
	_ = json.Unmarshal(request, &transaction) // other calls have none
	return len(transaction.TransactItems)
}

type capacity struct{ CapacityUnits float64 }

func (m *Meter) count(operation string, dynamoDB bool, items int, answer []byte) {
	units := 0.0
	if dynamoDB {
		units = consumed(answer)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reading.Calls++
	m.reading.Items += items
	switch operation {
	case "GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems":
		m.reading.ReadUnits += units
	default:
		m.reading.WriteUnits += units
	}
}

// consumed adds up the units in a response. Batches and transactions report them per table.
func consumed(answer []byte) float64 {
	var one struct{ ConsumedCapacity capacity }
	if json.Unmarshal(answer, &one) == nil {
		return one.ConsumedCapacity.CapacityUnits
	}
	var several struct{ ConsumedCapacity []capacity }
	sum := 0.0
	if json.Unmarshal(answer, &several) == nil {
		for _, c := range several.ConsumedCapacity {
			sum += c.CapacityUnits
		}
	}
	return sum
}
