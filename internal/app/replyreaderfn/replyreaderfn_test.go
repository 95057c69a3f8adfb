package replyreaderfn

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/bucket"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/reply/inbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// world is a store with one cancellation, whose address has this token.
const token = "0123456789abcdef0123456789abcdef"

type world struct {
	status  cancellation.Status
	replies []reply.Reply
	answers []dispatch.Answer
}

func (w *world) ByReplyToken(_ context.Context, sent string) (owner.User, string, error) {
	if sent != token {
		return owner.User{}, "", outcome.ErrNotFound
	}
	return owner.User{Partner: "p", ID: "u"}, "c", nil
}

func (w *world) Cancellation(context.Context, owner.User, string) (cancellation.Cancellation, error) {
	return cancellation.Cancellation{ID: "c", Status: w.status}, nil
}

func (w *world) Replies(context.Context, owner.User, string) ([]reply.Reply, error) {
	return append([]reply.Reply(nil), w.replies...), nil
}

func (w *world) SaveReply(_ context.Context, _ owner.User, _ string, r reply.Reply, _ []byte) error {
	w.replies = append(w.replies, r)
	return nil
}

func (w *world) Answer(_ context.Context, _ owner.User, _ string, a dispatch.Answer) error {
	w.answers = append(w.answers, a)
	return nil
}

// What SES tells is in events/reply-reader. The object is read with a signed request, and deleted when it is recorded.
func TestMailFromTheBucket(t *testing.T) {
	t.Parallel()
	const mail = "From: A <a@company.example>\r\nSubject: Hi\r\n\r\nWe confirm your cancellation. Your contract ends on 31 January 2027.\r\n"
	for name, tt := range map[string]struct {
		to, dmarc, spam, from  string
		status                 cancellation.Status
		kept, decides, isLater bool
	}{
		"is recorded":               {status: cancellation.StatusSent, kept: true, decides: true},
		"of a forged sender":        {status: cancellation.StatusSent, dmarc: "FAIL", kept: true},
		"that is spam":              {status: cancellation.StatusSent, spam: "FAIL"},
		"to nobody":                 {status: cancellation.StatusSent, to: "c-ffffffffffffffffffffffffffffffff@replies.example"},
		"to another domain":         {status: cancellation.StatusSent, to: "c-" + token + "@other.example"},
		"from ourselves":            {status: cancellation.StatusSent, from: "x@replies.example"},
		"before the letter is sent": {status: cancellation.StatusQueued, isLater: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deleted := false
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Contains(t, r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=id/")
				if r.URL.Path != "/mail/example" || deleted {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				deleted = r.Method == http.MethodDelete
				text := mail
				if tt.from != "" {
					text = "From: " + tt.from + "\r\n\r\nhi"
				}
				_, _ = w.Write([]byte(text))
			}))
			defer server.Close()
			file, err := os.ReadFile("../../../events/reply-reader/mail.json")
			require.NoError(t, err)
			var event struct{ Records []struct{ Body string } }
			require.NoError(t, json.Unmarshal(file, &event))
			var n notification
			require.NoError(t, json.Unmarshal([]byte(event.Records[0].Body), &n))
			n.Receipt.Recipients = []string{"c-" + token + "@replies.example"}
			if tt.to != "" {
				n.Receipt.Recipients = []string{tt.to}
			}
			if tt.dmarc != "" {
				n.Receipt.DMARCVerdict.Status = tt.dmarc
			}
			if tt.spam != "" {
				n.Receipt.SpamVerdict.Status = tt.spam
			}
			w := &world{status: tt.status}
			in := &inbox.Inbox{Store: w, Feedback: w, Now: time.Now, Domain: "replies.example"}
			mails := bucket.Bucket{URL: server.URL, Now: time.Now, Config: aws.Config{
				Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
			}}
			err = n.receive(t.Context(), mails, in)
			if tt.isLater {
				var later *outcome.Later
				require.ErrorAs(t, err, &later)
				assert.False(t, deleted)
				return
			}
			require.NoError(t, err)
			require.NoError(t, n.receive(t.Context(), mails, in), "again")
			assert.True(t, deleted)
			assert.Equal(t, tt.kept, len(w.replies) == 1)
			if tt.kept {
				assert.Equal(t, tt.decides, w.answers[0].Status == cancellation.StatusConfirmed)
			}
		})
	}
}

func TestTooMuchMail(t *testing.T) {
	t.Parallel()
	w := &world{status: cancellation.StatusSent}
	in := &inbox.Inbox{Store: w, Feedback: w, Now: time.Now, Domain: "replies.example"}
	for i := range 60 {
		raw := []byte("From: a@company.example\r\n\r\nmail " + string(rune('A'+i)))
		require.NoError(t, in.Receive(t.Context(), inbox.Delivery{To: []string{"c-" + token + "@replies.example"}, Raw: raw}))
	}
	assert.Len(t, w.replies, 50)
	large := inbox.Delivery{To: []string{"c-" + token + "@replies.example"}, Raw: make([]byte, inbox.MaxMail+1)}
	require.NoError(t, in.Receive(t.Context(), large))
	assert.Len(t, w.replies, 50)
}
