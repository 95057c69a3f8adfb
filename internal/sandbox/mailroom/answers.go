package mailroom

import (
	"bytes"
	_ "embed" // the texts
	"encoding/base64"
	"fmt"
	"mime"
	"strings"
	"sync"
	"time"
	"unicode"

	"aviso/internal/sandbox/layout"
)

//go:embed answers.json
var answerData []byte

// answers are what organizations write, by language and command. A text may have {date}; layout is that of the date.
var answers = sync.OnceValue(func() map[string]map[string]string { //nolint:gochecknoglobals // read once
	return layout.Parse[map[string]map[string]string](answerData)
})

// The commands that send a confirmation in another form, and those whose day is later than asked for.
const (
	pdfOnly, htmlOnly = "PDFOnly", "HTMLOnly"
	later             = "Later"
	bindingPeriod     = "BindingPeriod"
	autoReply         = "AutoReply"
)

// Mails returns an answer as a MIME message without the field To, in all languages. now is the user's time.
func Mails(answer string, now time.Time) map[string]string {
	mails := map[string]string{}
	for language, texts := range answers() {
		months, key := 2, answer
		switch answer {
		case later, bindingPeriod:
			months = 7
		case pdfOnly, htmlOnly:
			key = Confirmed
		}
		end := time.Date(now.Year(), now.Month()+time.Month(months), 0, 0, 0, 0, 0, time.UTC) // the last day of a month
		text := strings.ReplaceAll(texts[key], "{date}", end.Format(texts["layout"]))
		mails[language] = mail(answer, text, texts, now)
	}
	return mails
}

func mail(answer, text string, texts map[string]string, now time.Time) string {
	subject, kind, content := texts["subject"], "text/plain; charset=utf-8", []byte(text+"\n")
	switch answer {
	case autoReply:
		subject = texts["auto"] + ": " + subject
	case htmlOnly:
		kind, content = "text/html; charset=utf-8", []byte("<html><body><p>"+text+"</p></body></html>")
	case pdfOnly:
		kind, content = "application/pdf; name=answer.pdf", page(text)
	}
	head := "From: Organization <service@organization.example>\r\nSubject: " + mime.BEncoding.Encode("utf-8", subject) +
		"\r\nDate: " + now.Format(time.RFC1123Z) + "\r\nMIME-Version: 1.0\r\n"
	if answer == autoReply {
		head += "Auto-Submitted: auto-replied\r\n"
	}
	return head + fmt.Sprintf("Message-ID: <%s.%d@organization.example>\r\n", answer, now.UnixNano()) +
		"Content-Type: " + kind + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		folded(base64.StdEncoding.EncodeToString(content))
}

// folded breaks base64 into lines (RFC 2045, 6.8).
func folded(text string) string {
	const longest = 76
	var out strings.Builder
	for len(text) > longest {
		out.WriteString(text[:longest] + "\r\n")
		text = text[longest:]
	}
	return out.String() + text + "\r\n"
}

// page returns a PDF with one line. Letters that its encoding does not have become question marks.
func page(text string) []byte {
	var latin []byte
	for _, r := range strings.NewReplacer("\\", `\\`, "(", `\(`, ")", `\)`).Replace(text) {
		if r > unicode.MaxLatin1 {
			r = '?'
		}
		latin = append(latin, byte(r))
	}
	text = "BT /F1 9 Tf 40 780 Td (" + string(latin) + ") Tj ET"
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	var places strings.Builder
	for i, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	} {
		fmt.Fprintf(&places, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := out.Len()
	fmt.Fprintf(&out, "xref\n0 6\n0000000000 65535 f \n%strailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n",
		places.String(), table)
	return out.Bytes()
}
