package thread_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/reply/thread"
	"aviso/internal/cancellation/request"
	"aviso/internal/outcome"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/lettertest"
)

type world struct {
	*lettertest.World
	answers *thread.Answers
	letter  cancellation.Cancellation
}

// newWorld has a letter that was sent to support@streaming.example.
func newWorld(t *testing.T) *world {
	w := &world{World: lettertest.NewWorld(t)}
	replies := &reply.Replies{Store: w.Store, Feedback: w.Feedback, Gate: cancellationtest.Gate{}}
	w.answers = &thread.Answers{Store: w.Store, Replies: replies, Requests: w.Requests}
	w.letter = w.Sent("streaming")
	return w
}

// asks stores a mail that asks for the customer number.
func (w *world) asks(change func(*reply.Reply)) reply.Reply {
	w.Helper()
	r := reply.Reply{
		ID: uuid.NewString(), ReceivedAt: w.Clock.Now(), From: "Desk <desk@else.example>", Sender: "desk@else.example",
		Subject: "Ihre Kündigung", MessageID: "<1@else.example>", Authentication: "dmarc=pass",
		Reading: reply.Reading{Kind: reply.KindNeedsInformation, NeededFields: []string{"CUSTOMER_NUMBER", "SIGNATURE"}},
		Digest:  evidence.Of([]byte(w.Name())),
	}
	if change != nil {
		change(&r)
	}
	require.NoError(w, w.Store.SaveReply(w.Context(), cancellationtest.User(), w.letter.ID, r, nil))
	return r
}

func (w *world) answer(r reply.Reply, key, value string) (reply.Reply, error) {
	return w.answers.Send(w.Context(), cancellationtest.User(), w.letter.ID, r.ID, []request.Parameter{{Key: key, Value: value}}, nil)
}

func code(t *testing.T, err error) apierror.Code {
	t.Helper()
	fault, ok := errors.AsType[*apierror.Error](err)
	require.True(t, ok, err)
	return fault.Code
}

func TestAnAnswerGoesIntoTheThread(t *testing.T) {
	w := newWorld(t)
	r := w.asks(nil)
	w.Left()
	got, err := w.answer(r, "CUSTOMER_NUMBER", " K-204817 ")
	require.NoError(t, err)
	assert.Equal(t, w.Clock.Now(), got.AnsweredAt)
	jobs, events := w.Left()
	require.Len(t, jobs, 1)
	assert.Empty(t, events, "partners asked for it themselves")
	require.NoError(t, w.Send(w.Read(got.AnswerID)))
	sent := w.Email.Sent[len(w.Email.Sent)-1]
	assert.Equal(t, "desk@else.example", sent.Channel.Email)
	assert.Equal(t, "<1@else.example>", sent.Document.InReplyTo)
	assert.Equal(t, "Re: Ihre Kündigung", sent.Document.Subject)
	assert.Equal(t, w.Email.Sent[0].ReplyTo, sent.ReplyTo)
	assert.Equal(t, w.Email.Sent[0].SenderName, sent.SenderName)
	assert.Contains(t, string(sent.Document.PDF), "K-204817")
	assert.Contains(t, string(sent.Document.PDF), "Answers:true")

	read, err := w.answers.Replies.Get(t.Context(), cancellationtest.User(), w.letter.ID, r.ID)
	require.NoError(t, err)
	assert.Equal(t, cancellation.StatusSent, read.AnswerStatus)
	history := w.Read(w.letter.ID).History
	assert.Equal(t, evidence.EventAnswered, history[len(history)-1].Event)
	_, err = w.Requests.CaseOf(t.Context(), w.Read(w.letter.ID))
	require.NoError(t, err)
	_, err = w.Requests.Get(t.Context(), cancellationtest.User(), got.AnswerID)
	assert.Equal(t, apierror.NotFound, code(t, err), "an answer is not a cancellation")

	_, err = w.answer(r, "CUSTOMER_NUMBER", "K-204817")
	assert.Equal(t, apierror.Conflict, code(t, err), "once")
	require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(w.Read(got.AnswerID), dispatch.ReportFailed)))
	_, events = w.Left()
	assert.Empty(t, events)
	_, err = w.answer(r, "CUSTOMER_NUMBER", "K-204817")
	require.NoError(t, err, "the first one did not arrive")
}

