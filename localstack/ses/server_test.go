package ses_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/emulator"
	"aviso/localstack/host"
	"aviso/localstack/ses"
	"aviso/localstack/template"
	"aviso/localstack/testenv"
)

// theEmulator is one for all tests of this binary; it ends with it.
var theEmulator = sync.OnceValues(func() (*emulator.Process, error) {
	return emulator.StartSES(context.Background(), emulator.Options{})
})

// letters asks for what there is to know of a mail.
var letters = template.ConfigurationSet{ID: "Letters", Name: "letters", Events: []string{"SEND", "DELIVERY", "BOUNCE", "COMPLAINT"}}

// fixture is a server before the emulator, and what it publishes.
type fixture struct {
	*ses.Server
	url    string
	client *sesv2.Client

	mu     sync.Mutex
	events []host.Event
	told   []string
}

func setUp(t *testing.T, o ses.Options) *fixture {
	t.Helper()
	f := &fixture{}
	if o.Upstream == "" {
		p, err := theEmulator()
		require.NoError(t, err)
		o.Upstream = p.URL
	}
	o.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 7e6, time.UTC) }
	o.Tell = func(line string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.told = append(f.told, line)
	}
	var err error
	f.Server, err = ses.New(o)
	require.NoError(t, err)
	server := httptest.NewServer(f.Server)
	t.Cleanup(server.Close)
	f.url = server.URL
	f.client = sesv2.NewFromConfig(testenv.Config(server.URL), func(o *sesv2.Options) { o.RetryMaxAttempts = 1 })
	f.Start(func(e host.Event) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.events = append(f.events, e)
		return nil
	})
	return f
}

func simple(to ...string) *sesv2.SendEmailInput {
	return &sesv2.SendEmailInput{
		FromEmailAddress:     aws.String("Aviso <post@letters.example>"),
		ReplyToAddresses:     []string{"anna@example.org"},
		ConfigurationSetName: aws.String("letters"),
		EmailTags:            []types.MessageTag{{Name: aws.String("cancellation"), Value: aws.String("c-1")}},
		Destination:          &types.Destination{ToAddresses: to},
		Content: &types.EmailContent{Simple: &types.Message{
			Subject: &types.Content{Data: aws.String("Kündigung")},
			Body:    &types.Body{Text: &types.Content{Data: aws.String("Guten Tag")}},
			Headers: []types.MessageHeader{{Name: aws.String("X-Own"), Value: aws.String("1")}},
		}},
	}
}

func (f *fixture) send(t *testing.T, in *sesv2.SendEmailInput) (messageID string) {
	t.Helper()
	out, err := f.client.SendEmail(t.Context(), in)
	require.NoError(t, err)
	return *out.MessageId
}

// published gives all events as "<detail type>: <recipients>", once no more come.
func (f *fixture) published(t *testing.T) []string {
	t.Helper()
	f.Hurry()
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for _, e := range f.events {
		var detail struct {
			Mail     struct{ Destination []string }
			Delivery struct{ Recipients []string }
			Bounce   struct {
				BounceType, BounceSubType string
				BouncedRecipients         []struct{ EmailAddress string }
			}
			Complaint struct {
				ComplainedRecipients []struct{ EmailAddress string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(detailOf(t, e)), &detail))
		recipients := detail.Delivery.Recipients
		for _, r := range append(detail.Bounce.BouncedRecipients, detail.Complaint.ComplainedRecipients...) {
			recipients = append(recipients, r.EmailAddress)
		}
		if recipients == nil {
			recipients = detail.Mail.Destination
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s: %s %s/%s", e.DetailType, strings.Join(recipients, " "),
			detail.Bounce.BounceType, detail.Bounce.BounceSubType)))
	}
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], " /")
	}
	return list
}

func detailOf(t *testing.T, e host.Event) string {
	t.Helper()
	raw, err := json.Marshal(e.Detail)
	require.NoError(t, err)
	return string(raw)
}

