// Package ses stands between the functions and the SES emulator. It passes mail
// on, refuses what SES would refuse and the emulator does not, and tells the
// event bus what has become of each mail, as a configuration set with an event
// destination does: by the address, since nothing is ever delivered. The
// emulator keeps neither tags nor configuration sets, so its store cannot be
// asked for them.
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
	"sync"
	"time"

	"aviso/localstack/host"
	"aviso/localstack/template"
)

// maxRequest is a little more than the largest mail that SES takes, 40 MB, in
// base64.
const maxRequest = 56 << 20

// Fault is something that goes wrong on purpose.
type Fault int

// The faults.
const (
	None Fault = iota
	// Throttled refuses the mail: TooManyRequestsException.
	Throttled
	// Cut takes the mail and cuts the connection without an answer.
	Cut
)

// Options are what a Server needs.
type Options struct {
	// Upstream is the address of the emulator.
	Upstream string
	// ConfigurationSets and Identities are the template's. Where there are no
	// identities, everybody may send.
	ConfigurationSets []template.ConfigurationSet
	Identities        []template.EmailIdentity
	// Travel is the time between a mail's events.
	Travel time.Duration
	// Fault is asked before each mail is passed on; nil means none.
	Fault func(Mail) Fault
	// Tell is given one line per failure, for people.
	Tell func(line string)
	Now  func() time.Time
}

// Server is an http.Handler with the API of SES v2.
type Server struct {
	Options
	proxy *httputil.ReverseProxy
	// publish is set before ready is closed.
	publish func(host.Event) error
	ready   chan struct{}

	mu       sync.Mutex
	hurried  bool // guarded by mu
	hurry    chan struct{}
	onTheWay sync.WaitGroup
}

// New makes a server. Events of mail wait until Start.
func New(o Options) (*Server, error) {
	upstream, err := url.Parse(o.Upstream)
	if err != nil {
		return nil, fmt.Errorf("address of SES: %w", err)
	}
	s := &Server{Options: o, ready: make(chan struct{}), hurry: make(chan struct{})}
	s.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(upstream) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			s.Tell(fmt.Sprintf("SES does not answer at %s, so that no mail goes out and no SES events come back: %v", o.Upstream, err))
			refuse(w, &refusal{http.StatusBadGateway, "InternalServiceErrorException", "SES does not answer"})
		},
	}
	return s, nil
}

// Start gives the bus that the events go to. It is called once.
func (s *Server) Start(publish func(host.Event) error) {
	s.publish = publish
	close(s.ready)
}

// Hurry makes mail arrive at once from now on, that on its way and what is sent
// later, and returns when all events that were due are published. It is called
// once, after Start and before the bus stops.
func (s *Server) Hurry() {
	s.mu.Lock()
	s.hurried = true
	s.mu.Unlock()
	close(s.hurry)
	s.onTheWay.Wait()
}

// ServeHTTP passes everything on to the emulator, its inbox page too.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "POST /v2/email/outbound-emails":
		s.send(w, r)
	case "POST /v2/email/outbound-bulk-emails":
		refuse(w, badRequest("the local stack has no SendBulkEmail"))
	default:
		s.proxy.ServeHTTP(w, r)
	}
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
	// A client that goes away does not call a mail back.
	taken := httptest.NewRecorder()
	forward := r.Clone(context.WithoutCancel(r.Context()))
	forward.Header.Del("Accept-Encoding")
	forward.Body, forward.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	s.proxy.ServeHTTP(taken, forward)
	if taken.Code == http.StatusOK {
		if err := s.take(m, taken.Body.Bytes()); err != nil {
			s.Tell(fmt.Sprintf("SES answered oddly, so that no events come back for a mail: %v", err))
		}
	}
	if fault == Cut {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), taken.Header())
	w.WriteHeader(taken.Code)
	_, _ = w.Write(taken.Body.Bytes())
}

// take sends a mail that SES has taken on its way.
func (s *Server) take(m Mail, response []byte) error {
	var given struct{ MessageId string } //nolint:revive // as SES spells it
	if err := json.Unmarshal(response, &given); err != nil {
		return err
	}
	m.messageID, m.sentAt = given.MessageId, s.Now()
	s.mu.Lock()
	hurried := s.hurried
	if !hurried {
		s.onTheWay.Go(func() { s.travel(m) })
	}
	s.mu.Unlock()
	if hurried {
		s.travel(m)
	}
	return nil
}

// travel publishes what becomes of a mail, step by step.
func (s *Server) travel(m Mail) {
	<-s.ready
	for _, step := range steps(m.recipients) {
		timer := time.NewTimer(s.Travel)
		select {
		case <-timer.C:
		case <-s.hurry:
			timer.Stop()
		}
		for _, o := range step {
			if !m.set.tellsOf(o.kind) {
				continue
			}
			if err := s.publish(m.event(o, s.Now())); err != nil {
				s.Tell(fmt.Sprintf("mail %s: %v", m.messageID, err))
			}
		}
	}
}
