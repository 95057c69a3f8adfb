package letterdispatchfn_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/emersion/go-message/mail"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/letterdispatchfn"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/localstack/tests/notificationtest"
)

// outbox is a Sender that keeps the last mail.
type outbox struct {
	to, configurationSet string
	message              []byte
	id                   string
	err                  error
}

func (o *outbox) SendEmail(
	ctx context.Context, configurationSet, to string, message []byte, _ map[string]string,
) (string, error) {
	if _, ok := ctx.Deadline(); !ok {
		return "", errors.New("a call without an end")
	}
	o.configurationSet, o.to, o.message = configurationSet, to, message
	return o.id, o.err
}

func mailer(o *outbox) letterdispatchfn.AlertMailer {
	return letterdispatchfn.AlertMailer{
		Sender: o, From: "letters@aviso.example", ConfigurationSet: "aviso", Environment: "acceptance",
		Console: "https://api.example/console", Now: notificationtest.Noon,
	}
}

func failing() notification.Subscription {
	s := notificationtest.SampleSubscription()
	s.ServerURL = "https://partner.example/hook?token=a%20password&b=<i>"
	s.FailingSince = clock.Real(notificationtest.Noon())
	s.FailingReason, s.FailingDetail = notification.OutcomeHTTPError, "the status is 502, not 200"
	return s
}

// parts returns the header and the texts of a message by their type.
func parts(t *testing.T, message []byte) (mail.Header, map[string]string) {
	t.Helper()
	r, err := mail.CreateReader(bytes.NewReader(message))
	require.NoError(t, err)
	texts := map[string]string{}
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return r.Header, texts
		}
		require.NoError(t, err)
		text, err := io.ReadAll(part.Body)
		require.NoError(t, err)
		kind, _, _ := strings.Cut(part.Header.Get("Content-Type"), ";")
		texts[kind] = string(text)
	}
}

func TestTheMailSaysWhatFailsAndWhatToDo(t *testing.T) {
	o, s := &outbox{id: "1"}, failing()
	m := mailer(o)
	m.ReplyTo = "answers@operator.example"
	require.NoError(t, m.Send(t.Context(), "on-call@partner.example", s))
	assert.Equal(t, "on-call@partner.example", o.to)
	assert.Equal(t, "aviso", o.configurationSet)
	header, texts := parts(t, o.message)
	subject, err := header.Subject()
	require.NoError(t, err)
	assert.Equal(t, "Your webhook endpoint fails (acceptance)", subject)
	kind, _, err := header.ContentType()
	require.NoError(t, err)
	assert.Equal(t, "text/plain", kind)
	to, err := header.AddressList("To")
	require.NoError(t, err)
	assert.Equal(t, []*mail.Address{{Address: "on-call@partner.example"}}, to)
	replyTo, err := header.AddressList("Reply-To")
	require.NoError(t, err)
	assert.Equal(t, []*mail.Address{{Address: "answers@operator.example"}}, replyTo)
	require.Len(t, texts, 1)
	for kind, text := range texts {
		for _, said := range []string{
			"https://partner.example/hook", s.ID, "acceptance", "2 March 2026, 12:00 UTC",
			"HttpError: the status is 502, not 200", "https://api.example/console", "/attempts", "/transactions/changes",
		} {
			assert.Contains(t, text, said, kind)
		}
		assert.NotContains(t, text, "password", kind)
	}
	for line := range strings.SplitSeq(string(o.message), "\r\n") {
		assert.LessOrEqual(t, len(line), 998, "RFC 5322")
		assert.NotContains(t, line, "\n")
	}
}

func TestATestEnvironmentWritesToNobodyElse(t *testing.T) {
	o := &outbox{id: "1"}
	m := mailer(o)
	m.Redirect, m.Console = "success@simulator.amazonses.com", ""
	require.NoError(t, m.Send(t.Context(), "on-call@partner.example", failing()))
	assert.Equal(t, "success@simulator.amazonses.com", o.to)
	assert.NotContains(t, string(o.message), "on-call@partner.example")
	assert.NotContains(t, string(o.message), "Console")
}

func TestAMailThatIsNotTakenIsAnError(t *testing.T) {
	away := errors.New("SES is away")
	require.ErrorIs(t, mailer(&outbox{err: away}).Send(t.Context(), "on-call@partner.example", failing()), away)
	require.Error(t, mailer(&outbox{}).Send(t.Context(), "on-call@partner.example", failing()), "no ID")
}
