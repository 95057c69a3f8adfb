package ses_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/stretchr/testify/require"

	"aviso/localstack/emulator"
	"aviso/localstack/host"
	"aviso/localstack/ses"
	"aviso/localstack/template"
	"aviso/localstack/testenv"
)

// theEmulator is shared by all tests of this binary and ends with it.
var theEmulator = sync.OnceValues(func() (*emulator.Process, error) {
	return emulator.StartSES(context.Background(), emulator.Options{})
})

// letters is a configuration set with all types of events.
var letters = template.ConfigurationSet{ID: "Letters", Name: "letters", Events: []string{"SEND", "DELIVERY", "BOUNCE", "COMPLAINT"}}

// fixture is a server in front of the emulator, with the events that it publishes.
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
	if o.Upstream == nil {
		p, err := theEmulator()
		require.NoError(t, err)
		o.Upstream = upstream(p.URL)
	}
	o.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 7e6, time.UTC) }
	o.Tell = func(line string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.told = append(f.told, line)
	}
	f.Server = ses.New(o)
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

// upstream returns the address of an emulator that runs.
func upstream(url string) func() (string, error) {
	return func() (string, error) { return url, nil }
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

// published returns all events as "<detail type>: <recipients>", once no more arrive.
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
