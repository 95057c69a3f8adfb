package letterdispatchfn

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the words
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
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
	// Redirect, if set, gets all mail: a test environment must not write to anybody else.
	Redirect string
	// ReplyTo is the operator's mailbox; empty for none.
	ReplyTo string
	// The mail names Environment, and Console, the address of the partners' console, if it is set.
	Environment, Console string
	Now                  func() time.Time
}

// words are the subject, an empty line and the text of the mail. Names in braces are placeholders.
//
//go:embed words/en.txt
var words string

// timeout bounds a call of the Sender.
const timeout = 15 * time.Second

// Send sends the mail about a failing subscription.
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

// compose returns a plain-text MIME message.
func (m AlertMailer) compose(to string, s notification.Subscription) ([]byte, error) {
	subject, text, _ := strings.Cut(m.fill(s), "\n\n")
	var h mail.Header
	h.SetDate(m.Now().UTC())
	h.SetAddressList("From", []*mail.Address{{Name: "Aviso", Address: m.From}})
	h.SetAddressList("To", []*mail.Address{{Address: to}})
	if m.ReplyTo != "" {
		h.SetAddressList("Reply-To", []*mail.Address{{Address: m.ReplyTo}})
	}
	h.Set("Auto-Submitted", "auto-generated") // stops automatic replies
	h.SetSubject(subject)
	h.SetContentType("text/plain", map[string]string{"charset": "utf-8"})
	h.Set("Content-Transfer-Encoding", "quoted-printable")
	var out bytes.Buffer
	w, err := mail.CreateSingleInlineWriter(&out, h)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(w, strings.ReplaceAll(text, "\n", "\r\n"))
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// fill replaces the placeholders. It leaves out facts without a value.
func (m AlertMailer) fill(s notification.Subscription) string {
	reason := string(s.FailingReason)
	if s.FailingDetail != "" {
		reason += ": " + s.FailingDetail
	}
	values := strings.NewReplacer("{endpoint}", withoutQuery(s.ServerURL), "{subscription}", s.ID,
		"{environment}", m.Environment, "{since}", s.FailingSince.Time().UTC().Format("2 January 2006, 15:04 UTC"),
		"{reason}", reason, "{console}", m.Console)
	lines := slices.Collect(strings.Lines(values.Replace(words)))
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasSuffix(l, ": \n") })
	return strings.Join(lines, "")
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
