package ses_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

	"aviso/localstack/stack/host"
	"aviso/localstack/stack/ses"
	"aviso/localstack/template"
	"aviso/localstack/tests/testenv"
)

const simulator = "@simulator.amazonses.com"

// letters is a configuration set with all types of events.
func letters() []template.ConfigurationSet {
	return []template.ConfigurationSet{{Name: "letters", Events: []string{"SEND", "DELIVERY", "BOUNCE", "COMPLAINT"}}}
}

// fixture is a server with the events that it publishes.
type fixture struct {
	url    string
	client *sesv2.Client
	mu     sync.Mutex
	events []host.Event
	told   []string
}

func setUp(t *testing.T, o ses.Options) *fixture {
	t.Helper()
	f := &fixture{}
	o.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 7e6, time.UTC) }
	o.Tell = func(line string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.told = append(f.told, line)
	}
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "mail") //nolint:usetesting // see below
		require.NoError(t, err)
		t.Cleanup(func() { _ = os.RemoveAll(dir) }) // a mail on its way may still write to it
		o.Dir = dir
	}
	s := ses.New(o)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	f.url = server.URL
	f.client = sesv2.NewFromConfig(testenv.Config(server.URL), func(o *sesv2.Options) { o.RetryMaxAttempts = 1 })
	s.Start(func(e host.Event) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.events = append(f.events, e)
		return nil
	})
	return f
}

func letter(to ...string) *sesv2.SendEmailInput {
	const message = "From: Aviso <post@letters.example>\r\nReply-To: anna@example.org\r\nSubject: =?utf-8?q?K=C3=BCndigung?=\r\n" +
		"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nGuten <Tag>\r\n" +
		"--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--x--\r\n"
	return &sesv2.SendEmailInput{
		ConfigurationSetName: aws.String("letters"),
		EmailTags:            []types.MessageTag{{Name: aws.String("cancellation"), Value: aws.String("c-1")}},
		Destination:          &types.Destination{ToAddresses: to},
		Content:              &types.EmailContent{Raw: &types.RawMessage{Data: []byte(message)}},
	}
}

func (f *fixture) send(t *testing.T, in *sesv2.SendEmailInput) (messageID string) {
	t.Helper()
	out, err := f.client.SendEmail(t.Context(), in)
	require.NoError(t, err)
	return *out.MessageId
}

// published waits until as many events have come as wanted, and no more.
func (f *fixture) published(t *testing.T, want ...string) {
	t.Helper()
	var list []string
	await := func() bool {
		list = nil
		f.mu.Lock()
		defer f.mu.Unlock()
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
			bounce := detail.Bounce
			text := fmt.Sprintf("%s: %s %s/%s", e.DetailType, strings.Join(recipients, " "), bounce.BounceType, bounce.BounceSubType)
			list = append(list, strings.TrimSuffix(text, " /"))
		}
		return len(list) >= len(want)
	}
	assert.Eventually(t, await, 5*time.Second, time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	await()
	assert.Equal(t, want, list)
}

func detailOf(t *testing.T, e host.Event) string {
	t.Helper()
	raw, err := json.Marshal(e.Detail)
	require.NoError(t, err)
	return string(raw)
}

func (f *fixture) get(t *testing.T, path string) string {
	t.Helper()
	response, err := http.Get(f.url + path)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}

