package inbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"regexp"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // organizations write in many

	"aviso/internal/cancellation/reply"
)

// The limits of what is read of a mail. MaxMail is the size of the whole.
const (
	MaxMail        = 20 << 20
	maxParts       = 100
	maxNesting     = 10
	maxText        = 256 << 10
	maxPDF         = 4 << 20
	maxPDFs        = 3
	maxAttachments = 30
	maxHead        = 256 << 10
	maxField       = 300 // characters of a field that is shown
)

// ErrNoMail is returned for what is not a mail.
var ErrNoMail = errors.New("reply: not a mail")

// Mail is a mail as its reader sees it.
type Mail struct {
	// From is the sender as shown, and Sender the address alone.
	From, Sender string
	// To are the addresses of To and Cc.
	To        []string
	Subject   string
	MessageID string
	// Date is from the mail's head, and zero if that has none.
	Date, ReceivedAt time.Time
	// Text is the sender's own text without quotations, followed by the text of PDF files.
	Text        string
	Attachments []reply.Attachment
	// Bounce is set for reports of mail servers, Vacation for what says that it is one, and Automatic for what a
	// program wrote.
	Bounce, Vacation, Automatic bool
	// Authentication is the Authentication-Results of the server that received the mail.
	Authentication string
}

// Parse reads a mail. What cannot be read is left out. It returns ErrNoMail unless there is a head with a sender.
func Parse(raw []byte) (Mail, error) {
	e, err := message.ReadWithOptions(bytes.NewReader(raw), &message.ReadOptions{MaxHeaderBytes: maxHead})
	if e == nil || e.Header.Get("From") == "" {
		return Mail{}, fmt.Errorf("%w: %w", ErrNoMail, err)
	}
	m := Mail{
		Subject: field(e, "Subject"), MessageID: field(e, "Message-Id"), From: field(e, "From"),
		Authentication: field(e, "Authentication-Results"),
	}
	if sender, err := mail.ParseAddress(e.Header.Get("From")); err == nil {
		m.Sender = sender.Address
	}
	for _, name := range []string{"To", "Cc"} {
		if list, err := mail.ParseAddressList(e.Header.Get(name)); err == nil {
			for _, a := range list {
				m.To = append(m.To, a.Address)
			}
		}
	}
	if date, err := mail.ParseDate(e.Header.Get("Date")); err == nil {
		m.Date = date
	}
	kind, _, _ := e.Header.ContentType()
	auto := strings.ToLower(e.Header.Get("Auto-Submitted"))
	m.Automatic = auto != "" && !strings.HasPrefix(auto, "no")
	m.Vacation = strings.EqualFold(e.Header.Get("Precedence"), "auto_reply") ||
		strings.EqualFold(e.Header.Get("X-Autoreply"), "yes") || e.Header.Get("X-Autorespond") != ""
	m.Bounce = kind == "multipart/report" || daemon.MatchString(m.Sender)
	var c contents
	c.read(e, 0)
	m.Attachments = c.attachments
	m.Text = strings.TrimSpace(c.text() + "\n\n" + strings.Join(c.pdfs, "\n\n"))
	if len(m.Text) > maxText {
		m.Text = strings.ToValidUTF8(m.Text[:maxText], "")
	}
	return m, nil
}

var daemon = regexp.MustCompile(`(?i)^(mailer-daemon|postmaster)@`)

// field returns a decoded field of the head in one line.
func field(e *message.Entity, name string) string {
	text, err := e.Header.Text(name)
	if err != nil {
		text = e.Header.Get(name)
	}
	text = strings.Join(strings.Fields(plain(text)), " ")
	if r := []rune(text); len(r) > maxField {
		return string(r[:maxField])
	}
	return text
}

// contents are the parts of a mail.
type contents struct {
	plain, html, pdfs []string
	attachments       []reply.Attachment
	parts             int
}

// read reads a part and what is in it. A broken part ends its container, and what came before it counts.
func (c *contents) read(e *message.Entity, depth int) {
	c.parts++
	if parts := e.MultipartReader(); parts != nil {
		for depth < maxNesting && c.parts < maxParts {
			part, err := parts.NextPart()
			if part == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
				return
			}
			c.read(part, depth+1)
		}
		return
	}
	kind, parameters, _ := e.Header.ContentType()
	disposition, more, _ := e.Header.ContentDisposition()
	name := plain(more["filename"] + parameters["name"])
	if more["filename"] != "" {
		name = plain(more["filename"])
	}
	isPDF := kind == "application/pdf" || strings.HasSuffix(strings.ToLower(name), ".pdf")
	isText := strings.HasPrefix(kind, "text/") && disposition != "attachment" && name == ""
	most := int64(maxText)
	if isPDF {
		most = maxPDF
	}
	body, _ := io.ReadAll(io.LimitReader(e.Body, most)) // what was read before an error counts
	rest, _ := io.Copy(io.Discard, e.Body)
	switch {
	case isText && kind == "text/html":
		c.html = append(c.html, string(body))
	case isText && (kind == "text/plain" || kind == "text/enriched"):
		c.plain = append(c.plain, string(body))
	case len(c.attachments) < maxAttachments && !strings.HasPrefix(kind, "image/") || isPDF:
		c.attachments = append(c.attachments, reply.Attachment{Name: short(name), ContentType: kind, Size: int64(len(body)) + rest})
		if isPDF && rest == 0 && len(c.pdfs) < maxPDFs {
			if text := plain(pdfText(body)); text != "" {
				c.pdfs = append(c.pdfs, text)
			}
		}
	}
}

// text returns what the sender wrote. The plain text of some mails only says that there is HTML.
func (c *contents) text() string {
	text := visible(plain(strings.Join(c.plain, "\n\n")))
	document := visible(plain(htmlText(strings.Join(c.html, "\n"))))
	if len(document) > 2*len(text) {
		return document
	}
	return text
}
