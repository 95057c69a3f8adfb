package blackbox_test

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answered is an answer of an organization as partners see it.
type answered struct {
	ReplyID, From, Subject, Kind, StatusReason, EndDate, LaterDate, Excerpt, DecidedBy, Text, Authentication string
	AnswerStatus                                                                                             string
	NeededFields                                                                                             []string
	Attachments                                                                                              []struct {
		Name, ContentType string
		Size              int
	}
}

// deliver delivers a mail to the test environment.
func (p partner) deliver(t *testing.T, mail string) {
	t.Helper()
	r := request{method: http.MethodPost, path: "/sandbox/v1/mail", header: p.headers(), body: strings.ReplaceAll(mail, "\n", "\r\n")}
	r.header["Content-Type"] = "message/rfc822"
	a := send(t, r)
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
}

// mailTo returns a mail. content has the fields about the content and the content.
func mailTo(address, content string) string {
	return "From: Nur E-Mail <vertrag@nur-e-mail.example>\nTo: <" + address + ">\nSubject: =?utf-8?q?Ihre_K=C3=BCndigung?=\n" +
		"Message-ID: <" + fmt.Sprint(time.Now().UnixNano()) + "@nur-e-mail.example>\nDate: " + time.Now().Format(time.RFC1123Z) + "\nMIME-Version: 1.0\n" + content
}

func (p partner) replies(t *testing.T, id string) []answered {
	t.Helper()
	a := p.send(t, http.MethodGet, cancellations+"/"+id+"/replies", nil)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	var out struct{ Data struct{ Replies []answered } }
	a.decode(t, &out)
	return out.Data.Replies
}

func (p partner) replyAddress(t *testing.T, id string) string {
	t.Helper()
	var out struct {
		Data struct{ Cancellation struct{ ReplyAddress string } }
	}
	p.send(t, http.MethodGet, cancellations+"/"+id, nil).decode(t, &out)
	require.Regexp(t, `^c-[0-9a-f]{32}@replies\.aviso\.example$`, out.Data.Cancellation.ReplyAddress)
	return out.Data.Cancellation.ReplyAddress
}

func TestAnAnswerConfirms(t *testing.T) {
	p := newPartner(t, "sandbox")
	told := newReceiver(t, nil)
	p.subscribe(t, told, "cancellation.replied", "cancellation.confirmed")
	c := p.cancel(t, letterTo(p.product(t, "Nur E-Mail")))
	address := p.replyAddress(t, c.CancellationID)
	p.untilCancellation(t, c.CancellationID, stands("Delivered"))

	p.deliver(t, mailTo(address, "Auto-Submitted: auto-replied\nContent-Type: text/plain; charset=utf-8\n\n"+
		"Ich bin bis zum 31.12. nicht im Büro.\n"))
	assert.Equal(t, "Delivered", p.cancellation(t, c.CancellationID).Status, "out of office changes nothing")

	page := base64.StdEncoding.EncodeToString([]byte("<html><body><p>Guten Tag Frau Sommer,</p><p>wir haben Ihre K&uuml;ndigung " +
		"bearbeitet.</p><table><tr><td>Vertragsende</td><td>31.01.2027</td></tr></table><script>alert(1)</script></body></html>"))
	confirmation := mailTo(address, "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"+page+"\n")
	p.deliver(t, confirmation)
	p.deliver(t, confirmation)
	confirmed := p.cancellation(t, c.CancellationID)
	assert.Equal(t, "Created Queued Sent Delivered Confirmed", confirmed.steps())
	all := p.replies(t, c.CancellationID)
	require.Len(t, all, 2, "the same mail again is one reply")
	assert.Equal(t, []string{"Confirmed", "2027-01-31", "AutoReply"}, []string{all[0].Kind, all[0].EndDate, all[1].Kind})
	assert.Equal(t, "Ihre Kündigung", all[0].Subject)
	assert.NotEmpty(t, all[0].DecidedBy)
	one := p.send(t, http.MethodGet, cancellations+"/"+c.CancellationID+"/replies/"+all[0].ReplyID, nil)
	assert.Contains(t, string(one.body), "Vertragsende : 31.01.2027")
	assert.NotContains(t, string(one.body), "alert")
	raw := p.send(t, http.MethodGet, cancellations+"/"+c.CancellationID+"/replies/"+all[0].ReplyID+"/raw", nil)
	assert.Equal(t, "message/rfc822", raw.header.Get("Content-Type"))
	assert.Contains(t, string(raw.body), page)
	p.verifyEvidence(t, c.CancellationID)
	replied := told.await(t, "the reply", func(c callback) bool { return strings.Contains(string(c.body), all[0].ReplyID) })
	assert.Contains(t, string(replied.body), `"kind":"Confirmed"`)
	confirms := told.await(t, "the confirmation", about(p, "cancellation.confirmed"))
	assert.Contains(t, string(confirms.body), `"endDate":"2027-01-31"`)

	t.Run("nobody else's", func(t *testing.T) {
		other := newPartner(t, "sandbox-2")
		other.refused(t, http.MethodGet, cancellations+"/"+c.CancellationID+"/replies", nil, http.StatusNotFound, "not_found")
	})
}

