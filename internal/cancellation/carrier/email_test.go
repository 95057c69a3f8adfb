package carrier

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/carrier/sesmail"
	"aviso/internal/cancellation/dispatch"
	local "aviso/localstack/stack/ses"
	"aviso/localstack/template"
	"aviso/localstack/tests/testenv"
)

func TestEmailSends(t *testing.T) {
	s := newSES(t)
	calls := loggedCalls(t)
	e := emailCarrier(t, s.client(), newClock().now)
	shipment := emailShipment()

	receipt, err := e.Send(t.Context(), shipment)

	require.NoError(t, err)
	assert.Equal(t, dispatch.Receipt{Reference: "0100018b-message"}, receipt)
	require.Len(t, s.sent, 1)
	sent := s.sent[0]
	assert.Equal(t, []string{"service@strom.example"}, sent.Destination.ToAddresses)
	assert.Empty(t, sent.Destination.CcAddresses)
	assert.Empty(t, sent.Destination.BccAddresses)
	assert.Equal(t, "letters", sent.ConfigurationSetName)
	assert.Equal(t, []struct{ Name, Value string }{{"cancellationId", testCancellation}, {"shipmentId", testShipment}}, sent.EmailTags)
	got := parseMail(t, sent.raw(t))
	assert.Equal(t, &mail.Address{Name: "Erika Mustermann via Aviso", Address: "letters@aviso.example"}, got.from)
	assert.Equal(t, &mail.Address{Address: "service@strom.example"}, got.to)
	assert.Equal(t, &mail.Address{Address: "erika@example.com"}, got.replyTo)
	assert.Equal(t, shipment.Document.Subject, got.subject)
	assert.Equal(t, shipment.Document.PDF, got.file)
	assert.Equal(t, []loggedCall{{Operation: "send e-mail", Status: 200}}, calls())
}

func TestEmailAddresses(t *testing.T) {
	send := func(t *testing.T, shipment dispatch.Shipment, edit ...func(*EmailOptions)) (*ses, error) {
		t.Helper()
		s := newSES(t)
		_, err := emailCarrier(t, s.client(), newClock().now, edit...).Send(t.Context(), shipment)
		return s, err
	}
	t.Run("sends an international domain in ASCII", func(t *testing.T) {
		shipment := emailShipment()
		shipment.Channel.Email = "service@bücher.example"
		s, err := send(t, shipment)
		require.NoError(t, err)
		assert.Equal(t, []string{"service@xn--bcher-kva.example"}, s.sent[0].Destination.ToAddresses)
	})
	t.Run("refuses what SES cannot send to, without a call", func(t *testing.T) {
		for _, to := range []string{"", "kündigung@strom.example", "a@b.example\r\nBcc: c@d.example", "a@b.example,c@d.example"} {
			shipment := emailShipment()
			shipment.Channel.Email = to
			s, err := send(t, shipment)
			requireFailure(t, err, dispatch.CarrierRefused)
			assert.Zero(t, s.calls)
		}
	})
	t.Run("rejects other channels", func(t *testing.T) {
		s, err := send(t, faxShipment())
		assert.Error(t, err)
		assert.Zero(t, s.calls)
	})
	t.Run("replaces an invalid reply address with the operator's, if there is one", func(t *testing.T) {
		for _, replyTo := range []string{"", "erika", "ü@example.com", "a@b.example\r\nBcc: c@d.example"} {
			shipment := emailShipment()
			shipment.ReplyTo = replyTo
			s, err := send(t, shipment)
			require.NoError(t, err)
			assert.NotContains(t, parseMail(t, s.sent[0].raw(t)).header, "Reply-To")
			s, err = send(t, shipment, func(o *EmailOptions) { o.ReplyTo = "answers@bücher.example" })
			require.NoError(t, err)
			assert.Equal(t, &mail.Address{Address: "answers@xn--bcher-kva.example"}, parseMail(t, s.sent[0].raw(t)).replyTo)
		}
		_, err := NewEmail(EmailOptions{From: "letters@aviso.example", ReplyTo: "answers"})
		require.Error(t, err)
	})
	t.Run("redirects all mail except to the simulator", func(t *testing.T) {
		redirect := func(o *EmailOptions) { o.Redirect = "inbox@aviso.example" }
		for to, want := range map[string]string{
			"service@strom.example":                  "inbox@aviso.example",
			"success@simulator.amazonses.com":        "success@simulator.amazonses.com",
			"bounce@SIMULATOR.amazonses.com":         "bounce@simulator.amazonses.com",
			"a@evil-simulator.amazonses.com":         "inbox@aviso.example",
			"a@simulator.amazonses.com.evil.example": "inbox@aviso.example",
			"simulator.amazonses.com@strom.example":  "inbox@aviso.example",
		} {
			shipment := emailShipment()
			shipment.Channel.Email = to
			s, err := send(t, shipment, redirect)
			require.NoError(t, err)
			assert.Equal(t, []string{want}, s.sent[0].Destination.ToAddresses)
			assert.Equal(t, want, parseMail(t, s.sent[0].raw(t)).to.Address, "the header names nobody else")
		}
	})
}

