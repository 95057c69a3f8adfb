package postoffice

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/origin"
)

// Path is where the API begins.
const Path = "/sandbox/post"

// Credentials are those of the one organisation.
type Credentials struct {
	ClientID, ClientSecret string
	// OrganisationID is a UUID.
	OrganisationID string
	// WebhookSecret is the signing key of the webhooks.
	WebhookSecret string
}

// Options is what the post office needs.
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

// Server is the post office.
type Server struct {
	Options
	mux *http.ServeMux
}

// New is a post office.
func New(opts Options) *Server {
	if opts.SlowAnswer == 0 {
		opts.SlowAnswer = 18 * time.Second
	}
	s := &Server{Options: opts, mux: http.NewServeMux()}
	s.mux.HandleFunc(Path+"/identity/auth/access-tokens", s.token)
	s.mux.HandleFunc("PUT "+Path+"/uploads/{upload}", s.upload)
	s.mux.HandleFunc("GET "+Path+"/files/{letter}", s.download)
	s.api("/file-upload", methods{"GET": s.fileUpload})
	// The documented paths, and the older ones that Pingen still answers.
	for _, base := range []string{"/organisations/{org}/deliveries/letters", "/organisations/{org}/letters"} {
		s.api(base, methods{"GET": s.list, "POST": s.once(s.create)})
		s.api(base+"/{letter}", methods{"GET": s.show, "DELETE": s.remove})
		s.api(base+"/{letter}/send", methods{"PATCH": s.once(s.send)})
		s.api(base+"/{letter}/cancel", methods{"PATCH": s.once(s.cancel)})
		s.api(base+"/{letter}/file", methods{"GET": s.file})
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		s.write(w, notFound())
	})
	return s
}

// ServeHTTP answers everything under Path.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Request-Id", s.NewID())
	s.mux.ServeHTTP(w, r)
}

// answer is what a call is answered with.
type answer struct {
	status   int
	body     []byte
	location string
	// replayed: it is the answer to an earlier request.
	replayed   bool
	retryAfter time.Duration
}

// handler answers a call, or with a *refusal.
type handler func(r *http.Request) (answer, error)

type methods map[string]handler

// api answers a resource of the API, as the post office is told to behave.
func (s *Server) api(path string, m methods) {
	s.mux.HandleFunc(Path+path, func(w http.ResponseWriter, r *http.Request) {
		setting, err := s.Clerk.Setting(r.Context(), mailroom.Post)
		if err != nil {
			s.write(w, s.refuse(r, err))
			return
		}
		switch setting.Now(s.Now()) {
		case mailroom.Throttle:
			s.write(w, s.refuse(r, &refusal{status: http.StatusTooManyRequests, title: "Too Many Requests", retryAfter: mailroom.RetryAfter}))
		case mailroom.Fail:
			s.write(w, s.refuse(r, &refusal{status: http.StatusInternalServerError, title: "Server Error"}))
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
	h, allowed := m[r.Method]
	var a answer
	err := s.authenticate(r)
	switch {
	case err != nil:
	case !allowed:
		err = &refusal{status: http.StatusMethodNotAllowed, title: "Method Not Allowed"}
	case r.PathValue("org") != "" && r.PathValue("org") != s.Credentials.OrganisationID:
		return notFound()
	default:
		a, err = h(r)
	}
	if err != nil {
		return s.refuse(r, err)
	}
	return a
}

func notFound() answer {
	return (&refusal{status: http.StatusNotFound, title: "Not Found"}).answer()
}

// refuse makes an answer of an error.
func (s *Server) refuse(r *http.Request, err error) answer {
	var no *refusal
	switch {
	case errors.As(err, &no):
	case errors.Is(err, outcome.ErrNotFound):
		return notFound()
	case errors.Is(err, outcome.ErrChanged):
		no = &refusal{status: http.StatusConflict, title: "Conflict", detail: "The letter has changed at the same moment."}
	default:
		s.Log.ErrorContext(r.Context(), "sandbox post office failed", "method", r.Method, "route", r.Pattern, "error", err)
		no = &refusal{status: http.StatusInternalServerError, title: "Server Error"}
	}
	return no.answer()
}

func (s *Server) write(w http.ResponseWriter, a answer) {
	h := w.Header()
	if a.location != "" {
		h.Set("Location", a.location)
	}
	if a.replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	if a.retryAfter > 0 {
		h.Set("Retry-After", fmt.Sprint(int(a.retryAfter.Seconds())))
	}
	if len(a.body) > 0 {
		h.Set("Content-Type", mediaType)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a caller who has gone is not our failure
}

// base is the public address of this environment.
func (s *Server) base(r *http.Request) string { return origin.Of(s.BaseURL, r) }

// letter is the one of the path.
func (s *Server) letter(r *http.Request) (mailroom.Letter, error) {
	l, err := s.Clerk.Store.Letter(r.Context(), r.PathValue("letter"))
	if err == nil && l.Carrier != mailroom.Post {
		err = outcome.ErrNotFound
	}
	if err != nil {
		return l, fmt.Errorf("read letter: %w", err)
	}
	return l, nil
}

// oneOf tells whether text is one of the words.
func oneOf(text, words string) bool { return slices.Contains(strings.Fields(words), text) }
