package aggregator

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// Path is where the API is.
const Path = "/sandbox/aggregator"

// Options configures the aggregator.
type Options struct {
	Store *sandboxdb.Store
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	Now     func() time.Time
	// NewID returns an unguessable UUID.
	NewID func() string
	Log   *slog.Logger
}

type server struct {
	Options
	simulations persona.Simulations
}

// New returns the handler for everything under Path.
func New(opts Options) http.Handler {
	s := &server{Options: opts}
	mux := http.NewServeMux()
	mux.Handle("POST "+Path+"/applications", s.answer(s.register))
	mux.Handle("GET "+Path+"/application", s.api(s.getApplication))
	mux.Handle("GET "+Path+"/aspsps", s.api(s.listASPSPs))
	mux.Handle("POST "+Path+"/auth", s.api(s.startAuthorisation))
	mux.Handle("POST "+Path+"/sessions", s.api(s.redeem))
	mux.Handle("GET "+Path+"/sessions/{session}", s.api(s.getSession))
	mux.Handle("DELETE "+Path+"/sessions/{session}", s.api(s.deleteSession))
	mux.Handle("GET "+Path+"/accounts/{account}/details", s.data("details", s.getDetails))
	mux.Handle("GET "+Path+"/accounts/{account}/balances", s.data("balances", s.getBalances))
	mux.Handle("GET "+Path+"/accounts/{account}/transactions", s.data("transactions", s.getTransactions))
	mux.Handle(Path+"/auth/{attempt}", s.page())
	mux.HandleFunc("GET "+LogoPath, serveLogo)
	mux.Handle(Path+"/", s.answer(func(*http.Request) (any, error) {
		return nil, &refusal{Status: http.StatusNotFound, Message: "Not found"}
	}))
	return layout.Timed(mux, s.Now)
}

// now returns the time of the user whom a request is for.
func (s *server) now(r *http.Request) time.Time { return clock.Now(r.Context(), s.Now) }

// refusal is an error of the API. Detail is null or any JSON.
type refusal struct {
	Status  int    `json:"code"`
	Code    string `json:"error,omitempty"`
	Message string `json:"message"`
	Detail  any    `json:"detail"`
}

func (r *refusal) Error() string { return r.Message }

func refuse(status int, code, message string) error {
	return &refusal{Status: status, Code: code, Message: message}
}

// answer answers with JSON.
func (s *server) answer(handle func(r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		status := http.StatusOK
		body, err := handle(r)
		if told, ok := errors.AsType[*refusal](err); ok {
			status, body, err = told.Status, told, nil
		}
		if errors.Is(err, errGarbled) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<html><title>502 Bad Gateway</title></html>"))
			return
		}
		if err == nil {
			err = layout.WriteJSON(w, status, body)
		}
		if err != nil {
			s.Log.ErrorContext(r.Context(), "sandbox aggregator failed", "method", r.Method, "route", r.Pattern, "error", err)
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
}

// api handles a call of an application.
func (s *server) api(handle func(r *http.Request, app Application) (any, error)) http.Handler {
	return s.answer(func(r *http.Request) (any, error) {
		app, err := s.authenticate(r)
		if err != nil {
			return nil, err
		}
		return handle(r, app)
	})
}

// read reads a record, or refuses if there is none.
func read[R sandboxdb.Record](ctx context.Context, s *server, like R, missing error) (R, error) {
	found, err := sandboxdb.Get(ctx, s.Store, like)
	if errors.Is(err, outcome.ErrNotFound) {
		err = missing
	}
	return found, err
}

// maxBody is far larger than any request.
const maxBody = 32 << 10

func readJSON(r *http.Request, into any) error {
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxBody)).Decode(into); err != nil {
		return refuse(http.StatusUnprocessableEntity, "WRONG_REQUEST_PARAMETERS", "Wrong request parameters provided")
	}
	return nil
}
