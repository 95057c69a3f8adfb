package ses

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/mail"
	"slices"
	"strings"
	"time"
)

// Mail is a mail that a function sends.
type Mail struct {
	// From is as in the request: an address, with or without a name.
	From             string
	Subject          string
	ConfigurationSet string // its name, or ""
	Tags             []Tag

	from            *mail.Address
	identity        string
	to, cc, replyTo []string
	recipients      []string // only addresses, without duplicates
	headers         []header
	eventTypes      []string // those that the configuration set publishes
	messageID       string
	sentAt          time.Time
}

// Tag is a message tag.
type Tag struct {
	Name, Value string
}

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// request is a SendEmail request, as far as it matters here.
type request struct {
	FromEmailAddress     string
	ConfigurationSetName string
	ReplyToAddresses     []string
	EmailTags            []Tag
	Destination          struct{ ToAddresses, CcAddresses, BccAddresses []string }
	Content              struct {
		Raw    *struct{ Data []byte }
		Simple *struct {
			Subject struct{ Data string }
			Headers []header
		}
	}
}

// read returns the mail of a request, checked as SES does.
func (s *Server) read(body []byte) (Mail, *refusal) {
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return Mail{}, badRequest("the request is not a SendEmail request")
	}
	m := Mail{
		From: r.FromEmailAddress, ConfigurationSet: r.ConfigurationSetName, Tags: r.EmailTags,
		to: r.Destination.ToAddresses, cc: r.Destination.CcAddresses, replyTo: r.ReplyToAddresses,
	}
	bcc := r.Destination.BccAddresses
	switch {
	case r.Content.Raw != nil:
		hidden, refused := m.readRaw(r.Content.Raw.Data, len(m.to)+len(m.cc)+len(bcc) == 0)
		if refused != nil {
			return Mail{}, refused
		}
		bcc = append(bcc, hidden...)
	case r.Content.Simple != nil:
		m.Subject = r.Content.Simple.Subject.Data
		m.headers = append(m.basicHeaders(), r.Content.Simple.Headers...)
	default:
		return Mail{}, badRequest("the local stack supports only Simple and Raw content")
	}
	for _, text := range slices.Concat(m.to, m.cc, bcc) {
		address, err := mail.ParseAddress(text)
		if err != nil {
			return Mail{}, badRequest("Illegal address")
		}
		if !slices.Contains(m.recipients, address.Address) {
			m.recipients = append(m.recipients, address.Address)
		}
	}
	refused := s.check(&m)
	return m, refused
}

// readRaw reads the headers of a whole message. If useRecipients is set, because the
// request names no recipients, it takes the message's, and returns the Bcc ones.
func (m *Mail) readRaw(data []byte, useRecipients bool) (bcc []string, refused *refusal) {
	message, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return nil, badRequest("the raw message cannot be read")
	}
	h := message.Header
	if m.From == "" {
		m.From = h.Get("From")
	}
	if m.ConfigurationSet == "" {
		m.ConfigurationSet = h.Get("X-SES-CONFIGURATION-SET")
	}
	if len(m.Tags) == 0 {
		m.Tags = headerTags(h.Get("X-SES-MESSAGE-TAGS"))
	}
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(h.Get("Subject")); err != nil {
		m.Subject = h.Get("Subject")
	}
	if useRecipients {
		for name, list := range map[string]*[]string{"To": &m.to, "Cc": &m.cc, "Bcc": &bcc} {
			addresses, err := h.AddressList(name)
			if err != nil && h.Get(name) != "" {
				return nil, badRequest("Illegal address")
			}
			for _, a := range addresses {
				*list = append(*list, a.String())
			}
		}
	}
	for name, values := range h {
		for _, value := range values {
			// SES removes its own headers and Bcc.
			if name != "Bcc" && !strings.HasPrefix(name, "X-Ses-") {
				m.headers = append(m.headers, header{name, value})
			}
		}
	}
	slices.SortStableFunc(m.headers, func(a, b header) int { return strings.Compare(a.Name, b.Name) })
	return bcc, nil
}

// headerTags parses tags written as one=first, two=second.
func headerTags(text string) []Tag {
	if text == "" {
		return nil
	}
	var tags []Tag
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		tags = append(tags, Tag{name, value})
	}
	return tags
}

func (m *Mail) basicHeaders() []header {
	list := []header{{"From", m.From}}
	for _, h := range []struct {
		name   string
		values []string
	}{{"Reply-To", m.replyTo}, {"To", m.to}, {"Cc", m.cc}} {
		if len(h.values) > 0 {
			list = append(list, header{h.name, strings.Join(h.values, ", ")})
		}
	}
	return append(list, header{"Subject", m.Subject}, header{"MIME-Version", "1.0"})
}
