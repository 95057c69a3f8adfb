package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// answer buffers a response until send, so that a problem document can still replace it. The first status counts.
type answer struct {
	w      http.ResponseWriter
	status int
	body   []byte
}

func (a *answer) Header() http.Header { return a.w.Header() }

func (a *answer) WriteHeader(status int) {
	a.status = cmp.Or(a.status, status)
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, b...)
	return len(b), nil
}

// forget drops the status and the body written so far, but not the headers.
func (a *answer) forget() { a.status, a.body = 0, nil }

// send writes the buffered response.
func (a *answer) send() {
	if a.status == 0 {
		return
	}
	a.w.WriteHeader(a.status)
	if len(a.body) > 0 {
		_, _ = a.w.Write(a.body)
	}
}

// WriteProblem responds with the problem document for err. It replaces everything written so far.
func WriteProblem(w http.ResponseWriter, req *http.Request, err error) {
	if a, ok := w.(*answer); ok {
		a.forget()
	}
	c := callFrom(req.Context())
	p := c.problem(err)
	body, err := json.Marshal(p)
	if err != nil {
		c.cause = err
	}
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_, _ = w.Write(body)
}

func joinMethods(methods []string) string {
	return strings.Join(slices.Sorted(slices.Values(methods)), ", ")
}
