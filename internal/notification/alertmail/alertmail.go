// Package alertmail writes the mail that tells a partner of a subscription that fails.
package alertmail

import (
	"bytes"
	"context"
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

// Mailer sends the mail.
type Mailer struct {
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

// timeout bounds a call of the Sender.
const timeout = 15 * time.Second

// Send sends the mail about a subscription that fails.
func (m Mailer) Send(ctx context.Context, to string, s notification.Subscription) error {
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
func (m Mailer) compose(to string, s notification.Subscription) ([]byte, error) {
	var h mail.Header
	h.SetDate(m.Now().UTC())
	h.SetAddressList("From", []*mail.Address{{Name: "Aviso", Address: m.From}})
	h.SetAddressList("To", []*mail.Address{{Address: to}})
	h.Set("Auto-Submitted", "auto-generated") // so that no robot answers
	h.SetSubject("Your webhook endpoint fails (" + m.Environment + ")")
	var out bytes.Buffer
	w, err := mail.CreateInlineWriter(&out, h)
	if err != nil {
		return nil, err
	}
	plain, rich := m.text(s)
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

// text returns the mail as plain text and as HTML.
func (m Mailer) text(s notification.Subscription) (plain, rich string) {
	reason := string(s.FailingReason)
	if s.FailingDetail != "" {
		reason += ": " + s.FailingDetail
	}
	facts := [][2]string{
		{"Endpoint", withoutQuery(s.ServerURL)}, {"Subscription", s.ID}, {"Environment", m.Environment},
		{"Fails since", s.FailingSince.UTC().Format("2 January 2006, 15:04 UTC")}, {"Reason", reason},
	}
	if m.Console != "" {
		facts = append(facts, [2]string{"Console", m.Console})
	}
	before := "Your webhook endpoint does not acknowledge our callbacks: all three attempts to deliver an event to it " +
		"have failed. We do not send this event again."
	steps := []string{
		"Mend the endpoint. GET /webhooks/v1/subscriptions/" + s.ID + "/attempts lists every attempt, and why it failed.",
		"Read what you missed: GET /openbanking/v1/connections, GET /openbanking/v1/transactions/changes with your last " +
			"since, and GET /cancellations/v1/cancellations.",
	}
	after := "We go on sending new events. If nothing is acknowledged for five days and 20 events are given up, the " +
		"subscription becomes Disabled. You get no further mail until the endpoint acknowledges an event again."

	var p, r strings.Builder
	p.WriteString(before + "\n\n")
	r.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<body>\n<p>" + before + "</p>\n<table>\n")
	for _, fact := range facts {
		fmt.Fprintf(&p, "%s: %s\n", fact[0], fact[1])
		fmt.Fprintf(&r, "<tr><th align=\"left\">%s</th><td>%s</td></tr>\n", fact[0], html.EscapeString(fact[1]))
	}
	p.WriteString("\nWhat to do:\n")
	r.WriteString("</table>\n<p>What to do:</p>\n<ol>\n")
	for i, step := range steps {
		fmt.Fprintf(&p, "%d. %s\n", i+1, step)
		r.WriteString("<li>" + html.EscapeString(step) + "</li>\n")
	}
	p.WriteString("\n" + after + "\n")
	r.WriteString("</ol>\n<p>" + after + "</p>\n</body>\n</html>\n")
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