func TestDisplayName(t *testing.T) {
	for in, want := range map[string]string{
		"Erika Mustermann": "Erika Mustermann via Aviso", "": "Aviso", "  \r\n ": "Aviso", "@<>": "Aviso",
		"Bank <service@bank.example>":  "Bank service bank.example via Aviso",
		`"Dr. Müller", "x"`:            "Dr. Müller x via Aviso",
		"=?utf-8?q?Bank?=":             "= ?utf-8?q?Bank?= via Aviso",
		"Erika\r\nBcc: x@evil.example": "Erika Bcc x evil.example via Aviso",
		"\u202eknaB":                   "knaB via Aviso",
	} {
		assert.Equal(t, want, displayName(in))
	}
}

func TestEmailWaitsForTheSendEvent(t *testing.T) {
	s, clock := newSES(t), newClock()
	e := emailCarrier(t, s.client(), clock.now)
	shipment := emailShipment()
	shipment.TriedAt = testNow
	for _, passed := range []time.Duration{0, time.Minute, 15*time.Minute - time.Millisecond} {
		clock.at = testNow.Add(passed)
		_, err := e.Send(t.Context(), shipment)
		failure := requireFailure(t, err, dispatch.CarrierBusy)
		assert.Equal(t, 15*time.Minute-passed, failure.RetryAfter)
	}
	assert.Zero(t, s.calls)

	clock.at = testNow.Add(15 * time.Minute)
	_, err := e.Send(t.Context(), shipment)
	require.NoError(t, err)
	assert.Len(t, s.sent, 1)
}

func TestNewEmailRequiresItsOptions(t *testing.T) {
	good := EmailOptions{SES: sender(nil), From: "a@aviso.example", ConfigurationSet: "c", Now: newClock().now}
	_, err := NewEmail(good)
	require.NoError(t, err)
	good.From = "Aviso <a@aviso.example>"
	_, err = NewEmail(good)
	require.Error(t, err)
}

// Reads the mail with go-message, which is independent of our code.
func TestEmailArrivesAtTheEmulator(t *testing.T) {
	server := httptest.NewServer(local.New(local.Options{Dir: t.TempDir(),
		ConfigurationSets: []template.ConfigurationSet{{Name: "letters"}}, Now: time.Now,
	}))
	defer server.Close()
	client := sesmail.New(sesv2.NewFromConfig(testenv.Config(server.URL)))
	shipment := emailShipment()
	shipment.SenderName = "Müller, Jörg"

	receipt, err := emailCarrier(t, client, newClock().now).Send(t.Context(), shipment)

	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/store", nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	var store struct {
		Emails []struct {
			MessageID   string   `json:"messageId"`
			From        string   `json:"from"`
			ReplyTo     []string `json:"replyTo"`
			Destination struct{ To []string }
			Subject     string
			Body        struct{ Text string }
			Attachments []struct{ Filename, ContentType, Content string }
		}
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&store))
	require.Len(t, store.Emails, 1)
	got := store.Emails[0]
	assert.Equal(t, receipt.Reference, got.MessageID)
	assert.Equal(t, `"Müller Jörg via Aviso" <letters@aviso.example>`, got.From)
	assert.Equal(t, []string{"erika@example.com"}, got.ReplyTo)
	assert.Equal(t, []string{"service@strom.example"}, got.Destination.To)
	assert.Equal(t, shipment.Document.Subject, got.Subject)
	assert.Equal(t, shipment.Document.Text, got.Body.Text)
	require.Len(t, got.Attachments, 1)
	assert.Equal(t, "Kuendigung.pdf", got.Attachments[0].Filename)
	assert.Equal(t, "application/pdf", got.Attachments[0].ContentType)
	pdf, err := base64.StdEncoding.DecodeString(got.Attachments[0].Content)
	require.NoError(t, err)
	assert.Equal(t, shipment.Document.PDF, pdf)
	assert.NotEmpty(t, aws.ToString(&got.MessageID))
}
