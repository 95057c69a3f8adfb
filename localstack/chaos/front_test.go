package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/chaos/history"
)

// TestLetterCountsFromTheCallThatWasCutOff kills the post office while it takes a letter.
// That it has the letter shows only later, but it has had it since that call.
func TestLetterCountsFromTheCallThatWasCutOff(t *testing.T) {
	const cancellation = "01a20355-9cac-77c1-bbaa-92eb78423b63"
	post := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			_, _ = io.WriteString(w, `{"data":{"id":"letter-1"}}`)
		case http.MethodPatch:
			panic(http.ErrAbortHandler)
		case http.MethodGet:
			_, _ = io.WriteString(w, `{"data":{"attributes":{"status":"submitted"}}}`)
		}
	}))
	t.Cleanup(post.Close)
	begun := time.Now()
	c := &counter{
		book: history.NewBook(io.Discard), since: func(at time.Time) time.Duration { return at.Sub(begun) },
		cancellationOf: map[string]string{}, noted: map[string]bool{}, refused: map[string]time.Time{},
	}
	p := &relay{
		target: func() string { return post.URL }, pick: func(message) fault { return fault{} },
		passed: c.passed, counts: newTally(), client: newTransport(),
	}
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	call := func(method, path, body string) {
		r, err := http.NewRequestWithContext(t.Context(), method, front.URL+"/sandbox/post"+letters+path, strings.NewReader(body))
		require.NoError(t, err)
		if res, err := http.DefaultClient.Do(r); err == nil {
			require.NoError(t, res.Body.Close())
		}
	}
	call(http.MethodPost, "", `{"data":{"attributes":{"file_original_name":"`+cancellation+`.pdf"}}}`)
	call(http.MethodPatch, "/letter-1/send", "{}")
	cut := time.Since(begun)
	call(http.MethodGet, "/letter-1", "")
	sent := c.book.Read().Letters
	require.Len(t, sent, 1)
	assert.Equal(t, cancellation, sent[0].Cancellation)
	assert.Less(t, sent[0].At, cut)
}
