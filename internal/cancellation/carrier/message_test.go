package carrier

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/cancellation"
)

// parsedMail is an e-mail as read by a parser independent of our code.
type parsedMail struct {
	header   mail.Header
	subject  string
	from, to *mail.Address
	replyTo  *mail.Address
	text     string
	textType string
	file     []byte
	fileName string
	fileType string
	// enclosure is the second file, if there is one.
	enclosure     []byte
	enclosureName string
}

type requirer interface {
	assert.TestingT
	require.TestingT
	Helper()
}

func parseMail(t requirer, raw []byte) parsedMail {
	t.Helper()
	for line := range bytes.SplitSeq(raw, []byte("\r\n")) {
		require.NotContains(t, string(line), "\n", "a line feed alone")
		require.NotContains(t, string(line), "\r", "a carriage return alone")
		require.LessOrEqual(t, len(line), 998, "RFC 5322, 2.1.1")
		for _, b := range line {
			require.Less(t, b, byte(utf8.RuneSelf), "7 bit only")
		}
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	require.NoError(t, err)
	p := parsedMail{header: m.Header}
	p.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	require.NoError(t, err)
	one := func(name string) *mail.Address {
		list, err := m.Header.AddressList(name)
		if err != nil {
			return nil
		}
		require.Len(t, list, 1)
		return list[0]
	}
	p.from, p.to, p.replyTo = one("From"), one("To"), one("Reply-To")

	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.Equal(t, "multipart/mixed", media)
	parts := multipart.NewReader(m.Body, params["boundary"])
	text, err := parts.NextRawPart()
	require.NoError(t, err)
	assert.Equal(t, "quoted-printable", text.Header.Get("Content-Transfer-Encoding"))
	p.textType = text.Header.Get("Content-Type")
	content, err := io.ReadAll(quotedprintable.NewReader(text))
	require.NoError(t, err)
	p.text = string(content)
	file, err := parts.NextRawPart()
	require.NoError(t, err)
	p.fileType = file.Header.Get("Content-Type")
	p.fileName, p.file = attached(t, file)
	file, err = parts.NextRawPart()
	if err == nil {
		p.enclosureName, p.enclosure = attached(t, file)
		_, err = parts.NextRawPart()
	}
	require.ErrorIs(t, err, io.EOF, "no more parts")
	return p
}

// attached returns the name and content of an attached file.
func attached(t requirer, file *multipart.Part) (string, []byte) {
	t.Helper()
	assert.Equal(t, "base64", file.Header.Get("Content-Transfer-Encoding"))
	disposition, params, err := mime.ParseMediaType(file.Header.Get("Content-Disposition"))
	require.NoError(t, err)
	require.Equal(t, "attachment", disposition)
	content, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, file))
	require.NoError(t, err)
	return params["filename"], content
}

// headerNames are the only headers that a message may have.
var headerNames = []string{"Content-Type", "Date", "From", "Mime-Version", "Reply-To", "Subject", "To"}

func names(h mail.Header) []string {
	var all []string
	for _, name := range headerNames {
		if len(h[name]) == 1 {
			all = append(all, name)
		}
	}
	return all
}

func newEnvelope() envelope {
	return envelope{
		Document: cancellation.Document{
			Subject: "Kündigung Kundennummer 4711", Text: "Guten Tag,\n\nanbei meine Kündigung.\n= Ende =\n.\n",
			FileName: "Kuendigung.pdf", PDF: bytes.Repeat([]byte("%PDF-1.4 \x00\xff"), 2000),
		},
		from: mail.Address{Name: "Erika Mustermann via Aviso", Address: "letters@aviso.example"},
		to:   "service@strom.example", replyTo: "erika@example.com", date: testNow,
	}
}

func TestCompose(t *testing.T) {
	e := newEnvelope()
	raw, err := compose(e)
	require.NoError(t, err)

	got := parseMail(t, raw)

	assert.Equal(t, headerNames, names(got.header))
	assert.Len(t, got.header, len(headerNames))
	assert.Equal(t, "1.0", got.header.Get("Mime-Version"))
	assert.Equal(t, "Fri, 20 Nov 2026 09:30:00 +0000", got.header.Get("Date"))
	assert.Equal(t, &e.from, got.from)
	assert.Equal(t, &mail.Address{Address: "service@strom.example"}, got.to)
	assert.Equal(t, &mail.Address{Address: "erika@example.com"}, got.replyTo)
	assert.Equal(t, e.Subject, got.subject)
	assert.Equal(t, "text/plain; charset=utf-8", got.textType)
	assert.Equal(t, strings.ReplaceAll(e.Text, "\n", "\r\n"), got.text)
	assert.Equal(t, "application/pdf", strings.Split(got.fileType, ";")[0])
	assert.Equal(t, "Kuendigung.pdf", got.fileName)
	assert.Equal(t, e.PDF, got.file)
	assert.Empty(t, got.enclosureName)

	e.Enclosure = bytes.Repeat([]byte("%PDF-1.4 \x00\xfe"), 3000)
	raw, err = compose(e)
	require.NoError(t, err)
	got = parseMail(t, raw)
	assert.Equal(t, e.PDF, got.file)
	assert.Equal(t, "evidence.pdf", got.enclosureName)
	assert.Equal(t, e.Enclosure, got.enclosure)
}

