package mailroom

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
)

// API is the HTTP server of a carrier's interface. It implements what all carriers share:
// simulated behaviour, authentication, methods, errors and the letters.
type API struct {
	*Processor
	Mux     *http.ServeMux
	carrier Carrier
	driver  Driver
}

// NewAPI returns the interface of a carrier and registers its driver with the processor.
func NewAPI(p *Processor, carrier Carrier, driver Driver) *API {
	p.Drivers[carrier] = driver
	a := &API{p, http.NewServeMux(), carrier, driver}
	a.Mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		a.errorReply(r, outcome.ErrNotFound).write(w)
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

func (reply Reply) write(w http.ResponseWriter) {
	for name, value := range reply.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body) // nothing to do if the caller has gone
}

// APIError is an error response of an interface.
type APIError struct {
	Status int
	// Text says what is wrong; never what was sent. It is empty if the status is enough.
	Text string
	// Field is what is wrong: a member of the body or a parameter.
	Field string
}

func (e *APIError) Error() string { return strconv.Itoa(e.Status) + ": " + e.Text }

// NewError returns an APIError.
func NewError(status int, text string) error { return &APIError{Status: status, Text: text} }

// FieldError returns an APIError about a field.
func FieldError(status int, field, text string) error { return &APIError{status, text, field} }

// ReadError returns the error of a body that was not read whole.
func ReadError(err error, tooLarge, text string) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return NewError(http.StatusRequestEntityTooLarge, tooLarge)
	}
	return NewError(http.StatusBadRequest, text)
}

// Methods maps the methods of a resource to what handles them. That may return an *APIError.
type Methods map[string]func(r *http.Request) (Reply, error)

// Serve handles a resource with the behaviour that is set for the carrier.
func (a *API) Serve(path string, m Methods) {
	a.Mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		setting, err := a.Setting(r.Context(), a.carrier, "")
		behaviour := setting.Behaviour
		if status := map[Behaviour]int{Throttle: 429, Fail: 500}[behaviour]; err == nil && status > 0 {
			err = NewError(status, "")
		}
		var reply Reply
		if err == nil {
			reply, err = a.call(r, m)
		}
		if err != nil {
			reply = a.errorReply(r, err)
		}
		if behaviour != Hang || clock.Wait(r.Context(), a.SlowAnswer) {
			reply.write(w)
		}
	})
}

func (a *API) call(r *http.Request, m Methods) (Reply, error) {
	if err := a.driver.Authenticate(r); err != nil {
		return Reply{}, err
	}
	call, allowed := m[r.Method]
	if !allowed {
		return Reply{}, NewError(http.StatusMethodNotAllowed, "")
	}
	return call(r)
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
		reply.Header["Retry-After"] = "30"
	}
	return reply
}

// LogFailure logs an internal failure of the sandbox.
func (p *Processor) LogFailure(r *http.Request, err error) {
	p.Log.ErrorContext(r.Context(), "sandbox carrier failed", "method", r.Method, "route", r.Pattern, "error", err)
}

// Base returns the public address of this environment.
func (p *Processor) Base(r *http.Request) string { return layout.Origin(p.BaseURL, r) }

// Letter reads one of the carrier's letters. Its time is that of its user.
func (a *API) Letter(r *http.Request, id string) (Letter, error) {
	l, err := a.Store.Letter(r.Context(), id)
	if err == nil && l.Carrier != a.carrier {
		err = outcome.ErrNotFound
	}
	if told := clock.From(r.Context()).Ahead; told > 0 {
		l.Ahead = told
	}
	return l, err
}

// New turns a draft into a letter and applies the behaviour that is set for new letters.
func (a *API) New(r *http.Request, l *Letter, s State) error {
	setting, err := a.Setting(r.Context(), a.carrier, l.Partner)
	if err != nil {
		return err
	}
	l.ID, l.Carrier = a.NewID(), a.carrier
	a.Arrive(r.Context(), l)
	l.SetState(s, l.CreatedAt)
	switch b := setting.Behaviour; b {
	case Reject, Bounce, Lose:
		l.Fate = b
	case Delay:
		l.HeldUntil = setting.Until.Add(l.Ahead)
	default:
	}
	return nil
}

// List returns the carrier's letters that are wanted, newest first.
func (a *API) List(r *http.Request, wanted func(Letter) bool) ([]Letter, error) {
	ours := func(l Letter) bool { return l.Carrier == a.carrier && wanted(l) }
	return a.Store.Letters(r.Context(), "", all, ours)
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
