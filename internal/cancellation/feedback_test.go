package cancellation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

// by returns the carrier's report about c's current letter.
func by(c cancellation.Cancellation, state cancellation.ReportState) cancellation.Report {
	return cancellation.Report{
		CancellationID: c.ID, ShipmentID: c.Delivery.ShipmentID, Channel: c.Channel().Kind, Reference: c.Delivery.Reference, State: state,
	}
}

func TestReport(t *testing.T) {
	t.Run("changes the status, and nothing when repeated", func(t *testing.T) {
		w := newWorld(t)
		c := w.sent("streaming")
		for range 2 {
			require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportAccepted)))
			require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportDelivered)))
		}
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered"}, statuses(w.read(c.ID)))
	})

	t.Run("finds the letter by the carrier's reference", func(t *testing.T) {
		w := newWorld(t)
		c := w.sent("post") // registered mail, which the carrier does not distinguish from mail
		require.NoError(t, w.feedback.Report(t.Context(), cancellation.Report{
			Channel:        cancellation.ChannelMail,
			Reference:      c.Delivery.Reference,
			State:          cancellation.ReportDelivered,
			TrackingNumber: "RR123",
		}))
		c = w.read(c.ID)
		assert.Equal(t, cancellation.StatusDelivered, c.Status)
		assert.Equal(t, "RR123", c.TrackingNumber)
	})

	t.Run("counts even before the worker has saved its result", func(t *testing.T) {
		w := newWorld(t)
		w.email.Answers = []error{unclear()}
		c := w.create("streaming")
		require.Error(t, w.send(c))
		c = w.read(c.ID)
		require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportDelivered)))
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered"}, statuses(w.read(c.ID)))
		require.NoError(t, w.send(c))
		assert.Len(t, w.email.Sent, 1)
	})

	t.Run("of a failure switches to the next channel, even after delivery", func(t *testing.T) {
		w := newWorld(t)
		c := w.sent("streaming")
		require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportDelivered)))
		w.left()
		require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportFailed)))
		c = w.read(c.ID)
		assert.Equal(t, cancellation.ChannelFax, c.Channel().Kind)
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered", "Queued"}, statuses(c))
		jobs, events := w.left()
		assert.Len(t, jobs, 1)
		require.Len(t, events, 1)
		assert.Contains(t, string(events[0].Data), `"channel":"Fax"`)
		require.NoError(t, w.send(c))
		assert.Len(t, w.fax.Sent, 1)
	})

	t.Run("of a failure on the last channel is final", func(t *testing.T) {
		w := newWorld(t)
		c := w.sent("written")
		require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportFailed)))
		c = w.read(c.ID)
		assert.Equal(t, cancellation.StatusDeliveryFailed, c.Status)
		assert.Equal(t, cancellation.ReasonUndeliverable, c.Reason)
	})

	t.Run("of a delay is shown with the status, once", func(t *testing.T) {
		w := newWorld(t)
		c := w.sent("streaming")
		late := by(c, cancellation.ReportDelayed)
		late.Reason, late.At = "MailboxFull", w.clock.Now()
		require.NoError(t, w.feedback.Report(t.Context(), late))
		w.clock.Advance(time.Hour)
		require.NoError(t, w.feedback.Report(t.Context(), late))
		c = w.read(c.ID)
		steps := c.Steps()
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent"}, statuses(c))
		assert.Equal(t, &cancellation.Delay{At: w.clock.Now().Add(-time.Hour), Reason: "MailboxFull"}, steps[2].Delay)
		assert.Nil(t, steps[1].Delay)
		require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportDelivered)))
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered"}, statuses(w.read(c.ID)))
	})

	t.Run("of a delay counts even before the worker has saved its result", func(t *testing.T) {
		w := newWorld(t)
		w.email.Answers = []error{unclear()}
		c := w.create("streaming")
		require.Error(t, w.send(c))
		late := by(w.read(c.ID), cancellation.ReportDelayed)
		late.Reason = "General"
		require.NoError(t, w.feedback.Report(t.Context(), late))
		c = w.read(c.ID)
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent"}, statuses(c))
		assert.Equal(t, &cancellation.Delay{At: w.clock.Now(), Reason: "General"}, c.Steps()[2].Delay)
	})

	t.Run("of a failure that may be a robot's reply counts unless the letter has arrived", func(t *testing.T) {
		for _, delivered := range []bool{true, false} {
			w := newWorld(t)
			c := w.sent("streaming")
			if delivered {
				require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportDelivered)))
				c = w.read(c.ID)
			}
			doubtful := by(c, cancellation.ReportFailed)
			doubtful.UnlessDelivered = true
			require.NoError(t, w.feedback.Report(t.Context(), doubtful))
			if delivered {
				assert.Equal(t, c, w.read(c.ID))
			} else {
				assert.Equal(t, cancellation.ChannelFax, w.read(c.ID).Channel().Kind)
			}
		}
	})

	t.Run("about an abandoned channel changes nothing", func(t *testing.T) {
		w := newWorld(t)
		old := w.sent("streaming")
		require.NoError(t, w.feedback.Report(t.Context(), by(old, cancellation.ReportFailed)))
		before := w.read(old.ID)
		for _, state := range []cancellation.ReportState{cancellation.ReportAccepted, cancellation.ReportDelivered,
			cancellation.ReportFailed} {
			require.NoError(t, w.feedback.Report(t.Context(), by(old, state)))
		}
		assert.Equal(t, before, w.read(old.ID))
	})

	t.Run("about an unknown letter changes nothing", func(t *testing.T) {
		w := newWorld(t)
		c := w.sent("streaming")
		for _, r := range []cancellation.Report{
			{CancellationID: uuid.NewString(), ShipmentID: uuid.NewString(), State: cancellation.ReportDelivered},
			{CancellationID: c.ID, ShipmentID: uuid.NewString(), State: cancellation.ReportDelivered},
			{Channel: cancellation.ChannelMail, Reference: "nobody's", State: cancellation.ReportDelivered},
			{CancellationID: c.ID, State: cancellation.ReportDelivered},
		} {
			require.NoError(t, w.feedback.Report(t.Context(), r))
		}
		assert.Equal(t, c, w.read(c.ID))
	})
}

