package carrier

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	message "github.com/emersion/go-message/mail"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

// Limits for header values, in characters.
const (
	maxName     = 64
	maxSubject  = 200
	maxFileName = 100
)

// envelope is an e-mail before it is composed. Its addresses come from cancellation.ParseEmail.
type envelope struct {
	cancellation.Document

	from    mail.Address
	to      string
	replyTo string // optional
	date    time.Time
}

// compose returns the MIME message. It sets no Message-ID, because SES replaces it.
func compose(e envelope) ([]byte, error) {
	var h message.Header
	h.SetDate(e.date.UTC())
	h.SetAddressList("From", []*message.Address{{Name: e.from.Name, Address: e.from.Address}})
	h.SetAddressList("To", []*message.Address{{Address: e.to}})
	if e.replyTo != "" {
		h.SetAddressList("Reply-To", []*message.Address{{Address: e.replyTo}})
	}
	if e.InReplyTo != "" { // RFC 5322, 3.6.4
		h.Set("In-Reply-To", e.InReplyTo)
		h.Set("References", e.InReplyTo)
	}
	setSubject(&h, oneLine(e.Subject, maxSubject))

	var out bytes.Buffer
	w, err := message.CreateWriter(&out, h)
	if err != nil {
		return nil, err
	}
	var text message.InlineHeader
	text.SetContentType("text/plain", map[string]string{"charset": "utf-8"})
	text.Set("Content-Transfer-Encoding", "quoted-printable")
	part, err := w.CreateSingleInline(text)
	err = errors.Join(write(part, err, []byte(lines(e.Text))), attach(w, fileName(e.FileName), e.PDF))
	if len(e.Enclosure) > 0 {
		err = errors.Join(err, attach(w, evidence.SummaryFile, e.Enclosure))
	}
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// setSubject sets the subject. The library writes all encoded words in one line, but a line with one must have at most
// 76 characters (RFC 2047, section 2).
func setSubject(h *message.Header, subject string) {
	const name, mark, word = "Subject: ", "=?utf-8?b?", 75
	isLong := func(part string) bool { return len(part) > word-len(name) }
	isASCII := !strings.ContainsFunc(subject, func(r rune) bool { return r >= utf8.RuneSelf })
	if isASCII && !slices.ContainsFunc(strings.Fields(subject), isLong) {
		h.SetSubject(subject)
		return
	}
	field, room := name, word-len(name)
	for rest := subject; rest != ""; room = word {
		size := 0
		for at, r := range rest {
			end := at + utf8.RuneLen(r)
			if len(mark)+base64.StdEncoding.EncodedLen(end)+len("?=") > room {
				break
			}
			size = end
		}
		field += mark + base64.StdEncoding.EncodeToString([]byte(rest[:size])) + "?=\r\n "
		rest = rest[size:]
	}
	h.AddRaw([]byte(strings.TrimSuffix(field, " ")))
}

// attach adds a PDF.
func attach(w *message.Writer, name string, pdf []byte) error {
	var file message.AttachmentHeader
	file.SetContentType("application/pdf", nil)
	file.Set("Content-Transfer-Encoding", "base64")
	file.SetFilename(name)
	part, err := w.CreateAttachment(file)
	return write(part, err, pdf)
}

// write writes content to a new part and closes it. err is the error of creating the part.
func write(part io.WriteCloser, err error, content []byte) error {
	if err != nil {
		return err
	}
	_, err = part.Write(content)
	return errors.Join(err, part.Close())
}

// lines ends every line with CRLF, as MIME requires (RFC 2046, 4.1.1).
func lines(s string) string {
	ends := strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n")
	return ends.Replace(strings.ToValidUTF8(s, "\uFFFD"))
}

// fileName removes separators from a name, and replaces characters that would need an encoding.
func fileName(s string) string {
	s = oneLine(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:;"<>|*?%=`, r):
			return -1
		case r > unicode.MaxASCII:
			return '_'
		default:
			return r
		}
	}, s), maxFileName)
	if s = strings.Trim(s, ". "); s == "" {
		return "letter.pdf"
	}
	return s
}

// oneLine makes text safe for a header: one line of at most limit characters,
// without control characters, without invisible characters that change the writing
// direction, and without anything that looks like an encoded word (RFC 2047).
func oneLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		case unicode.IsControl(r), unicode.IsSpace(r): // U+2028 and U+2029 are spaces
			return ' '
		default:
			return r
		}
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	return cut(strings.ReplaceAll(s, "=?", "= ?"), limit)
}

// phrase returns s as a display name: one line without anything that looks like an
// address or needs quotes or escapes.
func phrase(s string) string {
	return strings.Join(strings.FieldsFunc(oneLine(s, maxName), func(r rune) bool {
		return r == ' ' || strings.ContainsRune(`@<>()[]"\,;:`, r)
	}), " ")
}