func TestEvents(t *testing.T) {
	const at = "@simulator.amazonses.com"
	for name, tc := range map[string]struct {
		to   []string
		want []string
	}{
		"an address like any other": {[]string{"kuendigung@firm.example"}, []string{
			"Email Sent: kuendigung@firm.example", "Email Delivered: kuendigung@firm.example",
		}},
		"success": {[]string{"success" + at}, []string{"Email Sent: success" + at, "Email Delivered: success" + at}},
		"bounce":  {[]string{"bounce" + at}, []string{"Email Sent: bounce" + at, "Email Bounced: bounce" + at + " Permanent/General"}},
		"complaint": {[]string{"complaint" + at}, []string{
			"Email Sent: complaint" + at, "Email Delivered: complaint" + at, "Email Complaint Received: complaint" + at,
		}},
		"ooto": {[]string{"ooto" + at}, []string{
			"Email Sent: ooto" + at, "Email Delivered: ooto" + at, "Email Bounced: ooto" + at + " Transient/General",
		}},
		"suppressionlist": {[]string{"suppressionlist" + at}, []string{
			"Email Sent: suppressionlist" + at, "Email Bounced: suppressionlist" + at + " Permanent/Suppressed",
		}},
		"a label, a name and capitals": {[]string{"Firm <Bounce+one@Simulator.AmazonSES.com>"}, []string{
			"Email Sent: Bounce+one@Simulator.AmazonSES.com", "Email Bounced: Bounce+one@Simulator.AmazonSES.com Permanent/General",
		}},
		"several, one of them twice": {[]string{"a@firm.example", "bounce" + at, "A <a@firm.example>", "success" + at}, []string{
			"Email Sent: a@firm.example bounce" + at + " success" + at,
			"Email Delivered: a@firm.example success" + at, "Email Bounced: bounce" + at + " Permanent/General",
		}},
	} {
		t.Run("mail to "+name, func(t *testing.T) {
			f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}})
			f.send(t, simple(tc.to...))
			assert.Equal(t, tc.want, f.published(t))
			assert.Empty(t, f.told)
		})
	}

	t.Run("only those that the configuration set asks for", func(t *testing.T) {
		f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{{Name: "letters", Events: []string{"BOUNCE", "OPEN"}}}})
		f.send(t, simple("bounce"+at, "a@firm.example"))
		assert.Equal(t, []string{"Email Bounced: bounce" + at + " Permanent/General"}, f.published(t))
	})

	t.Run("none without a configuration set", func(t *testing.T) {
		f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}})
		in := simple("bounce" + at)
		in.ConfigurationSetName = nil
		f.send(t, in)
		assert.Empty(t, f.published(t))
	})

	t.Run("those of the identity's configuration set where the mail names none", func(t *testing.T) {
		f := setUp(t, ses.Options{
			ConfigurationSets: []template.ConfigurationSet{letters},
			Identities:        []template.EmailIdentity{{Name: "letters.example", ConfigurationSet: "letters"}},
		})
		in := simple("a@firm.example")
		in.ConfigurationSetName = nil
		f.send(t, in)
		assert.Len(t, f.published(t), 2)
	})

	t.Run("take their time, until there is hurry; later ones come before the answer", func(t *testing.T) {
		f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}, Travel: time.Hour})
		f.send(t, simple("complaint"+at))
		f.mu.Lock()
		assert.Empty(t, f.events)
		f.mu.Unlock()
		assert.Len(t, f.published(t), 3)
		f.send(t, simple("complaint"+at))
		assert.Len(t, f.events, 6)
	})

	t.Run("one that the bus does not take is told", func(t *testing.T) {
		p, err := theEmulator()
		require.NoError(t, err)
		var lines []string
		server, err := ses.New(ses.Options{
			Upstream: p.URL, ConfigurationSets: []template.ConfigurationSet{{Name: "letters", Events: []string{"SEND"}}},
			Now: time.Now, Tell: func(line string) { lines = append(lines, line) },
		})
		require.NoError(t, err)
		server.Start(func(host.Event) error { return io.ErrClosedPipe })
		front := httptest.NewServer(server)
		defer front.Close()
		f := &fixture{client: sesv2.NewFromConfig(testenv.Config(front.URL))}
		id := f.send(t, simple("a@firm.example"))
		server.Hurry()
		assert.Equal(t, []string{"mail " + id + ": io: read/write on closed pipe"}, lines)
	})
}

