package ses_test

import (
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/host"
	"aviso/localstack/ses"
	"aviso/localstack/template"
	"aviso/localstack/testenv"
)

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

	t.Run("only the types that the configuration set lists", func(t *testing.T) {
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

	t.Run("the identity's configuration set, if the mail names none", func(t *testing.T) {
		f := setUp(t, ses.Options{
			ConfigurationSets: []template.ConfigurationSet{letters},
			Identities:        []template.EmailIdentity{{Name: "letters.example", ConfigurationSet: "letters"}},
		})
		in := simple("a@firm.example")
		in.ConfigurationSetName = nil
		f.send(t, in)
		assert.Len(t, f.published(t), 2)
	})

	t.Run("take their time until Hurry; later ones come before the response", func(t *testing.T) {
		f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}, Travel: time.Hour})
		f.send(t, simple("complaint"+at))
		f.mu.Lock()
		assert.Empty(t, f.events)
		f.mu.Unlock()
		assert.Len(t, f.published(t), 3)
		f.send(t, simple("complaint"+at))
		assert.Len(t, f.events, 6)
	})

	t.Run("an event that the bus rejects is reported", func(t *testing.T) {
		p, err := theEmulator()
		require.NoError(t, err)
		var lines []string
		server := ses.New(ses.Options{
			Upstream: upstream(p.URL), ConfigurationSets: []template.ConfigurationSet{{Name: "letters", Events: []string{"SEND"}}},
			Now: time.Now, Tell: func(line string) { lines = append(lines, line) },
		})
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
