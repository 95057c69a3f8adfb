package carrier

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

// mailer is the carrier that really sends.
type mailer struct {
	err  error
	sent int
}

func (m *mailer) Send(context.Context, dispatch.Shipment) (dispatch.Receipt, error) {
	m.sent++
	return dispatch.Receipt{Reference: "message"}, m.err
}

// newMailCopy returns a carrier whose mailbox answers with the statuses in turn, and then
// with 204, and the calls that the mailbox received.
func newMailCopy(t *testing.T, email dispatch.Carrier, statuses ...int) (carrier *MailCopy, calls *[]string) {
	t.Helper()
	calls = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*calls = append(*calls, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
		status := http.StatusNoContent
		if len(statuses) > 0 {
			status, statuses = statuses[0], statuses[1:]
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	carrier = NewMailCopy(email, SandboxOptions{
		Common: Common{Now: newClock().now}, BaseURL: server.URL + "/sandbox", Token: "secret-of-mail",
	})
	return carrier, calls
}

func TestMailIsCopiedOnceSESHasIt(t *testing.T) {
	t.Parallel()
	s := newShipment(cancellation.Channel{Kind: cancellation.ChannelEmail, Email: "kuendigung@strom.example"})
	var noted []string
	s.Note = func(_ context.Context, reference string) error {
		noted = append(noted, reference)
		return nil
	}

	t.Run("with what a developer wants to see", func(t *testing.T) {
		carrier, calls := newMailCopy(t, &mailer{})
		receipt, err := carrier.Send(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, "message", receipt.Reference)
		require.Len(t, *calls, 1)
		for _, part := range []string{"PUT /sandbox/mail/" + testShipment + " Bearer secret-of-mail", testCancellation,
			`"partnerId":"bank-one"`, `"to":"kuendigung@strom.example"`, `"subject":"Kündigung`, `"text":"Guten Tag`, `"pdf":"JVBER`} {
			assert.Contains(t, (*calls)[0], part)
		}
		assert.Equal(t, []string{testShipment}, noted, "the erasure finds it")
	})
	t.Run("again while the sandbox starts", func(t *testing.T) {
		carrier, calls := newMailCopy(t, &mailer{}, http.StatusBadGateway)
		_, err := carrier.Send(t.Context(), s)
		require.NoError(t, err)
		assert.Len(t, *calls, 2)
	})
	t.Run("not a mail that SES has refused", func(t *testing.T) {
		carrier, calls := newMailCopy(t, &mailer{err: refused("MessageRejected")})
		_, err := carrier.Send(t.Context(), s)
		requireFailure(t, err, dispatch.CarrierRefused)
		assert.Empty(t, *calls)
	})
	t.Run("and has been sent even if that fails", func(t *testing.T) {
		carrier, _ := newMailCopy(t, &mailer{}, 500, 500, 500)
		receipt, err := carrier.Send(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, "message", receipt.Reference)
	})
	t.Run("but is not sent if the copy could not be erased later", func(t *testing.T) {
		email := &mailer{}
		carrier, _ := newMailCopy(t, email)
		unnoted := s
		unnoted.Note = func(context.Context, string) error { return errNotNoted }
		_, err := carrier.Send(t.Context(), unnoted)
		requireFailure(t, err, dispatch.CarrierBusy)
		assert.Zero(t, email.sent)
	})
}

func TestMailCopyIsDeleted(t *testing.T) {
	t.Parallel()
	carrier, calls := newMailCopy(t, &mailer{}, 204, 500)
	require.NoError(t, carrier.Delete(t.Context(), testShipment))
	assert.Equal(t, []string{"DELETE /sandbox/mail/" + testShipment + " Bearer secret-of-mail "}, *calls)
	requireFailure(t, carrier.Delete(t.Context(), testShipment), dispatch.CarrierUnclear)
	requireFailure(t, carrier.Delete(t.Context(), "../letters"), dispatch.CarrierRefused)
}
