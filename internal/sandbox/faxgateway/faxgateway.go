package faxgateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/origin"
)

// Path is where the API begins.
const Path = "/sandbox/fax"

// Credentials are those of the one project.
type Credentials struct{ ProjectID, KeyID, KeySecret string }

// Options is what the fax gateway needs.
type Options struct {
	Clerk       *mailroom.Clerk
	Credentials Credentials
	// BaseURL is the public address without a slash at the end. Empty: the
	// address under which each request came.
	BaseURL string
	Now     func() time.Time
	// NewID makes UUIDs of version 7.
	NewID func() string
	// SlowAnswer is how late the answer is when the interface hangs; 18 s when
	// zero, which is under the function's own time-out.
	SlowAnswer time.Duration
	Log        *slog.Logger
}

// Server is the fax gateway.
type Server struct {
	Options
	mux *http.ServeMux
}

// New is a fax gateway.
func New(opts Options) *Server {
	if opts.SlowAnswer == 0 {
		opts.SlowAnswer = 18 * time.Second
	}
	s := &Server{Options: opts, mux: http.NewServeMux()}
	const faxes = "/v3/projects/{project}/faxes"
	s.api(faxes, methods{"POST": s.create, "GET": s.list})
	s.api(faxes+"/{fax}", methods{"GET": s.show})
	s.api(faxes+"/{fax}/file", methods{"GET": s.file, "DELETE": s.deleteFile})
	s.api(faxes+"/{fax}/file.pdf", methods{"GET": s.file})
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.write(w, s.refuse(r, outcome.ErrNotFound)) })
	return s
}

// ServeHTTP answers everything under Path.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	s.mux.ServeHTTP(w, r)
}

// answer is what a call is answered with.
type answer struct {
	status      int
	contentType string
	body        []byte
	fileName    string
	retryAfter  time.Duration
}

// handler answers a call, or with a *refusal.
type handler func(r *http.Request) (answer, error)

type methods map[string]handler

// api answers a resource of the API, as the gateway is told to behave.
func (s *Server) api(path string, m methods) {
	s.mux.HandleFunc(Path+path, func(w http.ResponseWriter, r *http.Request) {
		setting, err := s.Clerk.Setting(r.Context(), mailroom.Fax)
		if err != nil {
			s.write(w, s.refuse(r, err))
			return
		}
		switch setting.Now(s.Now()) {
		case mailroom.Throttle:
			s.write(w, s.refuse(r, &refusal{status: http.StatusTooManyRequests, message: "Rate limit exceeded, please back off and try again later.", retryAfter: mailroom.RetryAfter}))
		case mailroom.Fail:
			s.write(w, s.refuse(r, &refusal{status: http.StatusInternalServerError, message: "Most likely a temporary issue, please try again later."}))
		case mailroom.Hang:
			s.wait(r.Context(), w, s.call(r, m))
		default:
			s.write(w, s.call(r, m))
		}
	})
}

// wait answers too late.
func (s *Server) wait(ctx context.Context, w http.ResponseWriter, a answer) {
	select {
	case <-ctx.Done():
	case <-time.After(s.SlowAnswer):
		s.write(w, a)
	}
}

func (s *Server) call(r *http.Request, m methods) answer {
	key, secret, _ := r.BasicAuth()
	if !same(key, s.Credentials.KeyID) || !same(secret, s.Credentials.KeySecret) || r.PathValue("project") != s.Credentials.ProjectID {
		return answer{status: http.StatusUnauthorized}
	}
	h, allowed := m[r.Method]
	if !allowed {
		return s.refuse(r, &refusal{status: http.StatusMethodNotAllowed, message: "The method is not allowed."})
	}
	a, err := h(r)
	if err != nil {
		return s.refuse(r, err)
	}
	return a
}

// refuse makes an answer of an error.
func (s *Server) refuse(r *http.Request, err error) answer {
	var no *refusal
	switch {
	case errors.As(err, &no):
	case errors.Is(err, outcome.ErrNotFound):
		no = &refusal{status: http.StatusNotFound, message: "The resource is not found, not available, or does not exist."}
	default:
		s.Log.ErrorContext(r.Context(), "sandbox fax gateway failed", "method", r.Method, "route", r.Pattern, "error", err)
		no = &refusal{status: http.StatusInternalServerError, message: "Most likely a temporary issue, please try again later."}
	}
	return no.answer()
}

func (s *Server) write(w http.ResponseWriter, a answer) {
	h := w.Header()
	if a.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(a.retryAfter.Seconds())))
	}
	if a.contentType != "" {
		h.Set("Content-Type", a.contentType)
	}
	if a.fileName != "" {
		h.Set("Content-Disposition", `attachment; filename="`+a.fileName+`"`)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a caller who has gone is not our failure
}

func ok(body any) answer {
	return answer{status: http.StatusOK, contentType: "application/json", body: encode(body)}
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("faxgateway: " + err.Error()) // the wire types marshal
	}
	return b
}

// base is the public address of this environment.
func (s *Server) base(r *http.Request) string { return origin.Of(s.BaseURL, r) }

// wireID writes an id as Sinch does. A ULID and a UUID of version 7 are both 128
// bits that begin with the time.
func wireID(id string) string { return ulid.ULID(uuid.MustParse(id)).String() }

// letterID reads an id of the wire.
func letterID(wire string) (string, error) {
	id, err := ulid.ParseStrict(wire)
	if err != nil {
		return "", outcome.ErrNotFound
	}
	return uuid.UUID(id).String(), nil
}

// fax is the one of the path.
func (s *Server) fax(r *http.Request) (mailroom.Letter, error) {
	id, err := letterID(r.PathValue("fax"))
	if err != nil {
		return mailroom.Letter{}, err
	}
	l, err := s.Clerk.Store.Letter(r.Context(), id)
	if err == nil && l.Carrier != mailroom.Fax {
		err = outcome.ErrNotFound
	}
	if err != nil {
		return l, fmt.Errorf("read fax: %w", err)
	}
	return l, nil
}
