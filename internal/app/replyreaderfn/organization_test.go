package replyreaderfn

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/reply/inbox"
	"aviso/internal/sandbox/mailroom"
)

// What the sandbox writes for organizations is read as it is meant, in every language.
func TestMailsOfTheSandbox(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	const soon, late = "2026-12-31", "2027-05-31"
	for answer, want := range map[string][4]string{
		"Confirmed": {"Confirmed", "", soon}, "Later": {"Confirmed", "", late}, "PDFOnly": {"Confirmed", "", soon},
		"HTMLOnly": {"Confirmed", "", soon}, "Received": {"Received"}, "NeedsInformation": {"NeedsInformation"},
		"Offer": {"Offer"}, "AutoReply": {"AutoReply"}, "UserNotFound": {"Rejected", "UserNotFound"},
		"InconsistentData": {"Rejected", "InconsistentData"}, "AlreadyCancelled": {"Rejected", "AlreadyCancelled"},
		"BindingPeriod": {"Rejected", "BindingPeriod", "", late},
	} {
		mails := mailroom.Mails(answer, now)
		assert.Len(t, mails, 13)
		for language, raw := range mails {
			m, err := inbox.Parse([]byte("To: <c@replies.example>\r\n" + raw))
			require.NoError(t, err)
			r := inbox.Read(m)
			got := [4]string{string(r.Kind), string(r.Reason), string(r.EndDate), string(r.LaterDate)}
			assert.Equal(t, want, got, "%s in %s: %s", answer, language, m.Text)
			if r.Kind == reply.KindConfirmed || r.Kind == reply.KindRejected {
				assert.GreaterOrEqual(t, r.Confidence, reply.Sure, "%s in %s", answer, language)
			}
			if r.Kind == reply.KindNeedsInformation {
				assert.Equal(t, []string{"CUSTOMER_NUMBER"}, r.NeededFields, language)
			}
		}
	}
}
