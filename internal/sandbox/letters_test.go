package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/localstack/tests/testenv"
)

// steps stores what a queue would deliver.
type steps struct {
	mu   sync.Mutex
	kept []mailroom.Step
}

func (s *steps) Schedule(_ context.Context, _ time.Duration, step mailroom.Step) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, step)
	return nil
}

func (s *steps) take() []mailroom.Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.kept
	s.kept = nil
	return out
}

// Sends a fax with the real table and a callback over the network.
func TestFaxResultReachesTheSender(t *testing.T) {
	var mu sync.Mutex
	now, callbacks := mailroomtest.Start(), []string(nil)
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/carriers/v1/sinch/secret" {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			callbacks = append(callbacks, string(body))
			mu.Unlock()
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	later := &steps{}
	s := sandbox.New(sandbox.Options{
		DynamoDB:  testenv.DynamoDB(t),
		Table:     testenv.Table(t, "SandboxTable"),
		BaseURL:   server.URL,
		Scheduler: later,
		Now:       clock,
		Fax:       mailroom.FaxCredentials{ProjectID: "project", KeyID: "key", KeySecret: "secret"},
		Post:      mailroomtest.Post(),
		Log:       slog.New(slog.DiscardHandler),
	})
	handler = s

	fax, err := json.Marshal(map[string]any{
		"to": "+4930123456", "callbackUrl": server.URL + "/carriers/v1/sinch/secret",
		"callbackUrlContentType": "application/json",
		"files":                  []any{map[string]any{"file": mailroomtest.PDF(t, 1, "Stromwerk"), "fileType": "PDF"}},
	})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(
		t.Context(), http.MethodPost, server.URL+"/sandbox/fax/v3/projects/project/faxes", bytes.NewReader(fax))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth("key", "secret")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { assert.NoError(t, res.Body.Close()) }()
	require.Equal(t, 200, res.StatusCode)

	for range 10 {
		mu.Lock()
		now = now.Add(time.Second)
		mu.Unlock()
		for _, step := range later.take() {
			require.NoError(t, s.Advance(t.Context(), step))
		}
	}
	require.Len(t, callbacks, 1)
	var got struct{ Fax struct{ Status string } }
	require.NoError(t, json.Unmarshal([]byte(callbacks[0]), &got))
	assert.Equal(t, "COMPLETED", got.Fax.Status)

	for path, want := range map[string]string{"/sandbox/letters": "+4930123456", "/sandbox/banks": "/sandbox/letters",
		"/sandbox/post/x": `"code":"404"`} {
		rec := httptest.NewRecorder()
		s.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		assert.Contains(t, rec.Body.String(), want)
	}
}