func TestEvents(t *testing.T) {
	for name, tc := range map[string]struct{ to, want []string }{
		"an address like any other": {[]string{"a@firm.example"}, []string{"Email Sent: a@firm.example", "Email Delivered: a@firm.example"}},
		"success":                   {[]string{"success" + simulator}, []string{"Email Sent: success" + simulator, "Email Delivered: success" + simulator}},
		"bounce": {[]string{"bounce" + simulator}, []string{
			"Email Sent: bounce" + simulator, "Email Bounced: bounce" + simulator + " Permanent/General",
		}},
		"complaint": {[]string{"complaint" + simulator}, []string{
			"Email Sent: complaint" + simulator, "Email Delivered: complaint" + simulator, "Email Complaint Received: complaint" + simulator,
		}},
		"ooto": {[]string{"ooto" + simulator}, []string{
			"Email Sent: ooto" + simulator, "Email Delivered: ooto" + simulator, "Email Bounced: ooto" + simulator + " Transient/General",
		}},
		"suppressionlist": {[]string{"suppressionlist" + simulator}, []string{
			"Email Sent: suppressionlist" + simulator, "Email Bounced: suppressionlist" + simulator + " Permanent/Suppressed",
		}},
		"a label, a name and capitals": {[]string{"Firm <Bounce+one@Simulator.AmazonSES.com>"}, []string{
			"Email Sent: Bounce+one@Simulator.AmazonSES.com", "Email Bounced: Bounce+one@Simulator.AmazonSES.com Permanent/General",
		}},
		"several, one of them twice": {[]string{"a@firm.example", "bounce" + simulator, "A <a@firm.example>", "success" + simulator}, []string{
			"Email Sent: a@firm.example bounce" + simulator + " success" + simulator,
			"Email Delivered: a@firm.example success" + simulator, "Email Bounced: bounce" + simulator + " Permanent/General",
		}},
	} {
		t.Run("mail to "+name, func(t *testing.T) {
			f := setUp(t, ses.Options{ConfigurationSets: letters()})
			f.send(t, letter(tc.to...))
			f.published(t, tc.want...)
			assert.Empty(t, f.told)
		})
	}

	t.Run("only the types that the configuration set lists", func(t *testing.T) {
		f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{{Name: "letters", Events: []string{"BOUNCE", "OPEN"}}}})
		f.send(t, letter("bounce"+simulator, "a@firm.example"))
		f.published(t, "Email Bounced: bounce"+simulator+" Permanent/General")
	})
	t.Run("none without a configuration set", func(t *testing.T) {
		f := setUp(t, ses.Options{ConfigurationSets: letters()})
		in := letter("bounce" + simulator)
		in.ConfigurationSetName = nil
		f.send(t, in)
		f.published(t)
	})
	t.Run("the identity's configuration set, if the mail names none", func(t *testing.T) {
		f := setUp(t, ses.Options{
			ConfigurationSets: letters(), Identities: []template.EmailIdentity{{Name: "letters.example", ConfigurationSet: "letters"}},
		})
		in := letter("a@firm.example")
		in.ConfigurationSetName = nil
		f.send(t, in)
		f.published(t, "Email Sent: a@firm.example", "Email Delivered: a@firm.example")
	})
}

func TestEventDetail(t *testing.T) {
	f := setUp(t, ses.Options{ConfigurationSets: letters(), Identities: []template.EmailIdentity{{Name: "letters.example"}}})
	in := letter("Firm <bounce@simulator.amazonses.com>")
	in.Destination.CcAddresses = []string{"complaint" + simulator}
	in.Destination.BccAddresses = []string{"archive@letters.example"}
	id := f.send(t, in)
	f.published(t, "Email Sent: bounce"+simulator+" complaint"+simulator+" archive@letters.example",
		"Email Delivered: complaint"+simulator+" archive@letters.example",
		"Email Bounced: bounce"+simulator+" Permanent/General", "Email Complaint Received: complaint"+simulator)
	const at = `"timestamp": "2026-03-01T12:00:00.007Z"`
	record := `"mail": {` + at + `, "source": "\"Aviso\" <post@letters.example>",
		"sendingAccountId": "000000000000", "messageId": "` + id + `",
		"destination": ["bounce@simulator.amazonses.com", "complaint@simulator.amazonses.com", "archive@letters.example"],
		"tags": {"cancellation": ["c-1"], "ses:configuration-set": ["letters"]}}`
	for i, want := range []string{
		`{"eventType": "Send", "send": {}, ` + record + `}`,
		`{"eventType": "Delivery", "delivery": {` + at + `,
			"recipients": ["complaint@simulator.amazonses.com", "archive@letters.example"]}, ` + record + `}`,
		`{"eventType": "Bounce", "bounce": {` + at + `, "bounceType": "Permanent", "bounceSubType": "General",
			"bouncedRecipients": [{"emailAddress": "bounce@simulator.amazonses.com", "action": "failed",
			"status": "5.1.1", "diagnosticCode": "smtp; 550 5.1.1 user unknown"}]}, ` + record + `}`,
		`{"eventType": "Complaint", "complaint": {` + at + `, "complaintFeedbackType": "abuse",
			"complainedRecipients": [{"emailAddress": "complaint@simulator.amazonses.com"}]}, ` + record + `}`,
	} {
		assert.Equal(t, "aws.ses", f.events[i].Source)
		assert.Equal(t, []string{"arn:aws:ses:eu-central-1:000000000000:configuration-set/letters"}, f.events[i].Resources)
		assert.JSONEq(t, want, detailOf(t, f.events[i]))
	}
}

