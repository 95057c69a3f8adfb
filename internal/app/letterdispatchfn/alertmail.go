package letterdispatchfn

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the words
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/emersion/go-message/mail"

	"aviso/internal/cancellation/carrier"
	"aviso/internal/notification"
)

// AlertMailer sends the mail.
type AlertMailer struct {
	// Sender, From and ConfigurationSet are required.
	Sender                 carrier.EmailSender
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
	to = cmp.Or(m.Redirect, to)
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

// compose returns the MIME message, a plain text.
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
	h.SetContentType("text/plain", map[string]string{"charset": "utf-8"})
	h.Set("Content-Transfer-Encoding", "quoted-printable")
	var out bytes.Buffer
	w, err := mail.CreateSingleInlineWriter(&out, h)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(w, strings.ReplaceAll(text.fill(values), "\n", "\r\n"))
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// values returns what replaces the placeholders.
func (m AlertMailer) values(s notification.Subscription) *strings.Replacer {
	reason := string(s.FailingReason)
	if s.FailingDetail != "" {
		reason += ": " + s.FailingDetail
	}
	return strings.NewReplacer("{endpoint}", withoutQuery(s.ServerURL), "{subscription}", s.ID,
		"{environment}", m.Environment, "{since}", s.FailingSince.Time().UTC().Format("2 January 2006, 15:04 UTC"),
		"{reason}", reason, "{console}", m.Console)
}

// fill returns the text of the mail.
func (w words) fill(values *strings.Replacer) string {
	var b strings.Builder
	b.WriteString(w.Before + "\n\n")
	for _, fact := range w.Facts {
		if value := values.Replace(fact[1]); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", fact[0], value)
		}
	}
	b.WriteString("\n" + w.WhatToDo + "\n")
	for i, step := range w.Steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, values.Replace(step))
	}
	return b.String() + "\n" + w.After + "\n"
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
