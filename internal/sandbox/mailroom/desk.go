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
	Clerk *Clerk
	// BaseURL is the public address without a slash at the end. Empty: the
	// address under which each request came.
	BaseURL string
	// NewID makes UUIDs of version 7.
	NewID func() string
	// SlowAnswer is how late the answer is when the interface hangs; 18 s when
	// zero, which is under the function's own time-out.
	SlowAnswer time.Duration
}

// Desk is the HTTP server of a carrier's interface, as far as all of them are
// the same: the behaviour that it is told, who may call, methods, errors, and the
// letters.
type Desk struct {
	Options
	Mux     *http.ServeMux
	carrier Carrier
	own     Handling
}

// NewDesk is the desk of a carrier, whose letters the clerk handles from now on.
func NewDesk(opts Options, carrier Carrier, own Handling) *Desk {
	if opts.SlowAnswer == 0 {
		opts.SlowAnswer = 18 * time.Second
	}
	if opts.Clerk.Handling == nil {
		opts.Clerk.Handling = map[Carrier]Handling{}
	}
	opts.Clerk.Handling[carrier] = own
	d := &Desk{opts, http.NewServeMux(), carrier, own}
	d.Mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { d.write(w, d.refuse(r, outcome.ErrNotFound)) })
	return d
}

// ServeHTTP answers a call.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	d.Mux.ServeHTTP(w, r)
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

// Refusal is an error of an interface.
type Refusal struct {
	Status int
	// Text says what is wrong, and is empty where the status says all; never what
	// was sent.
	Text string
	// Field or Parameter names what is at fault.
	Field, Parameter string
}

func (e *Refusal) Error() string { return strconv.Itoa(e.Status) + ": " + e.Text }

// Refuse is a refusal as an error.
func Refuse(status int, text string) error { return &Refusal{Status: status, Text: text} }

// Call answers a request, or with a *Refusal.
type Call func(r *http.Request) (Reply, error)

// Methods are the calls of one resource.
type Methods map[string]Call

// Serve answers a resource, as the carrier is told to behave.
func (d *Desk) Serve(path string, m Methods) {
	d.Mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		setting, err := d.Clerk.Setting(r.Context(), d.carrier)
		switch behaviour := setting.Now(d.Clerk.Now()); {
		case err != nil:
			d.write(w, d.refuse(r, err))
		case behaviour == Throttle:
			d.write(w, d.refuse(r, Refuse(http.StatusTooManyRequests, "")))
		case behaviour == Fail:
			d.write(w, d.refuse(r, Refuse(http.StatusInternalServerError, "")))
		case behaviour == Hang:
			late := d.call(r, m)
			select {
			case <-r.Context().Done():
			case <-time.After(d.SlowAnswer):
				d.write(w, late)
			}
		default:
			d.write(w, d.call(r, m))
		}
	})
}

func (d *Desk) call(r *http.Request, m Methods) Reply {
	call, allowed := m[r.Method]
	err := d.own.Admit(r)
	var reply Reply
	switch {
	case err != nil:
	case !allowed:
		err = Refuse(http.StatusMethodNotAllowed, "")
	default:
		reply, err = call(r)
	}
	if err != nil {
		return d.refuse(r, err)
	}
	return reply
}

// refuse makes a reply of an error.
func (d *Desk) refuse(r *http.Request, err error) Reply {
	no, refused := errors.AsType[*Refusal](err)
	switch {
	case refused:
	case errors.Is(err, outcome.ErrNotFound):
		no = &Refusal{Status: http.StatusNotFound}
	case errors.Is(err, outcome.ErrChanged):
		no = &Refusal{Status: http.StatusConflict, Text: "The letter has changed at the same moment."}
	default:
		d.Failed(r, err)
		no = &Refusal{Status: http.StatusInternalServerError}
	}
	reply := d.own.Refuse(no)
	if no.Status == http.StatusTooManyRequests {
		reply.Header["Retry-After"] = strconv.Itoa(int(RetryAfter.Seconds()))
	}
	return reply
}

// Failed logs a failure of the sandbox itself.
func (d *Desk) Failed(r *http.Request, err error) {
	d.Clerk.Log.ErrorContext(r.Context(), "sandbox carrier failed", "carrier", d.carrier, "method", r.Method, "route", r.Pattern, "error", err)
}

func (d *Desk) write(w http.ResponseWriter, reply Reply) {
	for name, value := range reply.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body) // a caller who has gone is not our failure
}

// Base is the public address of this environment.
func (d *Desk) Base(r *http.Request) string { return layout.Origin(d.BaseURL, r) }

// Now is the time in UTC.
func (d *Desk) Now() time.Time { return d.Clerk.Now().UTC() }

// Letter is one of the carrier's letters.
func (d *Desk) Letter(r *http.Request, id string) (Letter, error) {
	l, err := d.Clerk.Store.Letter(r.Context(), id)
	if err == nil && l.Carrier != d.carrier {
		err = outcome.ErrNotFound
	}
	if err != nil {
		return l, fmt.Errorf("read letter: %w", err)
	}
	return l, nil
}

// New makes a letter of a draft, as the carrier is told to treat those that come.
func (d *Desk) New(r *http.Request, l *Letter, s State) error {
	setting, err := d.Clerk.Setting(r.Context(), d.carrier)
	if err != nil {
		return err
	}
	l.ID, l.Carrier, l.CreatedAt = d.NewID(), d.carrier, d.Now()
	l.Enter(s, l.CreatedAt)
	setting.Receive(l, l.CreatedAt)
	return nil
}

// List is a page of the carrier's letters, newest first, with the number of all
// that are wanted. All are read for that number; few arrive.
func (d *Desk) List(r *http.Request, wanted func(Letter) bool, oldestFirst bool, number, size int) (page []Letter, total int, err error) {
	all, err := d.Clerk.Store.Letters(r.Context(), d.carrier, "", 1<<20)
	all = slices.DeleteFunc(all, func(l Letter) bool { return !wanted(l) })
	if oldestFirst {
		slices.Reverse(all)
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], len(all), err
}

// Whole reads a whole number of the query, from 1 on; false where it is none.
func Whole(q url.Values, name string, fallback, most int) (int, bool) {
	if !q.Has(name) {
		return fallback, true
	}
	n, err := strconv.Atoi(q.Get(name))
	return n, err == nil && n >= 1 && n <= most
}

// OneOf reports whether text is one of the words.
func OneOf(text, words string) bool { return slices.Contains(strings.Fields(words), text) }

// Same compares without telling by its time where two texts differ.
func Same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