func TestRejectedMail(t *testing.T) {
	with := func(change func(in *sesv2.SendEmailInput)) *sesv2.SendEmailInput {
		in := letter("a@firm.example")
		change(in)
		return in
	}
	raw := func(message string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) { in.Content.Raw.Data = []byte(message) })
	}
	tag := func(name, value string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) { in.EmailTags = []types.MessageTag{{Name: &name, Value: &value}} })
	}
	from := func(address string) *sesv2.SendEmailInput { return raw("From: " + address + "\r\n\r\nHello\r\n") }
	options := ses.Options{
		ConfigurationSets: letters(), Identities: []template.EmailIdentity{{Name: "letters.example"}, {Name: "one@single.example"}},
	}
	for name, tc := range map[string]struct {
		in   *sesv2.SendEmailInput
		code string
	}{
		"a sender without an identity":          {from("post@other.example"), "MessageRejected"},
		"a domain that ends like an identity":   {from("post@myletters.example"), "MessageRejected"},
		"another mailbox of a verified address": {from("two@single.example"), "MessageRejected"},
		"no sender":                             {raw("Subject: A letter\r\n\r\nHello\r\n"), "BadRequestException"},
		"an unknown configuration set": {
			with(func(in *sesv2.SendEmailInput) { in.ConfigurationSetName = aws.String("other") }), "NotFoundException",
		},
		"a tag with a space":                 {tag("kind", "a letter"), "BadRequestException"},
		"a tag with a colon in its name":     {tag("ses:operation", "x"), "BadRequestException"},
		"a tag that is too long":             {tag("kind", strings.Repeat("x", 257)), "BadRequestException"},
		"no recipient":                       {with(func(in *sesv2.SendEmailInput) { in.Destination = nil }), "BadRequestException"},
		"a recipient that is not an address": {letter("firm.example"), "BadRequestException"},
		"an invalid raw message":             {raw("no headers"), "BadRequestException"},
		"a message over the limit":           {raw("From: a@letters.example\r\n\r\n" + strings.Repeat("x", 40<<20)), "BadRequestException"},
		"a templated mail, which is not supported": {
			with(func(in *sesv2.SendEmailInput) { in.Content = &types.EmailContent{Template: &types.Template{}} }), "BadRequestException",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, options)
			_, err := f.client.SendEmail(t.Context(), tc.in)
			var refused smithy.APIError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, tc.code, refused.ErrorCode())
			f.published(t)
			assert.JSONEq(t, `{"emails":[]}`, f.get(t, "/store"))
		})
	}
	for _, address := range []string{"one@single.example", "post@letters.example", "Post <post@sub.Letters.example>"} {
		t.Run("but not "+address, func(t *testing.T) { setUp(t, options).send(t, from(address)) })
	}
	t.Run("a request that is not JSON, and one for bulk mail", func(t *testing.T) {
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

func TestInbox(t *testing.T) {
	f := setUp(t, ses.Options{ConfigurationSets: letters()})
	id := f.send(t, letter("a@firm.example"))
	assert.JSONEq(t, `{"emails": [{"messageId": "`+id+`", "from": "\"Aviso\" <post@letters.example>", "replyTo": ["anna@example.org"],
		"destination": {"to": ["a@firm.example"]}, "subject": "Kündigung", "body": {"text": "Guten <Tag>"},
		"tags": [{"Name": "cancellation", "Value": "c-1"}],
		"attachments": [{"filename": "a.pdf", "contentType": "application/pdf", "content": "JVBERg=="}]}]}`, f.get(t, "/store"))
	page := f.get(t, "/")
	assert.Contains(t, page, "<h2>Kündigung</h2>")
	assert.Contains(t, page, "Guten &lt;Tag&gt;")
	assert.Contains(t, page, `<a download="a.pdf" href="data:application/pdf;base64,JVBERg==">a.pdf</a>`)
}

// Each server here stands for one run of the stack: nothing stops the one before in an
// orderly way.
func TestMailOutlivesAKill(t *testing.T) {
	dir := t.TempDir()
	run := func(t *testing.T, travel time.Duration) *fixture {
		t.Helper()
		return setUp(t, ses.Options{Dir: dir, ConfigurationSets: letters(), Travel: travel})
	}
	inbox := func(t *testing.T, f *fixture, want int) {
		t.Helper()
		stored := func() bool { return strings.Count(f.get(t, "/store"), `"messageId"`) == want }
		assert.Eventually(t, stored, 5*time.Second, time.Millisecond)
	}
	file := func(t *testing.T) (string, []byte) {
		t.Helper()
		list, err := filepath.Glob(filepath.Join(dir, "*"))
		require.NoError(t, err)
		raw, err := os.ReadFile(list[0])
		require.NoError(t, err)
		return list[0], raw
	}
	both := []string{"Email Sent: a@firm.example", "Email Delivered: a@firm.example"}

	first := run(t, time.Hour)
	id := first.send(t, letter("a@firm.example"))
	first.published(t) // killed before the first event

	t.Run("its events come, with its message ID", func(t *testing.T) {
		f := run(t, 0)
		f.published(t, both...)
		assert.Contains(t, detailOf(t, f.events[0]), `"messageId":"`+id+`"`)
		inbox(t, f, 1)
	})
	t.Run("they come again if the functions may not have handled them", func(t *testing.T) {
		f := run(t, 0)
		f.published(t, both...)
		for _, e := range f.events {
			e.Handled()
		}
		require.Eventually(t, func() bool {
			_, raw := file(t)
			return bytes.Contains(raw, []byte(`"done":true`))
		}, 5*time.Second, 5*time.Millisecond)
	})
	t.Run("they do not come again after that, but the inbox still has the mail", func(t *testing.T) {
		f := run(t, 0)
		inbox(t, f, 1)
		f.published(t)
	})
}
