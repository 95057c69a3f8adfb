// Package ses is the local SES. It accepts mail as SES does, shows it, and publishes events about it, like a
// configuration set with an event destination. It delivers nothing: the recipient's address decides the outcome.
package ses

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	html "html/template"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-message/mail"
	"github.com/google/uuid"

	"aviso/localstack/stack/host"
	"aviso/localstack/stack/statefile"
	"aviso/localstack/template"
)

// keepMails is the maximum number of mails in the inbox.
const keepMails = 500

// Options configure a Server.
type Options struct {
	// ConfigurationSets and Identities are the template's. Without identities, any
	// sender is allowed.
	ConfigurationSets []template.ConfigurationSet
	Identities        []template.EmailIdentity
	// Dir is the folder that keeps mail across runs.
	Dir string
	// Travel is the time before each of a mail's events.
	Travel time.Duration
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

// Start sets the function that publishes events, and restores the mail of earlier runs. It is called once. Events
// that publish refuses are repeated at the next start.
func (s *Server) Start(publish func(host.Event) error) {
	s.publish = publish
	close(s.started)
	go s.restore()
}

const page = `<!doctype html><meta charset="utf-8"><title>Inbox</title><h1>Inbox</h1>{{range .}}<h2>{{.Subject}}</h2>
<p>From {{.From}} to {{range .Destination.to}}{{.}} {{end}}</p><pre>{{.Body.text}}</pre>{{range .Attachments}}
<p><a download="{{.Filename}}" href="{{.Link}}">{{.Filename}}</a></p>{{end}}{{else}}<p>No mail yet.</p>{{end}}`

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	inbox := append([]Mail{}, s.inbox...)
	s.mu.Unlock()
	var answer any = map[string][]Mail{"emails": inbox}
	refused := badRequest("the local stack does not support " + r.Method + " " + r.URL.Path)
	switch r.Method + " " + r.URL.Path {
	case "GET /":
		_ = html.Must(html.New("").Parse(page)).Execute(w, inbox)
		return
	case "GET /store":
		refused = nil
	case "POST /v2/email/outbound-emails":
		answer, refused = s.send(http.MaxBytesReader(w, r.Body, maxRequest))
	}
	w.Header().Set("Content-Type", "application/json")
	if refused != nil {
		w.Header().Set("X-Amzn-Errortype", refused.code)
		w.WriteHeader(refused.status)
		answer = map[string]string{"message": refused.message}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *Server) send(from io.Reader) (answer any, refused *refusal) {
	body, err := io.ReadAll(from)
	if err != nil {
		return nil, badRequest("the request cannot be read")
	}
	m, refused := s.read(body)
	if refused != nil {
		return nil, refused
	}
	stored := &storedMail{MessageID: uuid.NewString(), At: s.Now(), Request: body}
	stored.path = filepath.Join(s.Dir, uuid.Must(uuid.NewV7()).String()+".json") // sorts by time
	if err := statefile.Write(stored.path, stored); err != nil {
		s.Tell(err.Error())
		return nil, &refusal{http.StatusInternalServerError, "InternalServiceErrorException", "the mail cannot be stored"}
	}
	s.accept(m, stored)
	return map[string]string{"MessageId": stored.MessageID}, nil
}

// accept puts a mail into the inbox and starts its delivery.
func (s *Server) accept(m Mail, stored *storedMail) {
	m.MessageID, m.sentAt = stored.MessageID, stored.At
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
		if len(recipients) == 0 || !slices.Contains(m.eventTypes, strings.ToUpper(o.eventType)) {
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
	if err := statefile.Write(stored.path, stored); err != nil {
		s.Tell(err.Error())
	}
}

// storedMail is a mail in its own file. It is stored before it is accepted, because its events take time. Otherwise a
// killed stack would lose the Send event, and the service would send the letter again.
type storedMail struct {
	path      string
	MessageID string          `json:"messageId"`
	At        time.Time       `json:"at"`
	Request   json.RawMessage `json:"request"`
	// Done is true once the functions have handled all its events.
	Done bool `json:"done"`
}

// restore accepts the mail of earlier runs again, and publishes events that may be missing.
func (s *Server) restore() {
	paths, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if err != nil {
		return
	}
	for i, path := range paths { // in order
		stored := &storedMail{path: path}
		if err := statefile.Read(path, stored); err != nil {
			s.Tell(fmt.Sprintf("a mail of an earlier run is lost: %v", err))
			continue
		}
		m, refused := s.read(stored.Request)
		if refused != nil || stored.Done && i < len(paths)-keepMails { // refused if the template has changed
			_ = os.Remove(path)
			continue
		}
		s.accept(m, stored)
	}
}

// maxMessage is SES's limit for a message. maxRequest is a little more than that in base64.
const maxMessage, maxRequest = 40 << 20, 56 << 20

// Mail is a sent mail, as /store shows it.
type Mail struct {
	MessageID   string              `json:"messageId"`
	From        string              `json:"from"`
	Destination map[string][]string `json:"destination"`
	ReplyTo     []string            `json:"replyTo"`
	Subject     string              `json:"subject"`
	Body        map[string]string   `json:"body"`
	Attachments []Attachment        `json:"attachments"`
	Tags        []Tag               `json:"tags"`

	configurationSet       string
	eventTypes, recipients []string // the published event types; addresses without names
	sentAt                 time.Time
}

// Tag is a message tag.
type Tag struct{ Name, Value string }

// Attachment is a file in a mail.
type Attachment struct {
	Filename    string `json:"filename"`
	ContentType string `json:"contentType"`
	Content     []byte `json:"content"`
}

// Link returns a data URL of the file, which works without the server.
func (a Attachment) Link() html.URL {
	return html.URL("data:" + a.ContentType + ";base64," + base64.StdEncoding.EncodeToString(a.Content)) // #nosec G203
}

// refusal is an error as SES returns it.
type refusal struct {
	status        int
	code, message string
}

func badRequest(message string) *refusal {
	return &refusal{http.StatusBadRequest, "BadRequestException", message}
}

// tagText matches names and values of tags, as the SES API's MessageTag defines them.
var tagText = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// read returns the mail of a SendEmail request. It rejects the same mail as SES.
func (s *Server) read(body []byte) (m Mail, refused *refusal) {
	var r struct {
		FromEmailAddress, ConfigurationSetName string
		EmailTags                              []Tag
		Destination                            struct{ ToAddresses, CcAddresses, BccAddresses []string }
		Content                                struct{ Raw struct{ Data []byte } }
	}
	if json.Unmarshal(body, &r) != nil || len(r.Content.Raw.Data) == 0 {
		return m, badRequest("the request is not a SendEmail request with Raw content")
	}
	parsed := m.parse(r.Content.Raw.Data)
	sender, err := mail.ParseAddress(cmp.Or(r.FromEmailAddress, m.From))
	if err != nil {
		return m, badRequest("Illegal sender address")
	}
	m.From, m.Tags, m.Destination = shown(sender), r.EmailTags, map[string][]string{"to": r.Destination.ToAddresses}
	for _, text := range slices.Concat(r.Destination.ToAddresses, r.Destination.CcAddresses, r.Destination.BccAddresses) {
		address, err := mail.ParseAddress(text)
		if err != nil {
			return m, badRequest("Illegal address")
		}
		if !slices.Contains(m.recipients, address.Address) {
			m.recipients = append(m.recipients, address.Address)
		}
	}
	identity, verified := template.IdentityOf(s.Identities, sender.Address)
	m.configurationSet = cmp.Or(r.ConfigurationSetName, identity.ConfigurationSet)
	set := slices.IndexFunc(s.ConfigurationSets, func(set template.ConfigurationSet) bool {
		return set.Name == m.configurationSet
	})
	if set >= 0 {
		m.eventTypes = s.ConfigurationSets[set].Events
	}
	switch {
	case len(r.Content.Raw.Data) > maxMessage:
		return m, badRequest("Message length is more than 41943040 bytes long")
	case parsed != nil:
		return m, badRequest("the raw message cannot be read")
	case len(m.recipients) == 0:
		return m, badRequest("Missing destination")
	case !verified && len(s.Identities) > 0:
		return m, &refusal{http.StatusBadRequest, "MessageRejected", "Email address is not verified. " +
			"The following identities failed the check in region " + strings.ToUpper(template.Region) + ": " + sender.Address}
	case slices.ContainsFunc(m.Tags, func(t Tag) bool {
		return !tagText.MatchString(t.Name) || !tagText.MatchString(t.Value)
	}):
		return m, badRequest("A message tag must be 1 to 256 letters, digits, underscores and hyphens")
	case m.configurationSet != "" && set < 0:
		return m, &refusal{http.StatusNotFound, "NotFoundException",
			"Configuration set <" + m.configurationSet + "> does not exist."}
	}
	return m, nil
}

// parse reads a MIME message.
func (m *Mail) parse(raw []byte) error {
	reader, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	m.From, m.Body = reader.Header.Get("From"), map[string]string{}
	replyTo, err := reader.Header.AddressList("Reply-To")
	for _, a := range replyTo {
		m.ReplyTo = append(m.ReplyTo, shown(a))
	}
	subject, subjectErr := reader.Header.Subject()
	m.Subject, err = subject, errors.Join(err, subjectErr)
	for err == nil {
		part, end := reader.NextPart()
		if errors.Is(end, io.EOF) {
			return nil
		} else if end != nil {
			return end
		}
		var content []byte
		content, err = io.ReadAll(part.Body)
		if h, ok := part.Header.(*mail.AttachmentHeader); ok {
			a := Attachment{Content: content}
			a.Filename, _ = h.Filename()
			a.ContentType, _, _ = h.ContentType()
			m.Attachments = append(m.Attachments, a)
		} else {
			m.Body["text"] += strings.ReplaceAll(string(content), "\r\n", "\n")
		}
	}
	return err
}

// shown returns an address with its name, for people.
func shown(a *mail.Address) string {
	if a.Name == "" {
		return a.Address
	}
	return `"` + a.Name + `" <` + a.Address + ">"
}

// outcome is a possible outcome of a mail, and its event.
type outcome struct {
	eventType, detailType string
	// at is the mailbox of SES's simulator with this outcome. Without one, all addresses except those in except have
	// it.
	at, except string
	// who is the member that lists the recipients. details is JSON beside it.
	who, details string
}

// outcomes returns all outcomes in the order of their events.
func outcomes() []outcome {
	bounce := func(at, kind string) outcome {
		return outcome{"Bounce", "Email Bounced", at, "", "bouncedRecipients", `"bounceType":` + kind}
	}
	return []outcome{
		{"Send", "Email Sent", "", "", "", ""},
		{"Delivery", "Email Delivered", "", "bounce suppressionlist", "recipients", ""},
		bounce("bounce", `"Permanent","bounceSubType":"General",`),
		bounce("suppressionlist", `"Permanent","bounceSubType":"Suppressed",`),
		{"Complaint", "Email Complaint Received", "complaint", "", "complainedRecipients",
			`"complaintFeedbackType":"abuse",`},
		bounce("ooto", `"Transient","bounceSubType":"General",`),
	}
}

// recipients returns the recipients with this outcome. A simulator's mailbox may have a label:
// bounce+one@simulator.amazonses.com.
func (o outcome) recipients(of []string) (list []string) {
	for _, address := range of {
		local, simulated := strings.CutSuffix(strings.ToLower(address), "@simulator.amazonses.com")
		mailbox, _, _ := strings.Cut(local, "+")
		if simulated && o.at == mailbox || o.at == "" && (!simulated || !strings.Contains(o.except, mailbox)) {
			list = append(list, address)
		}
	}
	return list
}

// event returns the EventBridge event for an outcome. Its detail follows SES's guide to event publishing, without the
// mail's headers and the response of the recipient's server.
func (m Mail) event(o outcome, recipients []string, now time.Time) host.Event {
	const stamp = "2006-01-02T15:04:05.000Z"
	tags := map[string][]string{"ses:configuration-set": {m.configurationSet}}
	for _, tag := range m.Tags {
		tags[tag.Name] = append(tags[tag.Name], tag.Value)
	}
	about := "{}"
	if o.who != "" {
		list, _ := json.Marshal(recipients) // texts only: cannot fail
		if o.who != "recipients" {
			var named []map[string]string
			for _, address := range recipients {
				one := map[string]string{"emailAddress": address}
				if o.at == "bounce" { // what SES's simulator answers
					one["action"], one["status"], one["diagnosticCode"] = "failed", "5.1.1", "smtp; 550 5.1.1 user unknown"
				}
				named = append(named, one)
			}
			list, _ = json.Marshal(named)
		}
		about = fmt.Sprintf(`{"timestamp":%q,%s%q:%s}`, now.UTC().Format(stamp), o.details, o.who, list)
	}
	return host.Event{
		Source: "aws.ses", DetailType: o.detailType, Time: now,
		Resources: []string{template.ARN("ses", "configuration-set/"+m.configurationSet)},
		Detail: map[string]any{
			"eventType": o.eventType, strings.ToLower(o.eventType): json.RawMessage(about),
			"mail": map[string]any{
				"timestamp": m.sentAt.UTC().Format(stamp), "source": m.From, "sendingAccountId": template.Account,
				"messageId": m.MessageID, "destination": m.recipients, "tags": tags,
			},
		},
	}
}
