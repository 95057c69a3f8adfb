// Package meter is a proxy between a function and AWS. It passes calls on to the emulators,
// and counts them, their capacity units and the TLS handshakes that they wait for.
package meter

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
)

// Reading is a set of counts.
type Reading struct {
	// Calls are HTTP requests to AWS.
	Calls int
	// ReadUnits and WriteUnits are what they consumed, according to DynamoDB.
	ReadUnits, WriteUnits float64
	// Handshakes are TLS handshakes.
	Handshakes int
}

// Less returns what was counted since before.
func (r Reading) Less(before Reading) Reading {
	return Reading{
		Calls:     r.Calls - before.Calls,
		ReadUnits: r.ReadUnits - before.ReadUnits, WriteUnits: r.WriteUnits - before.WriteUnits,
		Handshakes: r.Handshakes - before.Handshakes,
	}
}

// Meter is a proxy in front of each of some endpoints.
type Meter struct {
	// Endpoints are the proxies' addresses, by the same names.
	Endpoints map[string]string

	servers []*httptest.Server
	mu      sync.Mutex
	reading Reading
}

// Start opens a proxy in front of each endpoint, on loopback. It uses TLS, as AWS does, and writes
// the certificate to a file. A function trusts it through SSL_CERT_FILE.
func Start(endpoints map[string]string, certificate string) (*Meter, error) {
	m := &Meter{Endpoints: map[string]string{}}
	for service, endpoint := range endpoints {
		upstream, err := url.Parse(endpoint)
		if err != nil {
			m.Stop()
			return nil, fmt.Errorf("address of %s: %w", service, err)
		}
		s := httptest.NewUnstartedServer(m.proxy(upstream))
		// Only HTTP/1.1, like DynamoDB.
		s.TLS = &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: m.handshake}
		s.StartTLS()
		m.servers = append(m.servers, s)
		m.Endpoints[service] = s.URL
		block := &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw} // all servers have the same
		if err := os.WriteFile(certificate, pem.EncodeToMemory(block), 0o600); err != nil {
			m.Stop()
			return nil, fmt.Errorf("write the certificate: %w", err)
		}
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
func (m *Meter) Stop() {
	for _, s := range m.servers {
		s.CloseClientConnections()
		s.Close()
	}
}

const (
	target   = "X-Amz-Target"
	dynamoDB = "DynamoDB_20120810."
)

func (m *Meter) proxy(upstream *url.URL) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(upstream) },
		Transport:      &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		ModifyResponse: m.count,
		ErrorLog:       log.New(io.Discard, "", 0), // the function reports failed calls
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if strings.HasPrefix(r.Header.Get(target), dynamoDB) {
			body = askForUnits(body)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		proxy.ServeHTTP(w, r)
	})
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

func (m *Meter) count(answer *http.Response) error {
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	operation, units := strings.TrimPrefix(answer.Request.Header.Get(target), dynamoDB), consumed(body)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reading.Calls++
	switch operation {
	case "GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems":
		m.reading.ReadUnits += units
	default:
		m.reading.WriteUnits += units
	}
	return nil
}

// consumed adds up the units in a response of DynamoDB; others have none. Batches and transactions report them per table.
func consumed(answer []byte) (sum float64) {
	type capacity struct{ CapacityUnits float64 }
	var one struct{ ConsumedCapacity capacity }
	if json.Unmarshal(answer, &one) == nil {
		return one.ConsumedCapacity.CapacityUnits
	}
	var several struct{ ConsumedCapacity []capacity }
	if json.Unmarshal(answer, &several) == nil {
		for _, c := range several.ConsumedCapacity {
			sum += c.CapacityUnits
		}
	}
	return sum
}