func TestReply(t *testing.T) {
	w := newWorld(t)
	for name, tt := range map[string]struct {
		answer cancellation.Status
		reason cancellation.StatusReason
		ok     bool
	}{
		"confirmed":                        {cancellation.StatusConfirmed, cancellation.ReasonNone, true},
		"rejected: binding period":         {cancellation.StatusRejected, cancellation.ReasonBindingPeriod, true},
		"rejected: user not found":         {cancellation.StatusRejected, cancellation.ReasonUserNotFound, true},
		"rejected: inconsistent data":      {cancellation.StatusRejected, cancellation.ReasonInconsistentData, true},
		"rejected: already cancelled":      {cancellation.StatusRejected, cancellation.ReasonAlreadyCancelled, true},
		"rejected without a reason":        {cancellation.StatusRejected, cancellation.ReasonNone, false},
		"rejected with a carrier's reason": {cancellation.StatusRejected, cancellation.ReasonUndeliverable, false},
		"confirmed with a reason":          {cancellation.StatusConfirmed, cancellation.ReasonBindingPeriod, false},
		"sent":                             {cancellation.StatusSent, cancellation.ReasonNone, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.sent("streaming")
			err := w.feedback.Reply(t.Context(), c.ID, tt.answer, tt.reason, evidence.ActorOperator)
			if !tt.ok {
				require.True(t, apierror.Is(err, apierror.ValidationFailed), err)
				assert.Equal(t, c, w.read(c.ID))
				return
			}
			require.NoError(t, err)
			require.NoError(t, w.feedback.Reply(t.Context(), c.ID, tt.answer, tt.reason, evidence.ActorOperator), "repeating it succeeds")
			after := w.read(c.ID)
			assert.Equal(t, tt.answer, after.Status)
			assert.Equal(t, tt.reason, after.Reason)
			assert.Len(t, after.History, len(c.History)+1)
		})
	}
	t.Run("to an unsent letter is refused", func(t *testing.T) {
		c := w.create("streaming")
		err := w.feedback.Reply(t.Context(), c.ID, cancellation.StatusConfirmed, "", evidence.ActorOperator)
		require.True(t, apierror.Is(err, apierror.Conflict), err)
		assert.Equal(t, c.Version, w.read(c.ID).Version)
	})
	t.Run("to an unknown cancellation is not found", func(t *testing.T) {
		err := w.feedback.Reply(t.Context(), uuid.NewString(), cancellation.StatusConfirmed, "", evidence.ActorOperator)
		require.True(t, apierror.Is(err, apierror.NotFound), err)
	})
}
