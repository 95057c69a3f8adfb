package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// answer is the ResponseWriter of a request. It keeps the first status (the
// Lambda adapter would keep the last), counts the bytes and, where asked to,
// keeps a copy of the body.
type answer struct {
	w      http.ResponseWriter
	status int
	bytes  int
	keep   bool
	body   []byte
}

func (a *answer) Header() http.Header { return a.w.Header() }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
		a.w.WriteHeader(status)
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.bytes += len(b)
	if a.keep {
		a.body = append(a.body, b...)
	}
	return a.w.Write(b)
}

// WriteProblem answers with the problem document of err, unless something has
// been answered already.
func WriteProblem(w http.ResponseWriter, req *http.Request, err error) {
	c := callFrom(req.Context())
	p := problem(c.id, err)
	if p.Status >= http.StatusInternalServerError && c.cause == nil {
		c.cause = err
	}
	body, err := json.Marshal(p)
	if err != nil {
		c.cause = err
	}
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_, _ = w.Write(body)
}

func joinMethods(methods []string) string {
	slices.Sort(methods)
	return strings.Join(slices.Compact(methods), ", ")
}