// The organization asks for the customer number, the user sends it in one call, and the organization confirms.
func TestAnAnswerThatAsks(t *testing.T) {
	p := newPartner(t, "sandbox")
	c := p.cancel(t, letterTo(p.product(t, "Nur E-Mail")))
	address := p.replyAddress(t, c.CancellationID)
	p.untilCancellation(t, c.CancellationID, stands("Delivered"))
	plain := "Content-Type: text/plain; charset=utf-8\n\n"
	p.deliver(t, mailTo(address, plain+"Guten Tag,\n\nbitte nennen Sie uns noch Ihre Kundennummer.\n"))
	all := p.replies(t, c.CancellationID)
	require.Len(t, all, 1)
	require.Equal(t, []string{"CUSTOMER_NUMBER"}, all[0].NeededFields)

	path := cancellations + "/" + c.CancellationID + "/replies/" + all[0].ReplyID
	values := func(key, value string) map[string]any {
		return map[string]any{"parameters": []map[string]any{{"fieldKey": key, "fieldValue": value}}}
	}
	p.refused(t, http.MethodPost, path+"/answer", values("NAME", "Anna"), http.StatusUnprocessableEntity, "template_mismatch")
	for range 2 {
		a := p.send(t, http.MethodPost, path+"/answer", values("CUSTOMER_NUMBER", "K-204817"), "Idempotency-Key", all[0].ReplyID)
		require.Equal(t, http.StatusCreated, a.status, string(a.body))
	}
	p.refused(t, http.MethodPost, path+"/answer", values("CUSTOMER_NUMBER", "K-204818"), http.StatusConflict, "conflict")
	var read struct{ Data struct{ Reply answered } }
	eventually(t, func() bool {
		p.send(t, http.MethodGet, path, nil).decode(t, &read)
		return read.Data.Reply.AnswerStatus == "Delivered"
	}, patience, 200*time.Millisecond, "the answer does not arrive")
	sent := slices.DeleteFunc(inbox(t), func(m mail) bool { return !strings.Contains(m.Body.Text, "K-204817") })
	require.NotEmpty(t, sent)
	assert.Equal(t, "Re: Ihre Kündigung", sent[len(sent)-1].Subject)
	assert.Len(t, sent[len(sent)-1].Attachments, 1)

	res, err := signedIn(t, p.id).Get(service.baseURL + "/console/cancellations/" + c.CancellationID)
	require.NoError(t, err)
	page, err := io.ReadAll(res.Body)
	require.NoError(t, errors.Join(err, res.Body.Close()))
	for _, want := range []string{"NeedsInformation", "It asks for CUSTOMER_NUMBER.", "bitte nennen Sie uns", "The user answered."} {
		assert.Contains(t, string(page), want)
	}

	p.deliver(t, mailTo(address, plain+"Danke. Wir bestätigen Ihre Kündigung zum 31.01.2027.\n"))
	assert.Equal(t, "Created Queued Sent Delivered Confirmed", p.cancellation(t, c.CancellationID).steps())
	p.verifyEvidence(t, c.CancellationID)
}

