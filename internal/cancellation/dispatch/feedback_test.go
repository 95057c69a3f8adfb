package dispatch_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/localstack/tests/lettertest"
)

func TestReport(t *testing.T) {
	t.Run("changes the status, and nothing when repeated", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		for range 2 {
			require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportAccepted)))
			require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportDelivered)))
		}
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered"}, lettertest.Statuses(w.Read(c.ID)))
	})

	t.Run("finds the letter by the carrier's reference", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("post") // registered mail, which the carrier does not distinguish from mail
		require.NoError(t, w.Feedback.Report(t.Context(), dispatch.Report{
			Channel: cancellation.ChannelMail, Reference: c.Delivery.Reference, State: dispatch.ReportDelivered,
			TrackingNumber: "RR123",
		}))
		c = w.Read(c.ID)
		assert.Equal(t, cancellation.StatusDelivered, c.Status)
		assert.Equal(t, "RR123", c.TrackingNumber)
	})

	t.Run("counts even before the worker has saved its result", func(t *testing.T) {
		w := newWorld(t)
		w.Email.Answers = []error{lettertest.Unclear()}
		c := w.Create("streaming")
		require.Error(t, w.Send(c))
		c = w.Read(c.ID)
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportDelivered)))
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered"}, lettertest.Statuses(w.Read(c.ID)))
		require.NoError(t, w.Send(c))
		assert.Len(t, w.Email.Sent, 1)
	})

	t.Run("of a failure switches to the next channel, even after delivery", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportDelivered)))
		w.Left()
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportFailed)))
		c = w.Read(c.ID)
		assert.Equal(t, cancellation.ChannelFax, c.Channel().Kind)
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered", "Queued"}, lettertest.Statuses(c))
		jobs, events := w.Left()
		assert.Len(t, jobs, 1)
		require.Len(t, events, 1)
		assert.Contains(t, string(events[0].Data), `"channel":"Fax"`)
		require.NoError(t, w.Send(c))
		assert.Len(t, w.Fax.Sent, 1)
	})

	t.Run("of a failure on the last channel is final", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("written")
		bounce := lettertest.By(c, dispatch.ReportFailed)
		bounce.Said = "550 5.1.1 User unknown"
		require.NoError(t, w.Feedback.Report(t.Context(), bounce))
		c = w.Read(c.ID)
		assert.Equal(t, "550 5.1.1 User unknown", c.History[len(c.History)-1].Said)
		assert.Equal(t, cancellation.StatusDeliveryFailed, c.Status)
		assert.Equal(t, cancellation.ReasonUndeliverable, c.Reason)
	})

	t.Run("of a delay is shown with the status, once", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		late := lettertest.By(c, dispatch.ReportDelayed)
		late.Reason, late.At = "MailboxFull", w.Clock.Now()
		require.NoError(t, w.Feedback.Report(t.Context(), late))
		w.Clock.Advance(time.Hour)
		require.NoError(t, w.Feedback.Report(t.Context(), late))
		c = w.Read(c.ID)
		steps := c.Steps()
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent"}, lettertest.Statuses(c))
		assert.Equal(t, &cancellation.Delay{At: w.Clock.Now().Add(-time.Hour), Reason: "MailboxFull"}, steps[2].Delay)
		assert.Nil(t, steps[1].Delay)
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportDelivered)))
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered"}, lettertest.Statuses(w.Read(c.ID)))
	})

	t.Run("of a delay counts even before the worker has saved its result", func(t *testing.T) {
		w := newWorld(t)
		w.Email.Answers = []error{lettertest.Unclear()}
		c := w.Create("streaming")
		require.Error(t, w.Send(c))
		late := lettertest.By(w.Read(c.ID), dispatch.ReportDelayed)
		late.Reason = "General"
		require.NoError(t, w.Feedback.Report(t.Context(), late))
		c = w.Read(c.ID)
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent"}, lettertest.Statuses(c))
		assert.Equal(t, &cancellation.Delay{At: w.Clock.Now(), Reason: "General"}, c.Steps()[2].Delay)
	})

	t.Run("of a failure that may be a robot's reply counts unless the letter has arrived", func(t *testing.T) {
		for _, delivered := range []bool{true, false} {
			w := newWorld(t)
			c := w.Sent("streaming")
			if delivered {
				require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportDelivered)))
				c = w.Read(c.ID)
			}
			doubtful := lettertest.By(c, dispatch.ReportFailed)
			doubtful.UnlessDelivered = true
			require.NoError(t, w.Feedback.Report(t.Context(), doubtful))
			if delivered {
				assert.Equal(t, c, w.Read(c.ID))
			} else {
				assert.Equal(t, cancellation.ChannelFax, w.Read(c.ID).Channel().Kind)
			}
		}
	})

	t.Run("about an abandoned channel changes nothing", func(t *testing.T) {
		w := newWorld(t)
		old := w.Sent("streaming")
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(old, dispatch.ReportFailed)))
		before := w.Read(old.ID)
		for _, state := range []dispatch.ReportState{dispatch.ReportAccepted, dispatch.ReportDelivered,
			dispatch.ReportFailed} {
			require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(old, state)))
		}
		assert.Equal(t, before, w.Read(old.ID))
	})

	t.Run("about an unknown letter changes nothing", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		for _, r := range []dispatch.Report{
			{CancellationID: uuid.NewString(), ShipmentID: uuid.NewString(), State: dispatch.ReportDelivered},
			{CancellationID: c.ID, ShipmentID: uuid.NewString(), State: dispatch.ReportDelivered},
			{Channel: cancellation.ChannelMail, Reference: "nobody's", State: dispatch.ReportDelivered},
			{CancellationID: c.ID, State: dispatch.ReportDelivered},
		} {
			require.NoError(t, w.Feedback.Report(t.Context(), r))
		}
		assert.Equal(t, c, w.Read(c.ID))
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
			c := w.Sent("streaming")
			err := w.Feedback.Reply(t.Context(), c.ID, tt.answer, tt.reason, evidence.ActorOperator)
			if !tt.ok {
				require.True(t, apierror.Is(err, apierror.ValidationFailed), err)
				assert.Equal(t, c, w.Read(c.ID))
				return
			}
			require.NoError(t, err)
			require.NoError(t, w.Feedback.Reply(t.Context(), c.ID, tt.answer, tt.reason, evidence.ActorOperator), "repeating it succeeds")
			after := w.Read(c.ID)
			assert.Equal(t, tt.answer, after.Status)
			assert.Equal(t, tt.reason, after.Reason)
			assert.Len(t, after.History, len(c.History)+1)
		})
	}
	t.Run("to an unsent letter is refused", func(t *testing.T) {
		c := w.Create("streaming")
		err := w.Feedback.Reply(t.Context(), c.ID, cancellation.StatusConfirmed, "", evidence.ActorOperator)
		require.True(t, apierror.Is(err, apierror.Conflict), err)
		assert.Equal(t, c.Version, w.Read(c.ID).Version)
	})
	t.Run("to an unknown cancellation is not found", func(t *testing.T) {
		err := w.Feedback.Reply(t.Context(), uuid.NewString(), cancellation.StatusConfirmed, "", evidence.ActorOperator)
		require.True(t, apierror.Is(err, apierror.NotFound), err)
	})
}
