package ses

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	html "html/template"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message/mail"

	"aviso/localstack/template"
)

// maxMessage is SES's limit for a message, maxRequest a little more than that in base64.
const maxMessage, maxRequest = 40 << 20, 56 << 20

// Mail is a mail that a function has sent, as /store shows it.
type Mail struct {
	MessageID   string `json:"messageId"`
	From        string `json:"from"`
	Destination struct {
		To []string `json:"to"`
	} `json:"destination"`
	ReplyTo []string `json:"replyTo"`
	Subject string   `json:"subject"`
	Body    struct {
		Text string `json:"text"`
	} `json:"body"`
	Attachments []Attachment `json:"attachments"`
	Tags        []Tag        `json:"tags"`

	configurationSet       string
	eventTypes, recipients []string // what the configuration set publishes; only addresses
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

// Link returns a link to the file that works without the server.
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

func (r *refusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-Errortype", r.code)
	w.WriteHeader(r.status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": r.message})
}

// tagText matches names and values of tags, as the SES API's MessageTag defines them.
var tagText = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// read returns the mail of a SendEmail request. It rejects what SES rejects.
func (s *Server) read(body []byte) (m Mail, refused *refusal) {
	var r struct {
		FromEmailAddress, ConfigurationSetName string
		EmailTags                              []Tag
		Destination                            struct{ ToAddresses, CcAddresses, BccAddresses []string }
		Content                                struct{ Raw struct{ Data []byte } }
	}
	if json.Unmarshal(body, &r) != nil || len(r.Content.Raw.Data) == 0 {
		return m, badRequest("the request is not a SendEmail request with Raw content")
	} else if len(r.Content.Raw.Data) > maxMessage {
		return m, badRequest("Message length is more than 41943040 bytes long")
	} else if m.parse(r.Content.Raw.Data) != nil {
		return m, badRequest("the raw message cannot be read")
	}
	sender, err := mail.ParseAddress(cmp.Or(r.FromEmailAddress, m.From))
	if err != nil {
		return m, badRequest("Illegal sender address")
	}
	m.From, m.Tags, m.Destination.To = shown(sender), r.EmailTags, r.Destination.ToAddresses
	for _, text := range slices.Concat(m.Destination.To, r.Destination.CcAddresses, r.Destination.BccAddresses) {
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
	set := slices.IndexFunc(s.ConfigurationSets, func(set template.ConfigurationSet) bool { return set.Name == m.configurationSet })
	if set >= 0 {
		m.eventTypes = s.ConfigurationSets[set].Events
	}
	switch {
	case len(m.recipients) == 0:
		return m, badRequest("Missing destination")
	case !verified && len(s.Identities) > 0:
		return m, &refusal{http.StatusBadRequest, "MessageRejected", "Email address is not verified. " +
			"The following identities failed the check in region " + strings.ToUpper(template.Region) + ": " + sender.Address}
	case slices.ContainsFunc(m.Tags, func(t Tag) bool { return !tagText.MatchString(t.Name) || !tagText.MatchString(t.Value) }):
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
	m.From = reader.Header.Get("From")
	replyTo, err := reader.Header.AddressList("Reply-To")
	for _, a := range replyTo {
		m.ReplyTo = append(m.ReplyTo, shown(a))
	}
	subject, err2 := reader.Header.Subject()
	m.Subject, err = subject, errors.Join(err, err2)
	for err == nil {
		var part *mail.Part
		if part, err = reader.NextPart(); err == io.EOF {
			return nil
		} else if err == nil {
			err = m.add(part)
		}
	}
	return err
}

func (m *Mail) add(part *mail.Part) error {
	content, err := io.ReadAll(part.Body)
	if h, ok := part.Header.(*mail.AttachmentHeader); ok {
		a := Attachment{Content: content}
		a.Filename, _ = h.Filename()
		a.ContentType, _, _ = h.ContentType()
		m.Attachments = append(m.Attachments, a)
	} else {
		m.Body.Text += strings.ReplaceAll(string(content), "\r\n", "\n")
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