func TestComposeAnAnswer(t *testing.T) {
	e := envelope{from: mail.Address{Address: "a@aviso.example"}, to: "b@b.example", Document: cancellation.Document{
		Subject: "Re: x", Text: "x", PDF: []byte("%PDF"), FileName: "x.pdf", InReplyTo: "<1@b.example>",
	}}
	raw, err := compose(e)
	require.NoError(t, err)
	header := parseMail(t, raw).header
	assert.Equal(t, "<1@b.example>", header.Get("In-Reply-To"))
	assert.Equal(t, "<1@b.example>", header.Get("References"))
	e.InReplyTo = ""
	raw, err = compose(e)
	require.NoError(t, err)
	assert.NotContains(t, parseMail(t, raw).header, "In-Reply-To")
}

func TestComposeKeepsHostileTextInItsPlace(t *testing.T) {
	for name, tt := range map[string]struct{ in, subject string }{
		"line breaks":       {"a\r\nBcc: x@evil.example\r\n\r\nbody", "a Bcc: x@evil.example body"},
		"single breaks":     {"a\nBcc: x\rTo: y", "a Bcc: x To: y"},
		"Unicode breaks":    {"a\u2028b\u2029c\u0085d", "a b c d"},
		"controls":          {"a\x00b\x07c\x1bd\x7fe\v\f", "a b c d e"},
		"direction":         {"abc\u202egnp.exe\u202c\u2066\u200f", "abcgnp.exe"},
		"encoded word":      {"=?utf-8?q?evil?= x", "= ?utf-8?q?evil?= x"},
		"in another script": {"解約のお知らせ 🦊", "解約のお知らせ 🦊"},
		"quotes and commas": {`"a", <b@c.example>; \ (d)`, `"a", <b@c.example>; \ (d)`},
		"invalid UTF-8":     {"a\xff\xfeb", "ab"},
		"very long":         {strings.Repeat("langes Wort ", 100), strings.TrimSpace(strings.Repeat("langes Wort ", 100)[:200])},
		"one long word":     {strings.Repeat("x", 5000), strings.Repeat("x", 200)},
		"very long umlauts": {strings.Repeat("ü", 500), strings.Repeat("ü", 200)},
		"empty":             {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnvelope()
			e.Subject = tt.in
			e.from.Name = phrase(tt.in)
			raw, err := compose(e)
			require.NoError(t, err)

			got := parseMail(t, raw)

			assert.Equal(t, tt.subject, got.subject)
			assert.Equal(t, headerNames, names(got.header))
			assert.Len(t, got.header, len(headerNames))
			require.NotNil(t, got.from)
			assert.Equal(t, e.from, *got.from)
			assert.Equal(t, e.PDF, got.file)
		})
	}
}

func TestComposeFileNames(t *testing.T) {
	for in, want := range map[string]string{
		"Kuendigung.pdf": "Kuendigung.pdf", "Kündigung 2026.pdf": "K_ndigung 2026.pdf",
		"": "letter.pdf", "../../etc/passwd": "etcpasswd", `C:\x.pdf`: "Cx.pdf", "a\"; filename=\"evil.exe": "a filenameevil.exe",
		"a\r\nContent-Type: text/html\r\n\r\n<x>.pdf": "a Content-Type texthtml x.pdf", "...": "letter.pdf",
	} {
		t.Run(in, func(t *testing.T) {
			e := newEnvelope()
			e.FileName = in
			raw, err := compose(e)
			require.NoError(t, err)
			got := parseMail(t, raw)
			assert.Equal(t, want, got.fileName)
			assert.Equal(t, e.PDF, got.file)
		})
	}
}

