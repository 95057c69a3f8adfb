package mailroom

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
)

// Options configures a carrier's interface.
type Options struct {
	Processor *Processor
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	// NewID returns a UUID of version 7.
	NewID func() string
	// SlowAnswer is the delay of a response when the interface hangs. The default is 18
	// s, which is below the function's own timeout.
	SlowAnswer time.Duration
}

// API is the HTTP server of a carrier's interface. It implements what all carriers share:
// simulated behaviour, authentication, methods, errors and the letters.
type API struct {
	Options
	Mux     *http.ServeMux
	carrier Carrier
	driver  Driver
}

// NewAPI returns the interface of a carrier and registers its driver with the processor.
func NewAPI(opts Options, carrier Carrier, driver Driver) *API {
	if opts.SlowAnswer == 0 {
		opts.SlowAnswer = 18 * time.Second
	}
	if opts.Processor.Drivers == nil {
		opts.Processor.Drivers = map[Carrier]Driver{}
	}
	opts.Processor.Drivers[carrier] = driver
	a := &API{opts, http.NewServeMux(), carrier, driver}
	a.Mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		a.write(w, a.errorReply(r, outcome.ErrNotFound))
	})
	return a
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	a.Mux.ServeHTTP(w, r)
}

// Reply is the response to a call.
type Reply struct {
	Status int
	Header map[string]string
	Body   []byte
}

// JSON returns a reply with a body of this media type.
func JSON(status int, mediaType string, body any) Reply {
	return Reply{status, map[string]string{"Content-Type": mediaType}, Encode(body)}
}

// Encode encodes a body as JSON; the carriers' bodies always marshal.
func Encode(body any) []byte {
	b, err := json.Marshal(body)
	if err != nil {
		panic("mailroom: " + err.Error())
	}
	return b
}

// APIError is an error response of an interface.
type APIError struct {
	Status int
	// Text says what is wrong; never what was sent. It is empty if the status is enough.
	Text string
	// Field or Parameter is what is wrong.
	Field, Parameter string
}

func (e *APIError) Error() string { return strconv.Itoa(e.Status) + ": " + e.Text }

// NewError returns an APIError.
func NewError(status int, text string) error { return &APIError{Status: status, Text: text} }

// Call handles a request. It may return an *APIError.
type Call func(r *http.Request) (Reply, error)

// Methods maps the methods of a resource to their calls.
type Methods map[string]Call

// Serve handles a resource with the behaviour that is set for the carrier.
func (a *API) Serve(path string, m Methods) {
	a.Mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		setting, err := a.Processor.Setting(r.Context(), a.carrier, "")
		switch behaviour := setting.Now(a.Processor.Now()); {
		case err != nil:
			a.write(w, a.errorReply(r, err))
		case behaviour == Throttle:
			a.write(w, a.errorReply(r, NewError(http.StatusTooManyRequests, "")))
		case behaviour == Fail:
			a.write(w, a.errorReply(r, NewError(http.StatusInternalServerError, "")))
		case behaviour == Hang:
			late := a.call(r, m)
			if clock.Wait(r.Context(), a.SlowAnswer) {
				a.write(w, late)
			}
		default:
			a.write(w, a.call(r, m))
		}
	})
}

func (a *API) call(r *http.Request, m Methods) Reply {
	call, allowed := m[r.Method]
	err := a.driver.Authenticate(r)
	var reply Reply
	switch {
	case err != nil:
	case !allowed:
		err = NewError(http.StatusMethodNotAllowed, "")
	default:
		reply, err = call(r)
	}
	if err != nil {
		return a.errorReply(r, err)
	}
	return reply
}

// errorReply converts an error to a reply.
func (a *API) errorReply(r *http.Request, err error) Reply {
	e, refused := errors.AsType[*APIError](err)
	switch {
	case refused:
	case errors.Is(err, outcome.ErrNotFound):
		e = &APIError{Status: http.StatusNotFound}
	case errors.Is(err, outcome.ErrChanged):
		e = &APIError{Status: http.StatusConflict, Text: "Another request changed the letter."}
	default:
		a.LogFailure(r, err)
		e = &APIError{Status: http.StatusInternalServerError}
	}
	reply := a.driver.ErrorReply(e)
	if e.Status == http.StatusTooManyRequests {
		reply.Header["Retry-After"] = strconv.Itoa(int(RetryAfter.Seconds()))
	}
	return reply
}

// LogFailure logs an internal failure of the sandbox.
func (a *API) LogFailure(r *http.Request, err error) {
	a.Processor.Log.ErrorContext(r.Context(), "sandbox carrier failed", "carrier", a.carrier, "method", r.Method,
		"route", r.Pattern, "error", err)
}

func (a *API) write(w http.ResponseWriter, reply Reply) {
	for name, value := range reply.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body) // nothing to do if the caller has gone
}

// Base returns the public address of this environment.
func (a *API) Base(r *http.Request) string { return layout.Origin(a.BaseURL, r) }

// Now returns the time in UTC.
func (a *API) Now() time.Time { return a.Processor.Now().UTC() }

// UserNow returns the time of the user whom a request is for.
func (a *API) UserNow(r *http.Request) time.Time { return clock.Now(r.Context(), a.Processor.Now) }

// Letter reads one of the carrier's letters. Its time is that of its user.
func (a *API) Letter(r *http.Request, id string) (Letter, error) {
	l, err := a.Processor.Store.Letter(r.Context(), id)
	if err == nil && l.Carrier != a.carrier {
		err = outcome.ErrNotFound
	}
	if err != nil {
		return l, fmt.Errorf("read letter: %w", err)
	}
	if told := clock.From(r.Context()).Ahead; told > 0 {
		l.Ahead = told
	}
	return l, nil
}

// New turns a draft into a letter and applies the behaviour that is set for new letters.
func (a *API) New(r *http.Request, l *Letter, s State) error {
	setting, err := a.Processor.Setting(r.Context(), a.carrier, l.Partner)
	if err != nil {
		return err
	}
	l.ID, l.Carrier = a.NewID(), a.carrier
	a.Processor.Arrive(r.Context(), l)
	l.SetState(s, l.CreatedAt)
	setting.Apply(l, a.Now())
	return nil
}

// List returns a page of the carrier's letters, newest first, and the number of all
// matching letters. It reads all letters for that number; a sandbox receives few.
func (a *API) List(r *http.Request, wanted func(Letter) bool, oldestFirst bool, number, size int,
) (page []Letter, total int, err error) {
	all, err := a.Processor.Store.Letters(r.Context(), a.carrier, "", 1<<20)
	all = slices.DeleteFunc(all, func(l Letter) bool { return !wanted(l) })
	if oldestFirst {
		slices.Reverse(all)
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], len(all), err
}

// PositiveInt reads an integer of at least 1 from the query and reports whether it is
// valid.
func PositiveInt(q url.Values, name string, fallback, most int) (int, bool) {
	if !q.Has(name) {
		return fallback, true
	}
	n, err := strconv.Atoi(q.Get(name))
	return n, err == nil && n >= 1 && n <= most
}

// OneOf reports whether text is one of the words.
func OneOf(text, words string) bool { return slices.Contains(strings.Fields(words), text) }

// Bearer reports whether a request has the token. Nobody has an empty one.
func Bearer(r *http.Request, token string) bool {
	sent, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return token != "" && SecretsEqual(sent, token)
}

// SecretsEqual compares two texts in constant time.
func SecretsEqual(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
