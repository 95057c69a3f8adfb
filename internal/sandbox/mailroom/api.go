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

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
)

// Options is what a carrier's interface needs.
type Options struct {
	Processor *Processor
	// BaseURL is the public address without a slash at the end. Empty: the
	// address under which each request came.
	BaseURL string
	// NewID makes UUIDs of version 7.
	NewID func() string
	// SlowAnswer is how late the answer is when the interface hangs; 18 s when
	// zero, which is under the function's own time-out.
	SlowAnswer time.Duration
}

// API is the HTTP server of a carrier's interface, as far as all of them are
// the same: the behaviour that it is noticeItem, who may call, methods, errors, and the
// letters.
type API struct {
	Options
	Mux     *http.ServeMux
	carrier Carrier
	driver  Driver
}

// NewAPI is the desk of a carrier, whose letters the processor handles from now on.
func NewAPI(opts Options, carrier Carrier, driver Driver) *API {
	if opts.SlowAnswer == 0 {
		opts.SlowAnswer = 18 * time.Second
	}
	if opts.Processor.Drivers == nil {
		opts.Processor.Drivers = map[Carrier]Driver{}
	}
	opts.Processor.Drivers[carrier] = driver
	a := &API{opts, http.NewServeMux(), carrier, driver}
	a.Mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { a.write(w, a.refuse(r, outcome.ErrNotFound)) })
	return a
}

// ServeHTTP answers a call.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	a.Mux.ServeHTTP(w, r)
}

// Reply is what a call is answered with.
type Reply struct {
	Status int
	Header map[string]string
	Body   []byte
}

// JSON is a reply with a body of this type.
func JSON(status int, mediaType string, body any) Reply {
	return Reply{status, map[string]string{"Content-Type": mediaType}, Encode(body)}
}

// Encode writes a body; those of the carriers always marshal.
func Encode(body any) []byte {
	b, err := json.Marshal(body)
	if err != nil {
		panic("mailroom: " + err.Error())
	}
	return b
}

// APIError is an error of an interface.
type APIError struct {
	Status int
	// Text says what is wrong, and is empty where the status says all; never what
	// was sent.
	Text string
	// Field or Parameter names what is at fault.
	Field, Parameter string
}

func (e *APIError) Error() string { return strconv.Itoa(e.Status) + ": " + e.Text }

// Refuse is a refusal as an error.
func NewError(status int, text string) error { return &APIError{Status: status, Text: text} }

// Call answers a request, or with a *APIError.
type Call func(r *http.Request) (Reply, error)

// Methods are the calls of one resource.
type Methods map[string]Call

// Serve answers a resource, as the carrier is noticeItem to behave.
func (a *API) Serve(path string, m Methods) {
	a.Mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		setting, err := a.Processor.Setting(r.Context(), a.carrier)
		switch behaviour := setting.Now(a.Processor.Now()); {
		case err != nil:
			a.write(w, a.refuse(r, err))
		case behaviour == Throttle:
			a.write(w, a.refuse(r, NewError(http.StatusTooManyRequests, "")))
		case behaviour == Fail:
			a.write(w, a.refuse(r, NewError(http.StatusInternalServerError, "")))
		case behaviour == Hang:
			late := a.call(r, m)
			select {
			case <-r.Context().Done():
			case <-time.After(a.SlowAnswer):
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
		return a.refuse(r, err)
	}
	return reply
}

// refuse makes a reply of an error.
func (a *API) refuse(r *http.Request, err error) Reply {
	e, refused := errors.AsType[*APIError](err)
	switch {
	case refused:
	case errors.Is(err, outcome.ErrNotFound):
		e = &APIError{Status: http.StatusNotFound}
	case errors.Is(err, outcome.ErrChanged):
		e = &APIError{Status: http.StatusConflict, Text: "The letter has changed at the same moment."}
	default:
		a.Failed(r, err)
		e = &APIError{Status: http.StatusInternalServerError}
	}
	reply := a.driver.ErrorReply(e)
	if e.Status == http.StatusTooManyRequests {
		reply.Header["Retry-After"] = strconv.Itoa(int(RetryAfter.Seconds()))
	}
	return reply
}

// Failed logs a failure of the sandbox itself.
func (a *API) Failed(r *http.Request, err error) {
	a.Processor.Log.ErrorContext(r.Context(), "sandbox carrier failed", "carrier", a.carrier, "method", r.Method, "route", r.Pattern, "error", err)
}

func (a *API) write(w http.ResponseWriter, reply Reply) {
	for name, value := range reply.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body) // a caller who has gone is not our failure
}

// Base is the public address of this environment.
func (a *API) Base(r *http.Request) string { return layout.Origin(a.BaseURL, r) }

// Now is the time in UTC.
func (a *API) Now() time.Time { return a.Processor.Now().UTC() }

// Letter is one of the carrier's letters.
func (a *API) Letter(r *http.Request, id string) (Letter, error) {
	l, err := a.Processor.Store.Letter(r.Context(), id)
	if err == nil && l.Carrier != a.carrier {
		err = outcome.ErrNotFound
	}
	if err != nil {
		return l, fmt.Errorf("read letter: %w", err)
	}
	return l, nil
}

// New makes a letter of a draft, as the carrier is noticeItem to treat those that come.
func (a *API) New(r *http.Request, l *Letter, s State) error {
	setting, err := a.Processor.Setting(r.Context(), a.carrier)
	if err != nil {
		return err
	}
	l.ID, l.Carrier, l.CreatedAt = a.NewID(), a.carrier, a.Now()
	l.SetState(s, l.CreatedAt)
	setting.Apply(l, l.CreatedAt)
	return nil
}

// List is a page of the carrier's letters, newest first, with the number of all
// that are wanted. All are read for that number; few arrive.
func (a *API) List(r *http.Request, wanted func(Letter) bool, oldestFirst bool, number, size int) (page []Letter, total int, err error) {
	all, err := a.Processor.Store.Letters(r.Context(), a.carrier, "", 1<<20)
	all = slices.DeleteFunc(all, func(l Letter) bool { return !wanted(l) })
	if oldestFirst {
		slices.Reverse(all)
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], len(all), err
}

// Whole reads a whole number of the query, from 1 on; false where it is none.
func PositiveInt(q url.Values, name string, fallback, most int) (int, bool) {
	if !q.Has(name) {
		return fallback, true
	}
	n, err := strconv.Atoi(q.Get(name))
	return n, err == nil && n >= 1 && n <= most
}

// OneOf reports whether text is one of the words.
func OneOf(text, words string) bool { return slices.Contains(strings.Fields(words), text) }

// Same compares without telling by its time where two texts differ.
func SecretsEqual(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