func TestForgedAnswersDecideNothing(t *testing.T) {
	p := newPartner(t, "sandbox")
	c := p.cancel(t, letterTo(p.product(t, "Nur E-Mail")))
	p.untilCancellation(t, c.CancellationID, stands("Delivered"))
	text := "Content-Type: text/plain; charset=utf-8\n\nHiermit bestätigen wir die Kündigung zum 31.01.2027.\n"
	p.deliver(t, mailTo(p.replyAddress(t, c.CancellationID), "Authentication-Results: mx.example; dkim=fail; dmarc=fail\n"+text))
	p.deliver(t, mailTo("c-00000000000000000000000000000000@replies.aviso.example", text))
	assert.Equal(t, "Delivered", p.cancellation(t, c.CancellationID).Status)
	all := p.replies(t, c.CancellationID)
	require.Len(t, all, 1)
	assert.Equal(t, []string{"Confirmed", "dkim=fail dmarc=fail"}, []string{all[0].Kind, all[0].Authentication})
}

func TestPartnersReportAnswers(t *testing.T) {
	p := newPartner(t, "sandbox")
	c := p.cancel(t, letterTo(p.product(t, "Nur Post")))
	p.untilCancellation(t, c.CancellationID, stands("Sent"))
	path := cancellations + "/" + c.CancellationID + "/outcome"
	p.refused(t, http.MethodPost, path, map[string]any{"status": "Rejected"}, http.StatusUnprocessableEntity, "validation_failed")
	a := p.send(t, http.MethodPost, path, map[string]any{"status": "Confirmed", "endDate": "2027-01-31"})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	assert.Contains(t, string(a.body), `"confirmedEndDate":"2027-01-31"`)
	rejected := map[string]any{"status": "Rejected", "statusReason": "BindingPeriod"}
	p.refused(t, http.MethodPost, path, rejected, http.StatusConflict, "conflict")
}

// A file with labelled answers, one a line, can be read as mail with REPLIES.
func TestLabelledAnswers(t *testing.T) {
	file := os.Getenv("REPLIES")
	if file == "" {
		return
	}
	p := newPartner(t, "sandbox")
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	bought := p.product(t, "Nur E-Mail")
	for lines.Scan() {
		var l struct {
			ID, Kind, EndDate, Reason, LaterDate, Subject, From, Text, HTML string
			NeededFields                                                    []string
			Headers                                                         map[string]string
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &l))
		body := letterTo(bought)
		body["repeat"] = true
		c := p.cancel(t, body)
		p.untilCancellation(t, c.CancellationID, stands("Delivered"))
		head := "From: " + l.From + "\nTo: " + p.replyAddress(t, c.CancellationID) + "\nSubject: =?utf-8?b?" +
			base64.StdEncoding.EncodeToString([]byte(l.Subject)) + "?=\n"
		for name, value := range l.Headers {
			head += name + ": " + value + "\n"
		}
		kind, text := "plain", l.Text
		if text == "" {
			kind, text = "html", l.HTML
		}
		p.deliver(t, head+"Content-Type: text/"+kind+"; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"+
			base64.StdEncoding.EncodeToString([]byte(text))+"\n")
		all := p.replies(t, c.CancellationID)
		require.Len(t, all, 1, l.ID)
		assert.Equal(t, []string{l.Kind, l.Reason, l.EndDate, l.LaterDate},
			[]string{all[0].Kind, all[0].StatusReason, all[0].EndDate, all[0].LaterDate}, l.ID)
		assert.ElementsMatch(t, l.NeededFields, all[0].NeededFields, l.ID)
		want := map[string]string{"Confirmed": "Confirmed", "Rejected": "Rejected"}[l.Kind]
		assert.Equal(t, cmp.Or(want, "Delivered"), p.cancellation(t, c.CancellationID).Status, l.ID)
	}
}
