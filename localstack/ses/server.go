// Package ses is a server between the functions and the SES emulator. It passes mail on,
// rejects what SES would reject but the emulator does not, and publishes events about each
// mail, as a configuration set with an event destination does. Since nothing is really
// delivered, the recipient's address decides the outcome. The emulator stores neither tags
// nor configuration sets, so they are read from the requests.
package ses

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"time"

	"aviso/localstack/host"
	"aviso/localstack/template"
)

// maxRequest is a little more than SES's largest mail, 40 MB, in base64.
const maxRequest = 56 << 20

// Fault is a failure on purpose.
type Fault int

// The faults.
const (
	None Fault = iota
	// Throttled rejects the mail with TooManyRequestsException.
	Throttled
	// Cut accepts the mail and closes the connection without a response.
	Cut
)

// Options configure a Server.
type Options struct {
	// Upstream returns the address of the emulator. It is called whenever there is mail, or somebody
	// looks for some.
	Upstream func() (string, error)
	// ConfigurationSets and Identities are the template's. Without identities, any
	// sender is allowed.
	ConfigurationSets []template.ConfigurationSet
	Identities        []template.EmailIdentity
	// Dir is the folder that keeps mail across runs. If it is empty, mail is only in memory.
	Dir string
	// Travel is the time between a mail's events.
	Travel time.Duration
	// Fault, if not nil, is called before each mail is passed on.
	Fault func(Mail) Fault
	// Tell gets one line per failure, for people.
	Tell func(line string)
	Now  func() time.Time
}

// Server is an http.Handler with the API of SES v2.
type Server struct {
	Options
	// publish is set before ready is closed.
	publish func(host.Event) error
	ready   chan struct{}

	mu        sync.Mutex
	hurried   bool // guarded by mu
	hurry     chan struct{}
	inTransit sync.WaitGroup
}

// New returns a server. Events wait until Start.
func New(o Options) *Server {
	return &Server{Options: o, ready: make(chan struct{}), hurry: make(chan struct{})}
}

// Start sets the function that publishes events, and restores the mail of earlier runs. It
// is called once.
func (s *Server) Start(publish func(host.Event) error) {
	s.publish = publish
	close(s.ready)
	s.inTransit.Go(s.restore)
}

// Hurry makes all mail arrive at once, including mail in transit and mail sent later. It
// returns when all pending events are published. It is called once, after Start and before
// the bus stops.
func (s *Server) Hurry() {
	s.mu.Lock()
	s.hurried = true
	s.mu.Unlock()
	close(s.hurry)
	s.inTransit.Wait()
}

// ServeHTTP passes everything on to the emulator, including requests for the inbox page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "POST /v2/email/outbound-emails":
		s.send(w, r)
	case "POST /v2/email/outbound-bulk-emails":
		refuse(w, badRequest("the local stack does not support SendBulkEmail"))
	default:
		s.pass(w, r)
	}
}

// pass passes a request on to the emulator.
func (s *Server) pass(w http.ResponseWriter, r *http.Request) {
	address, err := s.Upstream()
	if err != nil {
		s.unreachable(w, "SES does not start", err)
		return
	}
	upstream, err := url.Parse(address)
	if err != nil {
		s.unreachable(w, "SES has no valid address", err)
		return
	}
	proxy := httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(upstream) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			s.unreachable(w, "SES does not answer at "+address, err)
		},
	}
	proxy.ServeHTTP(w, r)
}

func (s *Server) unreachable(w http.ResponseWriter, what string, err error) {
	s.Tell(fmt.Sprintf("%s, so no mail is sent and no SES events arrive: %v", what, err))
	refuse(w, &refusal{http.StatusBadGateway, "InternalServiceErrorException", "SES does not answer"})
}

func (s *Server) send(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		refuse(w, badRequest("the request cannot be read"))
		return
	}
	m, refused := s.read(body)
	if refused != nil {
		refuse(w, refused)
		return
	}
	fault := None
	if s.Fault != nil {
		fault = s.Fault(m)
	}
	if fault == Throttled {
		refuse(w, &refusal{http.StatusTooManyRequests, "TooManyRequestsException", "Maximum sending rate exceeded."})
		return
	}
	stored, err := s.store(body)
	if err != nil {
		s.Tell(err.Error())
		refuse(w, &refusal{http.StatusInternalServerError, "InternalServiceErrorException", "the mail cannot be stored"})
		return
	}
	answer := s.forward(r, body)
	if answer.Code == http.StatusOK {
		s.accepted(m, stored, answer)
	} else {
		stored.remove()
	}
	if fault == Cut {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// forward passes a mail on to the emulator. A client that goes away does not cancel it.
func (s *Server) forward(r *http.Request, body []byte) *httptest.ResponseRecorder {
	recorded := httptest.NewRecorder()
	forward := r.Clone(context.WithoutCancel(r.Context()))
	forward.Header.Del("Accept-Encoding")
	forward.Body, forward.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	s.pass(recorded, forward)
	return recorded
}

// accepted starts the delivery of a mail that the emulator has accepted. The ID of a mail
// from an earlier run stays.
func (s *Server) accepted(m Mail, stored *storedMail, answer *httptest.ResponseRecorder) {
	if stored.MessageID == "" {
		var body struct{ MessageId string } //nolint:revive // as SES spells it
		if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil {
			s.Tell(fmt.Sprintf("unexpected response from SES, so a mail causes no events: %v", err))
			return
		}
		stored.MessageID = body.MessageId
		if err := stored.save(); err != nil {
			s.Tell(err.Error())
		}
	}
	m.messageID, m.sentAt = stored.MessageID, stored.At
	s.mu.Lock()
	hurried := s.hurried
	if !hurried {
		s.inTransit.Go(func() { s.travel(m, stored) })
	}
	s.mu.Unlock()
	if hurried {
		s.travel(m, stored)
	}
}

// travel publishes a mail's outcomes, step by step.
func (s *Server) travel(m Mail, stored *storedMail) {
	<-s.ready
	var handled sync.WaitGroup
	for _, step := range steps(m.recipients) {
		timer := time.NewTimer(s.Travel)
		select {
		case <-timer.C:
		case <-s.hurry:
			timer.Stop()
		}
		for _, o := range step {
			if !slices.Contains(m.eventTypes, string(o.kind)) {
				continue
			}
			handled.Add(1)
			e := m.event(o, s.Now())
			e.Handled = handled.Done
			if err := s.publish(e); err != nil {
				s.Tell(fmt.Sprintf("mail %s: %v", m.messageID, err))
			}
		}
	}
	go s.whenDone(stored, &handled)
}