func TestEventDetail(t *testing.T) {
	f := setUp(t, ses.Options{
		ConfigurationSets: []template.ConfigurationSet{letters},
		Identities:        []template.EmailIdentity{{Name: "letters.example"}},
	})
	in := simple("Firm <bounce@simulator.amazonses.com>")
	in.Destination.CcAddresses = []string{"complaint@simulator.amazonses.com"}
	in.Destination.BccAddresses = []string{"archive@letters.example"}
	id := f.send(t, in)
	require.Len(t, f.published(t), 4)
	record := `"mail": {
		"timestamp": "2026-03-01T12:00:00.007Z",
		"source": "Aviso <post@letters.example>",
		"sourceArn": "arn:aws:ses:eu-central-1:000000000000:identity/letters.example",
		"sendingAccountId": "000000000000",
		"messageId": "` + id + `",
		"destination": ["bounce@simulator.amazonses.com", "complaint@simulator.amazonses.com", "archive@letters.example"],
		"headersTruncated": false,
		"headers": [
			{"name": "From", "value": "Aviso <post@letters.example>"},
			{"name": "Reply-To", "value": "anna@example.org"},
			{"name": "To", "value": "Firm <bounce@simulator.amazonses.com>"},
			{"name": "Cc", "value": "complaint@simulator.amazonses.com"},
			{"name": "Subject", "value": "Kündigung"},
			{"name": "MIME-Version", "value": "1.0"},
			{"name": "X-Own", "value": "1"}
		],
		"commonHeaders": {
			"from": ["Aviso <post@letters.example>"], "replyTo": ["anna@example.org"],
			"to": ["Firm <bounce@simulator.amazonses.com>"], "cc": ["complaint@simulator.amazonses.com"],
			"messageId": "` + id + `", "subject": "Kündigung"
		},
		"tags": {
			"cancellation": ["c-1"], "ses:operation": ["SendEmail"], "ses:configuration-set": ["letters"],
			"ses:source-ip": ["127.0.0.1"], "ses:from-domain": ["letters.example"], "ses:caller-identity": ["local"]
		}
	}`
	details := map[string]string{}
	for _, e := range f.events {
		assert.Equal(t, "aws.ses", e.Source)
		assert.Equal(t, []string{"arn:aws:ses:eu-central-1:000000000000:configuration-set/letters"}, e.Resources)
		details[e.DetailType] = detailOf(t, e)
	}
	assert.JSONEq(t, `{"eventType": "Send", "send": {}, `+record+`}`, details["Email Sent"])
	assert.JSONEq(t, `{"eventType": "Delivery", "delivery": {
		"timestamp": "2026-03-01T12:00:00.007Z", "processingTimeMillis": 0,
		"recipients": ["complaint@simulator.amazonses.com", "archive@letters.example"],
		"smtpResponse": "250 2.6.0 Message received", "reportingMTA": "localhost"
	}, `+record+`}`, details["Email Delivered"])
	assert.JSONEq(t, `{"eventType": "Bounce", "bounce": {
		"bounceType": "Permanent", "bounceSubType": "General",
		"bouncedRecipients": [{
			"emailAddress": "bounce@simulator.amazonses.com", "action": "failed", "status": "5.1.1",
			"diagnosticCode": "smtp; 550 5.1.1 user unknown"
		}],
		"timestamp": "2026-03-01T12:00:00.007Z", "feedbackId": "`+id+`-bounce-general", "reportingMTA": "dns; localhost"
	}, `+record+`}`, details["Email Bounced"])
	assert.JSONEq(t, `{"eventType": "Complaint", "complaint": {
		"complainedRecipients": [{"emailAddress": "complaint@simulator.amazonses.com"}],
		"timestamp": "2026-03-01T12:00:00.007Z", "arrivalDate": "2026-03-01T12:00:00.007Z",
		"feedbackId": "`+id+`-complaint-", "complaintSubType": null, "complaintFeedbackType": "abuse",
		"userAgent": "Amazon SES Mailbox Simulator"
	}, `+record+`}`, details["Email Complaint Received"])
}