func TestWhatCannotBeAnswered(t *testing.T) {
	for name, tt := range map[string]struct {
		change     func(*reply.Reply)
		key, value string
		code       apierror.Code
	}{
		"a confirmation":         {func(r *reply.Reply) { r.Kind = reply.KindConfirmed }, "CUSTOMER_NUMBER", "K-1", apierror.Conflict},
		"a forged sender":        {func(r *reply.Reply) { r.Authentication = "spf=pass dmarc=fail" }, "CUSTOMER_NUMBER", "K-1", apierror.Conflict},
		"without the field":      {nil, "EMAIL", "anna@example.org", apierror.TemplateMismatch},
		"an unknown field":       {nil, "SHOE_SIZE", "43", apierror.TemplateMismatch},
		"an empty value":         {nil, "CUSTOMER_NUMBER", " ", apierror.TemplateMismatch},
		"a heart":                {nil, "CUSTOMER_NUMBER", "K❤", apierror.TemplateMismatch},
		"a date that is not one": {func(r *reply.Reply) { r.NeededFields = []string{"BIRTH_DATE"} }, "BIRTH_DATE", "1990-02-30", apierror.TemplateMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			_, err := w.answer(w.asks(tt.change), tt.key, tt.value)
			assert.Equal(t, tt.code, code(t, err))
			assert.Len(t, w.Email.Sent, 1)
		})
	}
	w := newWorld(t)
	_, err := w.answer(reply.Reply{ID: uuid.NewString()}, "CUSTOMER_NUMBER", "K-1")
	assert.Equal(t, apierror.NotFound, code(t, err))
	_, err = w.answers.Send(t.Context(), cancellationtest.User(), w.letter.ID,
		w.asks(func(r *reply.Reply) { r.NeededFields = []string{"PROOF"} }).ID, nil, nil)
	assert.Equal(t, apierror.ValidationFailed, code(t, err))
}

// A field that the template does not have is answered with the standard one. Nobody vouches for the sender, so the
// answer goes to where the letter went, and the Message-ID cannot be repeated.
func TestAnAnswerToAnUnknownSender(t *testing.T) {
	w := newWorld(t)
	r := w.asks(func(r *reply.Reply) {
		r.Authentication, r.NeededFields, r.MessageID = "", []string{"LICENSE_PLATE"}, "<1@x>\r\nBcc: all@x"
		r.Subject = "RE: Kündigung"
	})
	got, err := w.answer(r, "LICENSE_PLATE", "K AB 1234")
	require.NoError(t, err)
	require.NoError(t, w.Send(w.Read(got.AnswerID)))
	sent := w.Email.Sent[1]
	assert.Equal(t, w.Email.Sent[0].Channel.Email, sent.Channel.Email)
	assert.Equal(t, "RE: Kündigung", sent.Document.Subject)
	assert.Empty(t, sent.Document.InReplyTo)
}

func TestTwoAnswersAtOnce(t *testing.T) {
	w := newWorld(t)
	r := w.asks(nil)
	var all sync.WaitGroup
	results := make([]error, 4)
	for i := range results {
		all.Go(func() { _, results[i] = w.answer(r, "CUSTOMER_NUMBER", "K-204817") })
	}
	all.Wait()
	made := 0
	for _, err := range results {
		if err == nil {
			made++
		} else {
			assert.Equal(t, apierror.Conflict, code(t, err))
		}
	}
	assert.Equal(t, 1, made)
	list, err := w.Store.AllCancellations(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.Len(t, list, 2)
}

func TestErasureRemovesAnswers(t *testing.T) {
	w := newWorld(t)
	r := w.asks(nil)
	got, err := w.answer(r, "CUSTOMER_NUMBER", "K-204817")
	require.NoError(t, err)
	require.NoError(t, w.Send(w.Read(got.AnswerID)))
	w.EraseUser()
	done, err := w.Eraser.Close(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	require.True(t, done)
	done, err = w.Eraser.Erase(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.True(t, done)
	_, err = w.Store.Letter(t.Context(), cancellationtest.User(), got.AnswerID)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	_, err = w.Store.Reply(t.Context(), cancellationtest.User(), w.letter.ID, r.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	_, err = w.Store.CancellationOwner(t.Context(), got.AnswerID)
	require.ErrorIs(t, err, outcome.ErrNotFound)
}
