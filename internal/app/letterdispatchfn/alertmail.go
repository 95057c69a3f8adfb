package letterdispatchfn

import (
	"bytes"
	"context"
	_ "embed" // the words
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/emersion/go-message/mail"

	"aviso/internal/notification"
)

// Sender sends a MIME message to one address and returns its ID. The events of the
// configuration set include the tags.
type Sender interface {
	SendEmail(
		ctx context.Context, configurationSet, to string, message []byte, tags map[string]string,
	) (messageID string, err error)
}

// AlertMailer sends the mail.
type AlertMailer struct {
	// Sender, From and ConfigurationSet are required.
	Sender                 Sender
	From, ConfigurationSet string
	// Redirect, if set, gets all mail, so that a test environment writes to nobody else.
	Redirect string
	// Environment is named in the mail, and so is Console, the address of the partners'
	// console, if it is set.
	Environment, Console string
	Now                  func() time.Time
}

//go:embed words/en.json
var wordFile []byte

// words are the texts of the mail. Names in braces are placeholders.
type words struct {
	Subject, Before, WhatToDo, After string
	// Facts have a label and a value. Those without a value are left out.
	Facts [][2]string
	Steps []string
}

// timeout bounds a call of the Sender.
const timeout = 15 * time.Second

// Send sends the mail about a subscription that fails.
func (m AlertMailer) Send(ctx context.Context, to string, s notification.Subscription) error {
	if m.Redirect != "" {
		to = m.Redirect
	}
	message, err := m.compose(to, s)
	if err != nil {
		return fmt.Errorf("compose alert: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	id, err := m.Sender.SendEmail(ctx, m.ConfigurationSet, to, message, nil)
	if err == nil && id == "" {
		return errors.New("send alert: the answer has no ID")
	}
	return err
}

// compose returns the MIME message: the same text, plain and as HTML.
func (m AlertMailer) compose(to string, s notification.Subscription) ([]byte, error) {
	var text words
	if err := json.Unmarshal(wordFile, &text); err != nil {
		return nil, err
	}
	values := m.values(s)
	var h mail.Header
	h.SetDate(m.Now().UTC())
	h.SetAddressList("From", []*mail.Address{{Name: "Aviso", Address: m.From}})
	h.SetAddressList("To", []*mail.Address{{Address: to}})
	h.Set("Auto-Submitted", "auto-generated") // so that no robot answers
	h.SetSubject(values.Replace(text.Subject))
	var out bytes.Buffer
	w, err := mail.CreateInlineWriter(&out, h)
	if err != nil {
		return nil, err
	}
	plain, rich := text.text(values)
	err = errors.Join(write(w, "text/plain", plain), write(w, "text/html", rich), w.Close())
	return out.Bytes(), err
}

func write(w *mail.InlineWriter, contentType, text string) error {
	var h mail.InlineHeader
	h.SetContentType(contentType, map[string]string{"charset": "utf-8"})
	h.Set("Content-Transfer-Encoding", "quoted-printable")
	part, err := w.CreatePart(h)
	if err != nil {
		return err
	}
	_, err = io.WriteString(part, strings.ReplaceAll(text, "\n", "\r\n"))
	return errors.Join(err, part.Close())
}

// values returns what replaces the placeholders.
func (m AlertMailer) values(s notification.Subscription) *strings.Replacer {
	reason := string(s.FailingReason)
	if s.FailingDetail != "" {
		reason += ": " + s.FailingDetail
	}
	return strings.NewReplacer("{endpoint}", withoutQuery(s.ServerURL), "{subscription}", s.ID,
		"{environment}", m.Environment, "{since}", s.FailingSince.UTC().Format("2 January 2006, 15:04 UTC"),
		"{reason}", reason, "{console}", m.Console)
}

// text returns the mail as plain text and as HTML.
func (w words) text(values *strings.Replacer) (plain, rich string) {
	var p, r strings.Builder
	element := func(open, text, end string) { r.WriteString(open + html.EscapeString(text) + end) }
	p.WriteString(w.Before + "\n\n")
	element("<!DOCTYPE html>\n<html lang=\"en\">\n<body>\n<p>", w.Before, "</p>\n<table>\n")
	for _, fact := range w.Facts {
		if value := values.Replace(fact[1]); value != "" {
			fmt.Fprintf(&p, "%s: %s\n", fact[0], value)
			element("<tr><th align=\"left\">", fact[0], "</th>")
			element("<td>", value, "</td></tr>\n")
		}
	}
	p.WriteString("\n" + w.WhatToDo + "\n")
	element("</table>\n<p>", w.WhatToDo, "</p>\n<ol>\n")
	for i, step := range w.Steps {
		step = values.Replace(step)
		fmt.Fprintf(&p, "%d. %s\n", i+1, step)
		element("<li>", step, "</li>\n")
	}
	p.WriteString("\n" + w.After + "\n")
	element("</ol>\n<p>", w.After, "</p>\n</body>\n</html>\n")
	return p.String(), r.String()
}

// withoutQuery returns the address without its query, which may hold a password.
func withoutQuery(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.RawQuery = ""
	return u.String()
}