func TestRawMail(t *testing.T) {
	const message = "From: Aviso <post@letters.example>\r\nTo: a@firm.example, \"B\" <bounce@simulator.amazonses.com>\r\n" +
		"Bcc: archive@letters.example\r\nSubject: =?utf-8?q?K=C3=BCndigung?=\r\n" +
		"X-SES-CONFIGURATION-SET: letters\r\nX-SES-MESSAGE-TAGS: cancellation=c-1, try=2\r\n\r\nGuten Tag\r\n"
	raw := func(message string) *sesv2.SendEmailInput {
		return &sesv2.SendEmailInput{Content: &types.EmailContent{Raw: &types.RawMessage{Data: []byte(message)}}}
	}
	mail := func(t *testing.T, in *sesv2.SendEmailInput) (record struct {
		Destination   []string
		Headers       []struct{ Name, Value string }
		CommonHeaders struct{ Subject string }
		Tags          map[string][]string
	}) {
		t.Helper()
		f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}})
		f.send(t, in)
		require.NotEmpty(t, f.published(t))
		detail := struct{ Mail any }{&record}
		require.NoError(t, json.Unmarshal([]byte(detailOf(t, f.events[0])), &detail))
		return record
	}

	t.Run("brings recipients, tags and configuration set in its headers", func(t *testing.T) {
		record := mail(t, raw(message))
		assert.ElementsMatch(t, []string{"a@firm.example", "bounce@simulator.amazonses.com", "archive@letters.example"}, record.Destination)
		assert.Equal(t, "Kündigung", record.CommonHeaders.Subject)
		assert.Equal(t, []string{"c-1"}, record.Tags["cancellation"])
		assert.Equal(t, []string{"2"}, record.Tags["try"])
		var names []string
		for _, h := range record.Headers {
			names = append(names, h.Name)
		}
		assert.Equal(t, []string{"From", "Subject", "To"}, names, "neither the hidden recipient nor what is for SES")
	})

	t.Run("the request's own come first", func(t *testing.T) {
		in := raw(message)
		in.Destination = &types.Destination{ToAddresses: []string{"c@firm.example"}}
		in.EmailTags = []types.MessageTag{{Name: aws.String("cancellation"), Value: aws.String("c-2")}}
		record := mail(t, in)
		assert.Equal(t, []string{"c@firm.example"}, record.Destination)
		assert.Equal(t, []string{"c-2"}, record.Tags["cancellation"])
		assert.NotContains(t, record.Tags, "try")
	})
}

