package seal_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/digitorus/timestamp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/seal"
	"aviso/internal/sandbox"
)

func TestStamp(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 1, 0, 0, 0, time.UTC)
	a := sandbox.NewTimestamps(func() time.Time { return at })
	foreign, err := (&timestamp.Request{HashAlgorithm: 5, HashedMessage: make([]byte, 32), Certificates: true}).Marshal()
	require.NoError(t, err)
	ofAnother, err := a.Reply(foreign)
	require.NoError(t, err)
	rejected, err := a.Reply([]byte("no query"))
	require.NoError(t, err)

	server := httptest.NewServer(sandbox.TimestampHandler(func() time.Time { return at }))
	defer server.Close()
	reply, err := seal.Stamp(t.Context(), server.URL, []byte("content"))
	require.NoError(t, err)
	stamp, err := timestamp.ParseResponse(reply)
	require.NoError(t, err)
	assert.Equal(t, at, stamp.Time.UTC())

	for name, answer := range map[string]http.HandlerFunc{
		"down":              func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"of something else": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(ofAnother) },
		"rejected":          func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(rejected) },
		"not a stamp":       func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answer)
			defer server.Close()
			_, err := seal.Stamp(t.Context(), server.URL, []byte("content"))
			assert.Error(t, err)
		})
	}
}
