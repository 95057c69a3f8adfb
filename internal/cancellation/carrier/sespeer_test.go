package carrier

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/carrier/sesmail"
	"aviso/internal/cancellation/dispatch"
)

// ses simulates the API of SES v2 for the SDK.
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

// client returns a client that makes three tries by default.
func (s *ses) client() EmailSender {
	return sesmail.New(sesv2.New(sesv2.Options{
		Region: "eu-central-1", BaseEndpoint: &s.url, Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient: &http.Client{Transport: s.transport()},
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = 3
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		}),
	}))
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

func emailShipment() dispatch.Shipment {
	return newShipment(cancellation.Channel{Kind: cancellation.ChannelEmail, Email: "service@strom.example"})
}