// Any input results in a message with the expected headers and parts and the
// complete text.
func TestComposeProperty(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		"\r\n", "\n", "\r", "\r\n\r\n", "--", "=?utf-8?b?eA==?=", "\u2028", "\u202e", "\x00", "Bcc: a@b.example", "\"",
		"\\", ",", "<", ">", "ü", "a", " ", "\t", "=", ".",
	}), 0, 40), func(pieces []string) string { return strings.Join(pieces, "") }))
	rapid.Check(t, func(t *rapid.T) {
		e := newEnvelope()
		e.Subject, e.Text, e.FileName = text.Draw(t, "subject"), text.Draw(t, "text"), text.Draw(t, "file name")
		e.from.Name = phrase(text.Draw(t, "name"))
		e.PDF = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "pdf")
		raw, err := compose(e)
		require.NoError(t, err)

		got := parseMail(t, raw)

		assert.Equal(t, headerNames, names(got.header))
		assert.Len(t, got.header, len(headerNames))
		assert.Equal(t, oneLine(e.Subject, maxSubject), got.subject)
		assert.Equal(t, lines(e.Text), got.text)
		assert.Equal(t, fileName(e.FileName), got.fileName)
		require.NotNil(t, got.from)
		assert.Equal(t, e.from, *got.from)
		assert.True(t, bytes.Equal(e.PDF, got.file))
	})
}

func TestParseAddress(t *testing.T) {
	for in, want := range map[string]string{
		"service@strom.example": "service@strom.example", "First.Last+tag@Strom.Example": "First.Last+tag@strom.example",
		"info@bücher.example": "info@xn--bcher-kva.example", "info@xn--bcher-kva.example": "info@xn--bcher-kva.example",
		"o'hara_-{}@strom.example": "o'hara_-{}@strom.example", "info@BÜCHER.example": "info@xn--bcher-kva.example",
	} {
		t.Run(in, func(t *testing.T) {
			got, err := cancellation.ParseEmail(in)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
	for _, in := range []string{
		"", "@", "a@", "@b.example", "a", "a@b", "a b@c.example", "a@b.example, c@d.example", "Erika <a@b.example>", "<a@b.example>",
		"a@b.example\r\nBcc: c@d.example", "a\n@b.example", "a@b.example ", " a@b.example", "\"a b\"@c.example", "a@[127.0.0.1]",
		"ü@b.example", "a\x00@b.example", "a\x7f@b.example", ".a@b.example", "a.@b.example", "a..b@c.example", "a@b@c.example", "a@.example",
		"a@b..example", "a@-b.example", "a@b_c.example", "a@b.example(c)", "a;b@c.example", "a\u2028@b.example", "a@b\u202e.example", "0@0\xbc.0",
		strings.Repeat("a", 65) + "@b.example", "a@" + strings.Repeat("b", 64) + ".example",
		"a@" + strings.Repeat("b.", 130) + "example",
	} {
		t.Run("refuses "+in, func(t *testing.T) {
			_, err := cancellation.ParseEmail(in)
			require.ErrorIs(t, err, cancellation.ErrEmail)
			assert.Equal(t, cancellation.ErrEmail.Error(), err.Error())
		})
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, in := range []string{"a@b.example", "info@bücher.example", "a@b.example\r\nBcc: x@y.example", "\"a\"@b.example", "a@[::1]"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		address, err := cancellation.ParseEmail(in)
		if err != nil {
			return
		}
		parsed, err := mail.ParseAddress(address)
		require.NoError(t, err)
		assert.Equal(t, address, parsed.Address)
		assert.NotContains(t, address, "\n")
		for _, r := range address {
			assert.True(t, r > ' ' && r < 0x7f)
		}
		again, err := cancellation.ParseEmail(address)
		require.NoError(t, err)
		assert.Equal(t, address, again)
	})
}

// Servers and filters distrust a header line that is too long: at most 76 characters with an encoded word (RFC 2047,
// section 2), and 78 otherwise (RFC 5322, section 2.1.1).
func TestHeaderLinesAreShort(t *testing.T) {
	for _, subject := range []string{
		"Kündigung meines Vertrages über Strom und Gas zum nächstmöglichen Zeitpunkt, Kundennummer 4711-0815-2026, Zählernummer 1ESY1160000001",
		"Cancellation of my contract about electricity and gas at the next possible date, customer number 4711-0815-2026",
		strings.Repeat("ä", 200), strings.Repeat("x", 200), "Kündigung " + strings.Repeat("x", 120),
	} {
		e := newEnvelope()
		e.Subject, e.from.Name = subject, "Anna Maria Leutheusser-Schnarrenberger von der Heide via Aviso"
		raw, err := compose(e)
		require.NoError(t, err)
		head, _, _ := strings.Cut(string(raw), "\r\n\r\n")
		for line := range strings.SplitSeq(head, "\r\n") {
			limit := 78
			if strings.Contains(line, "=?") {
				limit = 76
			}
			if len(strings.Fields(line)) > 1 {
				assert.LessOrEqual(t, len(line), limit, line)
			}
		}
	}
}
