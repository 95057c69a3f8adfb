package objection_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/request"
	"aviso/internal/outcome"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/lettertest"
)

type world struct{ *lettertest.World }

func newWorld(t *testing.T) *world { return &world{lettertest.NewWorld(t)} }

func TestPreview(t *testing.T) {
	w := newWorld(t)
	c := w.Sent("streaming")
	full := cancellationtest.Request("streaming")
	r := objection.Request{CancellationID: c.ID, Parameters: full.Parameters, Signature: full.Signature}
	preview := func() (request.Draft, error) {
		return w.Objections.Preview(t.Context(), cancellationtest.User(), r)
	}
	refused := func() {
		t.Helper()
		_, err := preview()
		fault, ok := errors.AsType[*apierror.Error](err)
		require.True(t, ok, err)
		assert.Equal(t, apierror.Conflict, fault.Code)
	}
	refused()
	debit := cancellation.Debit{TransactionID: "t", Date: "2026-04-04", Amount: "-13.99", Currency: "EUR"}
	paid := debit
	paid.TransactionID, paid.RefundID = "u", "r"
	w.ReportOutcome(c.ID, cancellation.OutcomeReport{
		Number: 1, Outcome: "StillDebited", End: "2026-03-31", Debits: []cancellation.Debit{debit, paid},
	})
	before := w.Read(c.ID)
	draft, err := preview()
	require.NoError(t, err)
	assert.Equal(t, cancellation.ChannelEmail, draft.Channel)
	assert.NotEmpty(t, draft.Document.PDF)
	assert.Equal(t, before, w.Read(c.ID), "nothing is stored")

	r.Parameters = nil
	_, err = preview()
	fault, ok := errors.AsType[*apierror.Error](err)
	require.True(t, ok, err)
	assert.Equal(t, apierror.TemplateMismatch, fault.Code)
	r.Parameters = full.Parameters

	w.ReportOutcome(c.ID, cancellation.OutcomeReport{Number: 2, Outcome: "Waiting", End: "2026-03-31", Debits: []cancellation.Debit{paid}})
	refused()
	r.CancellationID = "unknown"
	_, err = preview()
	fault, ok = errors.AsType[*apierror.Error](err)
	require.True(t, ok, err)
	assert.Equal(t, apierror.NotFound, fault.Code)
}

func debitOf(id string) cancellation.Debit {
	return cancellation.Debit{TransactionID: id, Date: "2026-04-04", Amount: "-13.99", Currency: "EUR"}
}

// debited cancels and hands the letter over, and then these debits come.
func (w *world) debited(slug string, debits ...cancellation.Debit) cancellation.Cancellation {
	w.Helper()
	c := w.Sent(slug)
	w.ReportOutcome(c.ID, cancellation.OutcomeReport{
		Number: 1, Outcome: "StillDebited", Reason: "DebitAfterEnd", End: "2026-03-31", Debits: debits,
	})
	w.Left()
	return w.Read(c.ID)
}

func objecting(c cancellation.Cancellation, slug string) objection.Request {
	r := cancellationtest.Request(slug)
	return objection.Request{CancellationID: c.ID, Parameters: r.Parameters, Signature: r.Signature}
}

func (w *world) object(r objection.Request) cancellation.Cancellation {
	w.Helper()
	o, err := w.Objections.Create(w.Context(), cancellationtest.User(), r, nil)
	require.NoError(w, err)
	return o
}

func asRefusal(t *testing.T, err error) *apierror.Error {
	t.Helper()
	fault, ok := errors.AsType[*apierror.Error](err)
	require.True(t, ok, err)
	return fault
}

