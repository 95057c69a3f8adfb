package carrier

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/localstack/emulator"
	"aviso/localstack/testenv"
)

// ses plays the API of SES v2, as the SDK speaks it.
type ses struct {
	peer
	t    *testing.T
	url  string
	sent []sentEmail
}

type sentEmail struct {
	Content struct {
		Raw struct{ Data string }
	}
	Destination          struct{ ToAddresses, CcAddresses, BccAddresses []string }
	ConfigurationSetName string
	EmailTags            []struct{ Name, Value string }
}

func (e sentEmail) raw(t *testing.T) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(e.Content.Raw.Data)
	require.NoError(t, err)
	return raw
}

func newSES(t *testing.T) *ses {
	t.Helper()
	s := &ses{t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.work) }))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *ses) work(w http.ResponseWriter, r *http.Request) {
	assert.Equal(s.t, "POST /v2/email/outbound-emails", r.Method+" "+r.URL.Path)
	body, err := io.ReadAll(r.Body)
	assert.NoError(s.t, err)
	var in sentEmail
	requireJSON(s.t, body, &in)
	s.sent = append(s.sent, in)
	asJSON(w, "application/json", 200, map[string]any{"MessageId": "0100018b-message"})
}

// client is one that would try three times if it were let.
func (s *ses) client() *sesv2.Client {
	return sesv2.New(sesv2.Options{
		Region: "eu-central-1", BaseEndpoint: &s.url, Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient: &http.Client{Transport: s.transport()},
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = 3
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		}),
	})
}

func emailCarrier(t *testing.T, client EmailSender, now func() time.Time, edit ...func(*EmailOptions)) *Email {
	t.Helper()
	o := EmailOptions{SES: client, From: "letters@aviso.example", ConfigurationSet: "letters", Now: now}
	for _, e := range edit {
		e(&o)
	}
	e, err := NewEmail(o)
	require.NoError(t, err)
	return e
}

func emailShipment() cancellation.Shipment {
	return newShipment(cancellation.Channel{Kind: cancellation.ChannelEmail, Email: "service@strom.example"})
}

func TestEmailSends(t *testing.T) {
	s := newSES(t)
	var calls []Call
	e := emailCarrier(t, s.client(), newClock().now, func(o *EmailOptions) {
		o.Observe = func(_ context.Context, c Call) { calls = append(calls, c) }
	})
	shipment := emailShipment()

	receipt, err := e.Send(t.Context(), shipment)

	require.NoError(t, err)
	assert.Equal(t, cancellation.Receipt{Reference: "0100018b-message"}, receipt)
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
	assert.Equal(t, []Call{{Operation: "send e-mail", Status: 200}}, calls)
}