func TestRefusals(t *testing.T) {
	with := func(change func(in *sesv2.SendEmailInput)) *sesv2.SendEmailInput {
		in := simple("a@firm.example")
		change(in)
		return in
	}
	raw := func(message string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) {
			in.Destination = nil
			in.Content = &types.EmailContent{Raw: &types.RawMessage{Data: []byte(message)}}
		})
	}
	tag := func(name, value string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) { in.EmailTags = []types.MessageTag{{Name: &name, Value: &value}} })
	}
	from := func(address string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) { in.FromEmailAddress = &address })
	}
	for name, tc := range map[string]struct {
		in   *sesv2.SendEmailInput
		code string
	}{
		"a sender who is no identity":             {from("post@other.example"), "MessageRejected"},
		"one whose domain merely ends like one":   {from("post@myletters.example"), "MessageRejected"},
		"another mailbox of a verified address":   {from("two@single.example"), "MessageRejected"},
		"no sender":                               {from(""), "BadRequestException"},
		"a configuration set that is none":        {with(func(in *sesv2.SendEmailInput) { in.ConfigurationSetName = aws.String("other") }), "NotFoundException"},
		"a tag with a space":                      {tag("kind", "a letter"), "BadRequestException"},
		"a tag with a colon in its name":          {tag("ses:operation", "x"), "BadRequestException"},
		"a tag too long":                          {tag("kind", strings.Repeat("x", 257)), "BadRequestException"},
		"no recipient":                            {with(func(in *sesv2.SendEmailInput) { in.Destination = nil }), "BadRequestException"},
		"a recipient that is no address":          {simple("firm.example"), "BadRequestException"},
		"a raw message that is none":              {raw("no headers"), "BadRequestException"},
		"a raw message to no address":             {raw("From: post@letters.example\r\nTo: nobody\r\n\r\n"), "BadRequestException"},
		"a mail by template, which is not here":   {with(func(in *sesv2.SendEmailInput) { in.Content = &types.EmailContent{Template: &types.Template{}} }), "BadRequestException"},
		"what the emulator refuses, as it stands": {with(func(in *sesv2.SendEmailInput) { in.Content.Simple.Subject.Data = aws.String("") }), "Bad Request Exception"},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, ses.Options{
				ConfigurationSets: []template.ConfigurationSet{letters},
				Identities:        []template.EmailIdentity{{Name: "letters.example"}, {Name: "one@single.example"}},
			})
			_, err := f.client.SendEmail(t.Context(), tc.in)
			var refused smithy.APIError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, refused.ErrorCode()+refused.ErrorMessage(), tc.code)
			assert.Empty(t, f.published(t))
		})
	}

	for _, address := range []string{"one@single.example", "post@letters.example", "Post <post@sub.Letters.example>"} {
		t.Run("but not "+address, func(t *testing.T) {
			f := setUp(t, ses.Options{
				ConfigurationSets: []template.ConfigurationSet{letters},
				Identities:        []template.EmailIdentity{{Name: "letters.example"}, {Name: "one@single.example"}},
			})
			f.send(t, from(address))
		})
	}

	t.Run("a request that is no JSON, and one for many mails", func(t *testing.T) {
		f := setUp(t, ses.Options{})
		for _, path := range []string{"outbound-emails", "outbound-bulk-emails"} {
			response, err := http.Post(f.url+"/v2/email/"+path, "application/json", strings.NewReader("{"))
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			assert.Equal(t, 400, response.StatusCode)
			assert.Equal(t, "BadRequestException", response.Header.Get("X-Amzn-Errortype"))
		}
	})
}

func TestFaults(t *testing.T) {
	fault := func(which ses.Fault) ses.Options {
		return ses.Options{
			ConfigurationSets: []template.ConfigurationSet{letters},
			Fault: func(m ses.Mail) ses.Fault {
				if m.Subject == "Kündigung" && m.Tags[0].Value == "c-1" {
					return which
				}
				return ses.None
			},
		}
	}

	t.Run("a throttled mail is not taken", func(t *testing.T) {
		f := setUp(t, fault(ses.Throttled))
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		var throttled *types.TooManyRequestsException
		require.ErrorAs(t, err, &throttled)
		assert.Empty(t, f.published(t))
	})

	t.Run("an answer that is cut off leaves the mail on its way", func(t *testing.T) {
		f := setUp(t, fault(ses.Cut))
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		assert.Len(t, f.published(t), 2)
	})

	t.Run("an emulator that does not answer is told", func(t *testing.T) {
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		f := setUp(t, ses.Options{Upstream: gone.URL, ConfigurationSets: []template.ConfigurationSet{letters}})
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		assert.Empty(t, f.published(t))
		require.Len(t, f.told, 1)
		assert.Contains(t, f.told[0], "SES does not answer at "+gone.URL+", so that no mail goes out and no SES events come back")
	})

	t.Run("an answer without sense is told and passed on", func(t *testing.T) {
		odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "taken") }))
		defer odd.Close()
		f := setUp(t, ses.Options{Upstream: odd.URL, ConfigurationSets: []template.ConfigurationSet{letters}})
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		assert.Empty(t, f.published(t))
		require.Len(t, f.told, 1)
		assert.Contains(t, f.told[0], "SES answered oddly")
	})

	t.Run("an upstream that is no address is an error", func(t *testing.T) {
		_, err := ses.New(ses.Options{Upstream: "http://[::1"})
		assert.ErrorContains(t, err, "address of SES")
	})
}

func TestTheInboxIsPassedThrough(t *testing.T) {
	f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}})
	id := f.send(t, simple("a@firm.example"))
	for path, want := range map[string]string{"/": "<html", "/store": id} {
		response, err := http.Get(f.url + path)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Contains(t, string(body), want)
	}
}