func TestObjection(t *testing.T) {
	user := cancellationtest.User()

	t.Run("is sent like a cancellation, with the evidence", func(t *testing.T) {
		w := newWorld(t)
		paid := debitOf("u")
		paid.RefundID = "r"
		c := w.debited("streaming", debitOf("t"), paid)
		o := w.object(objecting(c, "streaming"))
		jobs, events := w.Left()
		assert.Equal(t, []cancellation.Job{{Kind: "send", Partner: user.Partner, User: user.ID, CancellationID: o.ID}}, jobs)
		assert.Empty(t, events)
		assert.Equal(t, []cancellation.Debit{debitOf("t")}, o.Objects.Debits)
		assert.Equal(t, o, func() cancellation.Cancellation {
			read := w.Read(o.ID)
			o.History, o.Stored, o.Version = read.History, read.Stored, read.Version
			return read
		}())

		require.NoError(t, w.Send(o))
		assert.Empty(t, w.Orders(), "no contract to watch")
		sent := w.Email.Sent
		require.Len(t, sent, 2)
		last := c.History[len(c.History)-1]
		head, err := evidence.Entry{
			Previous: last.Previous, At: evidence.Time{Time: last.At}, Status: string(last.Status.Shown()), Fact: last.Fact,
		}.Digest()
		require.NoError(t, err)
		assert.Equal(t, head.String(), string(sent[1].Document.Enclosure))
		o = w.Read(o.ID)
		assert.Equal(t, "partner Requested Created", lettertest.Told(t, o)[0])
		assert.Equal(t, []evidence.Proof{
			{Kind: "letter", SHA256: new(evidence.Of(sent[1].Document.PDF))},
			{Kind: "enclosure", SHA256: new(evidence.Of(sent[1].Document.Enclosure))},
			{Kind: "letter", SHA256: evidence.Hex(o.Objects.JoinedSHA256)},
			{Kind: "transaction", Value: "t"},
		}, o.History[0].Proofs)
		assert.Equal(t, []evidence.Proof{
			{Kind: "letter", SHA256: new(evidence.Of(sent[1].Document.PDF))},
			{Kind: "enclosure", SHA256: new(evidence.Of(sent[1].Document.Enclosure))},
			{Kind: "reference", Value: o.Delivery.Reference}, {Kind: "trackingNumber", Value: "T-1"},
		}, o.History[2].Proofs)
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(o, dispatch.ReportDelivered)))
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(o, dispatch.ReportDelivered)))

		_, events = w.Left()
		require.Len(t, events, 2)
		told := map[string]json.RawMessage{}
		for _, e := range events {
			told[e.Type] = e.Data
		}
		for kind, status := range map[string]string{"objection.sent": "Sent", "objection.delivered": "Delivered"} {
			assert.JSONEq(t, `{"cancellationId":"`+c.ID+`","objectionId":"`+o.ID+`",`+
				`"externalCancellationRequestIdentifier":"","status":"`+status+`","statusReason":"","channel":"Email"}`,
				string(told[kind]), kind)
		}
		list, err := w.Objections.List(t.Context(), user, c.ID)
		require.NoError(t, err)
		assert.Equal(t, []cancellation.Cancellation{w.Read(o.ID)}, list)
	})

	t.Run("is not a cancellation", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("streaming", debitOf("t"))
		o := w.object(objecting(c, "streaming"))
		page, err := w.Requests.List(t.Context(), user, request.Filter{}, 10, "")
		require.NoError(t, err)
		require.Len(t, page.Cancellations, 1)
		assert.Equal(t, c.ID, page.Cancellations[0].ID)
		_, err = w.Requests.Get(t.Context(), user, o.ID)
		assert.Equal(t, apierror.NotFound, asRefusal(t, err).Code)
		_, err = w.Requests.Withdraw(t.Context(), user, o.ID)
		assert.Equal(t, apierror.NotFound, asRefusal(t, err).Code)
		_, err = w.Objections.List(t.Context(), user, o.ID)
		assert.Equal(t, apierror.NotFound, asRefusal(t, err).Code)
		_, err = w.Objections.Create(t.Context(), user, objecting(o, "streaming"), nil)
		assert.Equal(t, apierror.NotFound, asRefusal(t, err).Code)
		require.NoError(t, w.Send(o))
		err = w.Feedback.Reply(t.Context(), o.ID, "Confirmed", "", evidence.ActorOperator)
		require.True(t, apierror.Is(err, apierror.Conflict), err)
		letter, err := w.Requests.Letter(t.Context(), user, o.ID)
		require.NoError(t, err)
		assert.Equal(t, w.Email.Sent[1].Document, letter.Document)
	})

	t.Run("goes once for each debit", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("streaming", debitOf("t"))
		first := w.object(objecting(c, "streaming"))
		_, err := w.Objections.Create(t.Context(), user, objecting(c, "streaming"), nil)
		assert.Equal(t, apierror.Conflict, asRefusal(t, err).Code)
		assert.Equal(t, first.ID, asRefusal(t, err).ObjectionID)
		w.ReportOutcome(c.ID, cancellation.OutcomeReport{
			Number: 2, Outcome: "StillDebited", End: "2026-03-31", Debits: []cancellation.Debit{debitOf("t"), debitOf("v")},
		})
		second := w.object(objecting(c, "streaming"))
		assert.Equal(t, []cancellation.Debit{debitOf("v")}, second.Objects.Debits)
		assert.Equal(t, []cancellation.SentObjection{
			{ID: first.ID, TransactionIDs: []string{"t"}}, {ID: second.ID, TransactionIDs: []string{"v"}},
		}, w.Read(c.ID).Objections)
	})

	t.Run("may be repeated if no channel worked", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("gym", debitOf("t"))
		r := objecting(c, "gym")
		w.Email.Answers = []error{lettertest.Refused()}
		first := w.object(r)
		w.Left()
		require.NoError(t, w.Send(first))
		_, events := w.Left()
		require.Len(t, events, 1)
		assert.Equal(t, "objection.delivery_failed", events[0].Type)
		second := w.object(r)
		_, err := w.Objections.Create(t.Context(), user, r, nil)
		assert.Equal(t, second.ID, asRefusal(t, err).ObjectionID)
	})

	t.Run("has the evidence behind the letter in other channels than e-mail", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("streaming", debitOf("t"))
		w.Email.Answers = []error{lettertest.Refused()}
		o := w.object(objecting(c, "streaming"))
		require.NoError(t, w.Send(o))
		require.NoError(t, w.Send(o))
		faxed := w.Fax.Sent
		require.Len(t, faxed, 1)
		o = w.Read(o.ID)
		assert.Equal(t, o.Objects.JoinedSHA256, evidence.Of(faxed[0].Document.PDF).String())
		assert.NotEqual(t, o.LetterSHA256, o.Objects.JoinedSHA256)
		proofs := o.History[len(o.History)-1].Proofs
		assert.Equal(t, evidence.Proof{Kind: "letter", SHA256: new(evidence.Of(faxed[0].Document.PDF))}, proofs[0])
		assert.Equal(t, evidence.ProofReference, proofs[1].Kind)
	})

	t.Run("goes by the wanted channel first", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("streaming", debitOf("t"))
		r := objecting(c, "streaming")
		r.Channel = cancellation.ChannelRegisteredMail
		_, err := w.Objections.Create(t.Context(), user, r, nil)
		require.Len(t, asRefusal(t, err).Fields, 1)
		assert.Equal(t, "/channel", asRefusal(t, err).Fields[0].Pointer)
		r.Channel = cancellation.ChannelMail
		var kinds []cancellation.ChannelKind
		for _, channel := range w.object(r).Channels {
			kinds = append(kinds, channel.Kind)
		}
		assert.Equal(t, []cancellation.ChannelKind{"Mail", "Email", "Fax"}, kinds)
	})

	t.Run("goes by the channel of the cancellation by default", func(t *testing.T) {
		w := newWorld(t)
		w.Email.Answers = []error{lettertest.Refused()}
		c := w.Create("streaming")
		require.NoError(t, w.Send(c))
		require.NoError(t, w.Send(c))
		w.ReportOutcome(c.ID, cancellation.OutcomeReport{
			Number: 1, Outcome: "StillDebited", End: "2026-03-31", Debits: []cancellation.Debit{debitOf("t")},
		})
		assert.Equal(t, cancellation.ChannelFax, w.object(objecting(c, "streaming")).Channel().Kind)
	})

	t.Run("is refused unless the outcome is StillDebited", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		w.ReportOutcome(c.ID, cancellation.OutcomeReport{
			Number: 1, Outcome: "Unknown", Reason: "ConnectionLost", End: "2026-03-31", Debits: []cancellation.Debit{debitOf("t")},
		})
		_, err := w.Objections.Create(t.Context(), user, objecting(c, "streaming"), nil)
		assert.Equal(t, apierror.Conflict, asRefusal(t, err).Code)
		assert.Contains(t, asRefusal(t, err).Detail, "Unknown (ConnectionLost)")
	})

	t.Run("goes once if several ask at the same time", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("streaming", debitOf("t"))
		var all sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			all.Go(func() { _, errs[i] = w.Objections.Create(t.Context(), user, objecting(c, "streaming"), nil) })
		}
		all.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			assert.Contains(t, []apierror.Code{apierror.Conflict, apierror.TemporarilyUnavailable}, asRefusal(t, err).Code)
		}
		assert.Equal(t, 1, made)
		assert.Len(t, w.Read(c.ID).Objections, 1)
	})

	t.Run("goes with the user", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("post", debitOf("t"))
		o := w.object(objecting(c, "post"))
		require.NoError(t, w.Send(o))
		w.ReportOutcome(c.ID, cancellation.OutcomeReport{
			Number: 2, Outcome: "StillDebited", End: "2026-03-31", Debits: []cancellation.Debit{debitOf("t"), debitOf("v")},
		})
		waiting := w.object(objecting(c, "post"))
		w.EraseUser()
		closed, err := w.Eraser.Close(t.Context(), user)
		require.NoError(t, err)
		assert.True(t, closed)
		assert.Equal(t, cancellation.StatusWithdrawn, w.Read(waiting.ID).Status)
		counts, err := w.Eraser.Count(t.Context(), user)
		require.NoError(t, err)
		assert.Equal(t, map[string]int{
			dispatch.CountCancellations: 1, dispatch.CountEvidence: 3, dispatch.CountLetters: 3,
			dispatch.CountWithdrawals: 1,
		}, counts)
		_, err = w.Eraser.Erase(t.Context(), user)
		require.NoError(t, err)
		for _, one := range []cancellation.Cancellation{c, o} {
			require.NoError(t, w.Do(cancellation.JobErase, one, 1))
		}
		assert.Len(t, w.Post.Deleted, 2)
		done, err := w.Eraser.Erase(t.Context(), user)
		require.NoError(t, err)
		assert.True(t, done)
		all, err := w.Store.AllCancellations(t.Context(), user)
		require.NoError(t, err)
		assert.Empty(t, all)
		_, err = w.Store.JoinedLetter(t.Context(), user, o.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = w.Store.CancellationOwner(t.Context(), o.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("is not sent for a user who has been erased", func(t *testing.T) {
		w := newWorld(t)
		c := w.debited("streaming", debitOf("t"))
		_, err := cancellationtest.Evidence(w.Store).Bundle(t.Context(), user, c.ID)
		require.NoError(t, err)
		w.EraseUser()
		_, err = w.Objections.Create(t.Context(), user, objecting(c, "streaming"), nil)
		assert.Equal(t, apierror.UserNotFound, asRefusal(t, err).Code)
	})
}

// At half past midnight in Germany it is still yesterday in UTC.
func TestALetterHasTheDayOfItsRecipient(t *testing.T) {
	w := newWorld(t)
	w.Clock.Advance(11*time.Hour + 30*time.Minute)
	require.Equal(t, "2026-03-02T23:30:00Z", w.Clock.Now().UTC().Format(time.RFC3339))
	written := &cancellationtest.LastLetter{}
	w.Requests.Writer = written
	today := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	c := w.debited("streaming", debitOf("t"))
	assert.Equal(t, today, written.Date)
	assert.Equal(t, w.Clock.Now(), c.CreatedAt)
	o := w.object(objecting(c, "streaming"))
	assert.Equal(t, today, written.Date)
	assert.Equal(t, today, written.Objection.SentOn)
	assert.Equal(t, w.Clock.Now(), o.CreatedAt)
	_, err := w.Objections.Preview(t.Context(), cancellationtest.User(), objecting(c, "streaming"))
	require.NoError(t, err)
	assert.Equal(t, today, written.Objection.SentOn)
}

func TestWhereAnAnswerGoes(t *testing.T) {
	w := newWorld(t)
	user := cancellationtest.User()
	find := w.Requests.Product
	w.Requests.Product = func(ctx context.Context, organization, product string) (catalogue.Organization, catalogue.Product, error) {
		o, p, err := find(ctx, organization, product)
		if p.Slug == "phone" { // has no e-mail address in its template
			isEmail := func(f catalogue.Field) bool { return f.Key == catalogue.FieldEmail }
			p.Fields = slices.DeleteFunc(slices.Clone(p.Fields), isEmail)
		}
		return o, p, err
	}
	for name, tt := range map[string]struct{ slug, replyTo, mailbox, want, says string }{
		"the user's first":         {"streaming", "reply@example.org", "answers@operator.example", "anna@example.org", "Email:anna@example.org"},
		"then replyTo":             {"phone", "reply@example.org", "answers@operator.example", "reply@example.org", "Email:reply@example.org"},
		"then the operator's":      {"phone", "", "answers@operator.example", "answers@operator.example", "Mailbox:answers@operator.example"},
		"nowhere if none is known": {"phone", "", "", "", "Mailbox: "},
	} {
		t.Run(name, func(t *testing.T) {
			w.Requests.ReplyAddress = tt.mailbox
			r := cancellationtest.Request(tt.slug)
			r.Repeat, r.ReplyTo = true, tt.replyTo
			if tt.slug == "phone" {
				r.Parameters = slices.Delete(r.Parameters, 2, 3)
			}
			draft, err := w.Requests.Preview(t.Context(), user, r)
			require.NoError(t, err)
			assert.Equal(t, tt.want, draft.ReplyTo)
			c, _, err := w.Requests.Create(t.Context(), user, r, nil)
			require.NoError(t, err)
			require.NoError(t, w.Send(c))
			w.ReportOutcome(c.ID, cancellation.OutcomeReport{
				Number: 1, Outcome: "StillDebited", End: "2026-03-31", Debits: []cancellation.Debit{debitOf("t")},
			})
			o := objection.Request{
				CancellationID: c.ID, Parameters: r.Parameters, Signature: r.Signature, ReplyTo: tt.replyTo,
			}
			draft, err = w.Objections.Preview(t.Context(), user, o)
			require.NoError(t, err)
			assert.Equal(t, tt.want, draft.ReplyTo)
			for _, id := range []string{c.ID, w.object(o).ID} {
				letter, err := w.Store.Letter(t.Context(), user, id)
				require.NoError(t, err)
				assert.Equal(t, tt.want, letter.ReplyTo)
				assert.Contains(t, string(letter.PDF), tt.says)
			}
		})
	}

	t.Run("is part of what a request asks for", func(t *testing.T) {
		r := cancellationtest.Request("streaming")
		r.ExternalID, r.Repeat, r.ReplyTo = "order-4712", true, "reply@example.org"
		_, created, err := w.Requests.Create(t.Context(), user, r, nil)
		require.NoError(t, err)
		assert.True(t, created)
		r.ReplyTo = "other@example.org"
		_, _, err = w.Requests.Create(t.Context(), user, r, nil)
		assert.True(t, apierror.Is(err, apierror.ExternalIDReused), "%v", err)
	})
}
