package inbox_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/reply/inbox"
)

const head = "From: Company <service@company.example>\r\nTo: c@replies.example\r\nSubject: Hello\r\nMIME-Version: 1.0\r\n"

// What a mail may do to its reader. Each must be read within a second and a little memory.
func TestHostileMail(t *testing.T) {
	deep := "Content-Type: multipart/mixed; boundary=b0\r\n\r\n"
	for i := range 500 {
		deep += fmt.Sprintf("--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n", i, i+1)
	}
	var bomb bytes.Buffer
	z := zlib.NewWriter(&bomb)
	_, _ = z.Write(make([]byte, 200<<20))
	_ = z.Close()
	packed := fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj\n", bomb.Len(), bomb.String())
	attached := func(kind, content string) string {
		return "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--x\r\nContent-Type: " +
			kind + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(content)) + "\r\n--x--\r\n"
	}
	for name, content := range map[string]string{
		"ten thousand parts": "Content-Type: multipart/mixed; boundary=x\r\n\r\n" +
			strings.Repeat("--x\r\nContent-Type: text/plain\r\n\r\nhi\r\n", 10_000) + "--x--\r\n",
		"nested parts":          deep,
		"a PDF that is a bomb":  attached("application/pdf", packed),
		"a PDF that is broken":  attached("application/pdf", "%PDF-1.7\nxref\n0 99999999\ntrailer << /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF"),
		"deep HTML":             "Content-Type: text/html\r\n\r\n" + strings.Repeat("<div>", 100_000) + "hi",
		"a page of one element": "Content-Type: text/html\r\n\r\n<p " + strings.Repeat("a=b ", 500_000) + ">",
		"a long line":           "Content-Type: text/plain\r\n\r\n" + strings.Repeat("kündigung bestätigt ", 200_000),
		"many lines":            "Content-Type: text/plain\r\n\r\n" + strings.Repeat(">\n", 500_000),
		"a long head":           strings.Repeat("X-A: b\r\n", 100_000) + "\r\nhi",
		"an unknown charset":    "Content-Type: text/plain; charset=klingon\r\n\r\nhi",
		"a broken encoding":     "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!",
		"no body":               "",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			m, err := inbox.Parse([]byte(head + content))
			if err == nil {
				_ = inbox.Read(m)
			} else {
				require.ErrorIs(t, err, inbox.ErrNoMail)
			}
			runtime.ReadMemStats(&after)
			assert.Less(t, time.Since(start), 30*time.Second) // with the race detector, on a busy machine
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(600<<20))
			assert.LessOrEqual(t, len(m.Text), 256<<10)
			assert.LessOrEqual(t, len(m.Attachments), 30)
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	t.Run("reads what a person sees", func(t *testing.T) {
		t.Parallel()
		m, err := inbox.Parse([]byte("From: =?utf-8?q?Stromwerk_S=C3=BCd?= <a@b.example>\r\nTo: X <c@d.example>, e@f.example\r\n" +
			"Subject: =?utf-8?q?K=C3=BCndigung?=\r\nDate: Tue, 24 Nov 2026 13:36:30 +0100\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n" +
			"<style>p{}</style><script>alert(1)</script><span style='display:none'>preview</span><p>Vertrags&shy;ende</p>" +
			"<table><tr><td>Am</td><td>31.1.</td></tr></table><blockquote type=cite>old</blockquote><p>Gr\xfc\xdfe</p>"))
		require.NoError(t, err)
		assert.Equal(t, "Kündigung", m.Subject)
		assert.Equal(t, "Stromwerk Süd <a@b.example>", m.From)
		assert.Equal(t, []string{"c@d.example", "e@f.example"}, m.To)
		assert.Equal(t, "Vertragsende\n\nAm : 31.1.\n\nGrüße", m.Text)
		assert.Equal(t, "2026-11-24T13:36:30+01:00", m.Date.Format(time.RFC3339))
	})
	t.Run("tells bounces and vacation notes", func(t *testing.T) {
		t.Parallel()
		m, err := inbox.Parse([]byte("From: MAILER-DAEMON@b.example\r\nContent-Type: multipart/report; boundary=x\r\n\r\n--x\r\n\r\nConfirmed: your contract ends 31.12.2026\r\n--x--\r\n"))
		require.NoError(t, err)
		assert.True(t, m.Bounce)
		assert.Equal(t, reply.KindAutoReply, inbox.Read(m).Kind)
		m, err = inbox.Parse([]byte("From: a@b.example\r\nX-Autoreply: yes\r\n\r\nhi"))
		require.NoError(t, err)
		assert.True(t, m.Vacation)
	})
	t.Run("refuses what is not a mail", func(t *testing.T) {
		t.Parallel()
		for _, raw := range []string{"", "hello", "\x00\x01", "Subject: no sender\r\n\r\nhi"} {
			_, err := inbox.Parse([]byte(raw))
			assert.ErrorIs(t, err, inbox.ErrNoMail, raw)
		}
	})
}

// Organizations answer below our subject in a language of their own.
func TestTheSubjectIsOurs(t *testing.T) {
	t.Parallel()
	m := inbox.Mail{Subject: "Re: Ihre Kündigung", Text: "We need your customer number."}
	assert.Equal(t, reply.KindNeedsInformation, inbox.Read(m).Kind)
}
