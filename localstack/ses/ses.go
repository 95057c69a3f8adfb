// Package ses is the local SES. It accepts mail as SES does, shows it, and publishes the
// events about it, as a configuration set with an event destination does. Nothing is really
// delivered: the recipient's address decides the outcome.
package ses

import (
	"cmp"
	"encoding/json"
	"fmt"
	html "html/template"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"aviso/localstack/host"
	"aviso/localstack/statefile"
	"aviso/localstack/template"
)

// keepMails is how many mails the inbox has.
const keepMails = 500

// Options configure a Server.
type Options struct {
	// ConfigurationSets and Identities are the template's. Without identities, any
	// sender is allowed.
	ConfigurationSets []template.ConfigurationSet
	Identities        []template.EmailIdentity
	// Dir is the folder that keeps mail across runs. If it is empty, mail is only in memory.
	Dir string
	// Travel is the time before each of a mail's events.
	Travel time.Duration
	// Accepted, if not nil, is called for each mail before the response.
	Accepted func(Mail)
	// Tell gets one line per failure, for people.
	Tell func(line string)
	Now  func() time.Time
}

// Server accepts mail.
type Server struct {
	Options
	publish func(host.Event) error
	started chan struct{}
	mu      sync.Mutex
	inbox   []Mail // guarded by mu
}

// New returns a server. Events wait until Start.
func New(o Options) *Server { return &Server{Options: o, started: make(chan struct{})} }

// Start sets the function that publishes events, and restores the mail of earlier runs. It
// is called once. Events that publish refuses come again at the next start.
func (s *Server) Start(publish func(host.Event) error) {
	s.publish = publish
	close(s.started)
	go s.restore()
}

const page = `<!doctype html><meta charset="utf-8"><title>Inbox</title><h1>Inbox</h1>{{range .}}<h2>{{.Subject}}</h2>
<p>From {{.From}} to {{range .Destination.To}}{{.}} {{end}}</p><pre>{{.Body.Text}}</pre>{{range .Attachments}}
<p><a download="{{.Filename}}" href="{{.Link}}">{{.Filename}}</a></p>{{end}}{{else}}<p>No mail yet.</p>{{end}}`

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	inbox := append([]Mail{}, s.inbox...)
	s.mu.Unlock()
	switch r.Method + " " + r.URL.Path {
	case "POST /v2/email/outbound-emails":
		if id, refused := s.send(http.MaxBytesReader(w, r.Body, maxRequest)); refused != nil {
			refused.write(w)
		} else {
			writeJSON(w, map[string]string{"MessageId": id})
		}
	case "GET /store":
		writeJSON(w, map[string]any{"emails": inbox})
	case "GET /":
		_ = html.Must(html.New("").Parse(page)).Execute(w, inbox)
	default:
		badRequest("the local stack does not support " + r.Method + " " + r.URL.Path).write(w)
	}
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func (s *Server) send(from io.Reader) (id string, refused *refusal) {
	body, err := io.ReadAll(from)
	if err != nil {
		return "", badRequest("the request cannot be read")
	}
	m, refused := s.read(body)
	if refused != nil {
		return "", refused
	}
	stored := &storedMail{MessageID: uuid.NewString(), At: s.Now(), Request: body}
	if s.Dir != "" {
		stored.path = filepath.Join(s.Dir, uuid.Must(uuid.NewV7()).String()+".json") // sorts by time
	}
	if err := stored.save(); err != nil {
		s.Tell(err.Error())
		return "", &refusal{http.StatusInternalServerError, "InternalServiceErrorException", "the mail cannot be stored"}
	}
	s.accept(m, stored)
	return stored.MessageID, nil
}

// accept puts a mail into the inbox and starts its delivery.
func (s *Server) accept(m Mail, stored *storedMail) {
	m.MessageID, m.sentAt = stored.MessageID, stored.At
	if s.Accepted != nil {
		s.Accepted(m)
	}
	s.mu.Lock()
	s.inbox = append(s.inbox, m)
	s.inbox = s.inbox[max(0, len(s.inbox)-keepMails):]
	s.mu.Unlock()
	if !stored.Done {
		go s.deliver(m, stored)
	}
}

// deliver publishes a mail's events.
func (s *Server) deliver(m Mail, stored *storedMail) {
	<-s.started
	var handled sync.WaitGroup
	for _, o := range outcomes() {
		recipients := o.recipients(m.recipients)
		if len(recipients) == 0 || !slices.Contains(m.eventTypes, o.kind) {
			continue
		}
		time.Sleep(s.Travel)
		handled.Add(1)
		e := m.event(o, recipients, s.Now())
		e.Handled = handled.Done
		if s.publish(e) != nil {
			return
		}
	}
	handled.Wait()
	stored.Done = true
	if err := stored.save(); err != nil {
		s.Tell(err.Error())
	}
}

// storedMail is a mail in a file of its own. It is stored before it is accepted, because its
// events are only on their way: a killed stack would lose the Send event, without which the
// service sends a letter again.
type storedMail struct {
	path      string
	MessageID string          `json:"messageId"`
	At        time.Time       `json:"at"`
	Request   json.RawMessage `json:"request"`
	// Done is true once the functions have handled all its events.
	Done bool `json:"done"`
}

func (m *storedMail) save() error {
	if m.path == "" {
		return nil
	}
	return statefile.Write(m.path, m)
}

// restore accepts the mail of earlier runs again, and publishes the events that these may not
// have published.
func (s *Server) restore() {
	paths, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if err != nil || s.Dir == "" {
		return
	}
	for i, path := range paths { // in order
		stored := &storedMail{path: path}
		if err := statefile.Read(path, stored); err != nil {
			s.Tell(fmt.Sprintf("a mail of an earlier run is lost: %v", err))
			continue
		}
		m, refused := s.read(stored.Request)
		if refused != nil || stored.Done && i < len(paths)-keepMails { // refused, because the template has changed
			_ = os.Remove(path)
			continue
		}
		stored.MessageID = cmp.Or(stored.MessageID, uuid.NewString())
		s.accept(m, stored)
	}
}