func TestEmailAddresses(t *testing.T) {
	send := func(t *testing.T, shipment cancellation.Shipment, edit ...func(*EmailOptions)) (*ses, error) {
		t.Helper()
		s := newSES(t)
		_, err := emailCarrier(t, s.client(), newClock().now, edit...).Send(t.Context(), shipment)
		return s, err
	}
	t.Run("a domain of another script goes in ASCII", func(t *testing.T) {
		shipment := emailShipment()
		shipment.Channel.Email = "service@bücher.example"
		s, err := send(t, shipment)
		require.NoError(t, err)
		assert.Equal(t, []string{"service@xn--bcher-kva.example"}, s.sent[0].Destination.ToAddresses)
	})
	t.Run("what SES cannot take is refused without a call", func(t *testing.T) {
		for _, to := range []string{"", "kündigung@strom.example", "a@b.example\r\nBcc: c@d.example", "a@b.example,c@d.example"} {
			shipment := emailShipment()
			shipment.Channel.Email = to
			s, err := send(t, shipment)
			requireFailure(t, err, cancellation.CarrierRefused)
			assert.Zero(t, s.calls)
		}
	})
	t.Run("no other channel", func(t *testing.T) {
		s, err := send(t, faxShipment())
		assert.Error(t, err)
		assert.Zero(t, s.calls)
	})
	t.Run("an address for replies that is none is left out", func(t *testing.T) {
		for _, replyTo := range []string{"", "erika", "ü@example.com", "a@b.example\r\nBcc: c@d.example"} {
			shipment := emailShipment()
			shipment.ReplyTo = replyTo
			s, err := send(t, shipment)
			require.NoError(t, err)
			assert.NotContains(t, parseMail(t, s.sent[0].raw(t)).header, "Reply-To")
		}
	})
	t.Run("test environments write to one address and to the simulator", func(t *testing.T) {
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
	e := emailCarrier(t, newSES(t).client(), newClock().now)
	for in, want := range map[string]string{
		"Erika Mustermann": "Erika Mustermann via Aviso", "": "Aviso", "  \r\n ": "Aviso", "@<>": "Aviso",
		"Bank <service@bank.example>":  "Bank service bank.example via Aviso",
		`"Dr. Müller", "x"`:            "Dr. Müller x via Aviso",
		"=?utf-8?q?Bank?=":             "= ?utf-8?q?Bank?= via Aviso",
		"Erika\r\nBcc: x@evil.example": "Erika Bcc x evil.example via Aviso",
		"\u202eknaB":                   "knaB via Aviso",
	} {
		assert.Equal(t, want, e.displayName(in))
	}
}

func TestEmailWaitsForTheSendEvent(t *testing.T) {
	s, clock := newSES(t), newClock()
	e := emailCarrier(t, s.client(), clock.now)
	shipment := emailShipment()
	shipment.TriedAt = testNow
	for _, passed := range []time.Duration{0, time.Minute, 15*time.Minute - 1} {
		clock.at = testNow.Add(passed)
		_, err := e.Send(t.Context(), shipment)
		failure := requireFailure(t, err, cancellation.CarrierUnclear)
		assert.Equal(t, 15*time.Minute-passed, failure.RetryAfter)
	}
	assert.Zero(t, s.calls)

	clock.at = testNow.Add(15 * time.Minute)
	_, err := e.Send(t.Context(), shipment)
	require.NoError(t, err)
	assert.Len(t, s.sent, 1)
}

func TestEmailFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		status  int
		code    string
		message string
		want    cancellation.CarrierFailure
	}{
		"throttled":           {429, "TooManyRequestsException", "", cancellation.CarrierBusy},
		"throttled otherwise": {400, "ThrottlingException", "", cancellation.CarrierBusy},
		"over the quota":      {400, "LimitExceededException", "", cancellation.CarrierBusy},
		"account suspended":   {400, "AccountSuspendedException", "", cancellation.CarrierBusy},
		"sending paused":      {400, "SendingPausedException", "", cancellation.CarrierBusy},
		"domain not verified": {400, "MailFromDomainNotVerifiedException", "", cancellation.CarrierBusy},
		"no such set":         {404, "NotFoundException", "", cancellation.CarrierBusy},
		"not allowed":         {403, "AccessDeniedException", "", cancellation.CarrierBusy},
		"credentials ended":   {403, "ExpiredTokenException", "", cancellation.CarrierBusy},
		"identity not verified": {
			400, "MessageRejected", "Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: erika@example.com",
			cancellation.CarrierBusy,
		},
		"message rejected": {400, "MessageRejected", "Transaction failed: Erika Mustermann", cancellation.CarrierRefused},
		"bad request":      {400, "BadRequestException", "Erika", cancellation.CarrierRefused},
		"server fault":     {500, "InternalServiceErrorException", "", cancellation.CarrierUnclear},
		"server away":      {503, "ServiceUnavailable", "", cancellation.CarrierUnclear},
		"gateway timeout":  {504, "", "", cancellation.CarrierUnclear},
		"fault as a 500":   {500, "BadRequestException", "", cancellation.CarrierUnclear},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSES(t)
			body, err := json.Marshal(map[string]string{"message": tt.message})
			require.NoError(t, err)
			s.instead = func(int, *http.Request) *reply {
				return &reply{status: tt.status, header: map[string]string{"X-Amzn-Errortype": tt.code}, body: string(body)}
			}
			var calls []Call
			_, err = emailCarrier(t, s.client(), newClock().now, func(o *EmailOptions) {
				o.Observe = func(_ context.Context, c Call) { calls = append(calls, c) }
			}).Send(t.Context(), emailShipment())

			failure := requireFailure(t, err, tt.want)
			if tt.code != "" {
				assert.Equal(t, tt.code, failure.Reason)
			}
			assert.Equal(t, 1, s.calls, "the SDK must not try again")
			require.Len(t, calls, 1)
			assert.Equal(t, tt.status, calls[0].Status)
		})
	}

	t.Run("an answer without a message id", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: `{}`} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
	})
	t.Run("an answer that is broken", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: `{"Erika`} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
		assert.Equal(t, 1, s.calls)
	})
	t.Run("no answer", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{hangUp: true} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
		assert.Equal(t, 1, s.calls)
	})
	t.Run("nobody listens", func(t *testing.T) {
		s := newSES(t)
		s.url = "http://" + closedPort(t)
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		assert.ErrorIs(t, requireFailure(t, err, cancellation.CarrierBusy), errNoConnection)
	})
	t.Run("no answer in time", func(t *testing.T) {
		hanging := sender(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		_, err := emailCarrier(t, hanging, newClock().now, func(o *EmailOptions) { o.Timeout = time.Millisecond }).
			Send(t.Context(), emailShipment())
		assert.ErrorIs(t, requireFailure(t, err, cancellation.CarrierUnclear), context.DeadlineExceeded)
	})
	t.Run("anything else is unclear and not quoted", func(t *testing.T) {
		broken := sender(func(context.Context) error { return errors.New("Erika Mustermann") })
		_, err := emailCarrier(t, broken, newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
	})
}

type sender func(ctx context.Context) error

func (f sender) SendEmail(ctx context.Context, _ *sesv2.SendEmailInput, _ ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error) {
	return nil, f(ctx)
}

func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

func TestNewEmailWantsItsOptions(t *testing.T) {
	good := EmailOptions{SES: sender(nil), From: "a@aviso.example", ConfigurationSet: "c", Now: newClock().now}
	_, err := NewEmail(good)
	require.NoError(t, err)
	for name, spoil := range map[string]func(*EmailOptions){
		"SES": func(o *EmailOptions) { o.SES = nil }, "clock": func(o *EmailOptions) { o.Now = nil },
		"set": func(o *EmailOptions) { o.ConfigurationSet = "" }, "from": func(o *EmailOptions) { o.From = "Aviso <a@aviso.example>" },
		"redirect": func(o *EmailOptions) { o.Redirect = "nobody" },
	} {
		t.Run(name, func(t *testing.T) {
			o := good
			spoil(&o)
			_, err := NewEmail(o)
			assert.Error(t, err)
		})
	}
}

// The emulator's own parser, which is none of ours, reads what was sent.
func TestEmailArrivesAtTheEmulator(t *testing.T) {
	process, err := emulator.StartSES(t.Context(), emulator.Options{})
	require.NoError(t, err)
	client := sesv2.NewFromConfig(testenv.Config(process.URL))
	shipment := emailShipment()
	shipment.SenderName = "Müller, Jörg"

	receipt, err := emailCarrier(t, client, newClock().now).Send(t.Context(), shipment)

	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, process.URL+"/store", nil)
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
