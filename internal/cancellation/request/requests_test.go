package request_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/request"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/lettertest"
)

type world struct{ *lettertest.World }

func newWorld(t *testing.T) *world { return &world{lettertest.NewWorld(t)} }

func TestCreate(t *testing.T) {
	w := newWorld(t)
	user := cancellationtest.User()

	t.Run("writes row, letter, message and event together", func(t *testing.T) {
		c := w.Create("streaming")
		assert.Equal(t, c, stored(w.Read(c.ID)))
		assert.Equal(t, cancellation.StatusCreated, c.Status)
		assert.Equal(t, cancellation.ChannelEmail, c.Channel().Kind)
		assert.Equal(t, uuid.Version(7), uuid.MustParse(c.ID).Version())
		letter, err := w.Requests.Letter(t.Context(), user, c.ID)
		require.NoError(t, err)
		assert.Contains(t, string(letter.PDF), "Anna Sommer")
		assert.Contains(t, string(letter.PDF), "{Label:de CUSTOMER_NUMBER Value:K-1 ")
		assert.Equal(t, "anna@example.org", letter.ReplyTo)
		jobs, events := w.Left()
		require.Len(t, jobs, 1)
		assert.Equal(t, cancellation.Job{Kind: cancellation.JobSend, Partner: user.Partner, User: user.ID, CancellationID: c.ID}, jobs[0])
		require.Len(t, events, 1)
		assert.Equal(t, "cancellation.created", events[0].Type)
		assert.Equal(t, user.ID, events[0].User)
		assert.JSONEq(
			t,
			`{"cancellationId":"`+c.ID+`","externalCancellationRequestIdentifier":"","status":"Created","statusReason":"","channel":"Email"}`,
			string(events[0].Data),
		)
	})

	t.Run("uses only channels on paper for the written form", func(t *testing.T) {
		assert.Equal(
			t,
			[]cancellation.Channel{cancellationtest.NewProducts()[catalogue.ProductID("written", "contract")].Channels[1]},
			w.Create("written").Channels,
		)
	})

	t.Run("uses the next allowed channel if one has no carrier", func(t *testing.T) {
		few := &request.Requests{
			Store: w.Store, Product: cancellationtest.NewProducts().OrganizationProduct, Gate: cancellationtest.Gate{},
			Writer: cancellationtest.Writer{}, Enabled: []cancellation.ChannelKind{cancellation.ChannelMail},
			Now: w.Clock.Now, NewID: uuid.NewString,
		}
		r := cancellationtest.Request("streaming")
		r.Repeat = true
		c, _, err := few.Create(t.Context(), user, r, nil)
		require.NoError(t, err)
		assert.Equal(t, cancellation.ChannelMail, c.Channel().Kind)
		_, _, err = few.Create(t.Context(), user, withConsent(cancellationtest.Request("party")), nil)
		assert.True(t, apierror.Is(err, apierror.TemporarilyUnavailable), "%v", err)
	})

	t.Run("with the same external identifier returns the first one", func(t *testing.T) {
		r := cancellationtest.Request("streaming")
		r.ExternalID, r.Repeat = "order-4711", true
		first, created, err := w.Requests.Create(t.Context(), user, r, nil)
		require.NoError(t, err)
		assert.True(t, created)
		r.Parameters[0], r.Parameters[1] = r.Parameters[1], r.Parameters[0] // the order does not matter
		second, created, err := w.Requests.Create(t.Context(), user, r, nil)
		require.NoError(t, err)
		assert.False(t, created)
		assert.Equal(t, stored(first), stored(second))
		r.Signature.Text = "A. Sommer"
		_, _, err = w.Requests.Create(t.Context(), user, r, nil)
		assert.True(t, apierror.Is(err, apierror.ExternalIDReused), "%v", err)
		other := owner.User{Partner: user.Partner, ID: "6f9a1d7e-0000-4000-8000-000000000002"}
		require.NoError(t, w.Users.Put(t.Context(), dynamo.UserKey(other), dynamo.Item{}))
		_, created, err = w.Requests.Create(t.Context(), other, r, nil)
		require.NoError(t, err)
		assert.True(t, created, "the identifier is the user's")
	})
}

func withConsent(r request.Request) request.Request {
	r.ExtraConsent = true
	return r
}

// stored returns c as read from the store.
func stored(c cancellation.Cancellation) cancellation.Cancellation {
	c.Stored = cancellation.Stored{}
	return c
}

func TestRefusals(t *testing.T) {
	w := newWorld(t)
	change := func(slug string, do func(*request.Request)) request.Request {
		r := cancellationtest.Request(slug)
		do(&r)
		return r
	}
	value := func(i int, v string) request.Request {
		return change("streaming", func(r *request.Request) { r.Parameters[i].Value = v })
	}
	for name, tt := range map[string]struct {
		request request.Request
		code    apierror.Code
		fields  []string
	}{
		"unknown organization":           {change("streaming", func(r *request.Request) { r.OrganizationID = uuid.NewString() }), apierror.NotFound, nil},
		"unknown product":                {change("streaming", func(r *request.Request) { r.ProductID = uuid.NewString() }), apierror.NotFound, nil},
		"another organization's product": {change("streaming", func(r *request.Request) { r.ProductID = catalogue.ProductID("post", "contract") }), apierror.NotFound, nil},
		"a locale that is not offered":   {change("streaming", func(r *request.Request) { r.Locale = "fr-FR" }), apierror.LocaleNotSupported, []string{"/locale unsupported"}},
		"no extra consent":               {cancellationtest.Request("party"), apierror.ExtraConsentRequired, []string{"/extraConsent required"}},
		"an original signature":          {cancellationtest.Request("ink"), apierror.FormNotSupported, nil},
		"a missing parameter":            {change("streaming", func(r *request.Request) { r.Parameters = r.Parameters[:3] }), apierror.TemplateMismatch, []string{"/parameters missing"}},
		"no parameters":                  {change("streaming", func(r *request.Request) { r.Parameters = nil }), apierror.TemplateMismatch, []string{"/parameters missing", "/parameters missing", "/parameters missing", "/parameters missing"}},
		"an unknown parameter": {change("streaming", func(r *request.Request) {
			r.Parameters = append(r.Parameters, request.Parameter{Key: "CAT", Value: "Mia"})
		}), apierror.TemplateMismatch, []string{"/parameters/4/fieldKey unknown"}},
		"a duplicate parameter":                  {change("streaming", func(r *request.Request) { r.Parameters = append(r.Parameters, r.Parameters[0]) }), apierror.TemplateMismatch, []string{"/parameters/4/fieldKey doubled"}},
		"a value of the wrong format":            {value(3, "4711"), apierror.TemplateMismatch, []string{"/parameters/3/fieldValue format"}},
		"a value that matches only at its start": {value(3, "K-1\nX"), apierror.TemplateMismatch, []string{"/parameters/3/fieldValue format"}},
		"a value with a line break at its end":   {value(3, "K-1\n"), apierror.TemplateMismatch, []string{"/parameters/3/fieldValue format"}},
		"an empty value":                         {value(0, "  "), apierror.TemplateMismatch, []string{"/parameters/0/fieldValue empty"}},
		"a value that is too long":               {value(0, strings.Repeat("ä", cancellation.MaxValue+1)), apierror.TemplateMismatch, []string{"/parameters/0/fieldValue too_long"}},
		"an unprintable character":               {value(0, "Anna ❤"), apierror.TemplateMismatch, []string{"/parameters/0/fieldValue unprintable"}},
		"several at once":                        {change("streaming", func(r *request.Request) { r.Parameters[0].Value, r.Parameters[3].Key = "", "CAT" }), apierror.TemplateMismatch, []string{"/parameters/0/fieldValue empty", "/parameters/3/fieldKey unknown", "/parameters missing"}},
		"a replyTo that is a word":               {change("streaming", func(r *request.Request) { r.ReplyTo = "anna" }), apierror.ValidationFailed, []string{"/replyTo format"}},
		"a replyTo with a name":                  {change("streaming", func(r *request.Request) { r.ReplyTo = "Anna <anna@example.org>" }), apierror.ValidationFailed, []string{"/replyTo format"}},
		"two addresses in replyTo":               {change("streaming", func(r *request.Request) { r.ReplyTo = "a@example.org, b@example.org" }), apierror.ValidationFailed, []string{"/replyTo format"}},
		"a replyTo with a header":                {change("streaming", func(r *request.Request) { r.ReplyTo = "a@example.org\r\nBcc: b@example.org" }), apierror.ValidationFailed, []string{"/replyTo format"}},
		"an unprintable replyTo":                 {change("streaming", func(r *request.Request) { r.ReplyTo = "anna@❤.example" }), apierror.ValidationFailed, []string{"/replyTo format"}},
		"no signature":                           {change("streaming", func(r *request.Request) { r.Signature.Text = "" }), apierror.ValidationFailed, []string{"/signature/data empty"}},
		"a signature that is too long":           {change("streaming", func(r *request.Request) { r.Signature.Text = strings.Repeat("a", 301) }), apierror.ValidationFailed, []string{"/signature/data too_long"}},
		"an image that is not a PNG":             {change("streaming", func(r *request.Request) { r.Signature = cancellation.Signature{Image: []byte("GIF89a")} }), apierror.ValidationFailed, []string{"/signature/data invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := w.Requests.Create(t.Context(), cancellationtest.User(), tt.request, nil)
			var refused *apierror.Error
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, tt.code, refused.Code)
			var fields []string
			for _, f := range refused.Fields {
				fields = append(fields, f.Pointer+" "+f.Code)
			}
			assert.Equal(t, tt.fields, fields)
		})
	}
	all, err := w.Store.AllCancellations(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.Empty(t, all, "what is refused leaves nothing")

	t.Run("with the keys of the fields", func(t *testing.T) {
		request := cancellationtest.Request("streaming")
		request.Parameters[0].Value = ""
		missing := request.Parameters[3].Key
		request.Parameters[3].Key = "CAT"
		_, _, err := w.Requests.Create(t.Context(), cancellationtest.User(), request, nil)
		var refused *apierror.Error
		require.ErrorAs(t, err, &refused)
		var keys []string
		for _, f := range refused.Fields {
			keys = append(keys, f.FieldKey)
		}
		assert.Equal(t, []string{request.Parameters[0].Key, "", missing}, keys, "a key that we do not know is not repeated")
	})

	t.Run("without the terms", func(t *testing.T) {
		refusing := w.RequestsBehind(cancellationtest.Gate{RefuseTerms: cancellationtest.ErrTerms})
		_, _, err := refusing.Create(t.Context(), cancellationtest.User(), cancellationtest.Request("streaming"), nil)
		assert.True(t, apierror.Is(err, apierror.TermsNotAccepted))
		_, err = refusing.Preview(t.Context(), cancellationtest.User(), cancellationtest.Request("streaming"))
		assert.True(t, apierror.Is(err, apierror.TermsNotAccepted))
	})
}

func TestPreview(t *testing.T) {
	w := newWorld(t)
	for slug, channel := range map[string]cancellation.ChannelKind{
		"streaming": cancellation.ChannelEmail, "written": cancellation.ChannelMail, "ink": cancellation.ChannelMail, "post": cancellation.ChannelRegisteredMail,
	} {
		t.Run("of "+slug, func(t *testing.T) {
			d, err := w.Requests.Preview(t.Context(), cancellationtest.User(), cancellationtest.Request(slug))
			require.NoError(t, err)
			assert.Equal(t, channel, d.Channel)
			assert.NotEmpty(t, d.Document.PDF)
			assert.Len(t, d.SHA256, 64)
			assert.Equal(t, slug == "ink", strings.Contains(string(d.Document.PDF), "SignByHand:true"))
			assert.Equal(t, slug == "ink", strings.Contains(string(d.Document.PDF), "Signature:{Text: Image:[]}"))
		})
	}
	jobs, events := w.Left()
	assert.Empty(t, jobs)
	assert.Empty(t, events)
	all, err := w.Store.AllCancellations(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.Empty(t, all)
}

func TestReadingAndWithdrawing(t *testing.T) {
	w := newWorld(t)
	user := cancellationtest.User()
	c := w.Create("streaming")

	t.Run("does not find another user's cancellation", func(t *testing.T) {
		other := owner.User{Partner: "other", ID: user.ID}
		_, err := w.Requests.Get(t.Context(), other, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound))
		_, err = w.Requests.Letter(t.Context(), other, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound))
		_, err = w.Requests.Withdraw(t.Context(), other, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound))
	})

	t.Run("returns the gate's refusal first", func(t *testing.T) {
		refusing := w.RequestsBehind(cancellationtest.Gate{Refuse: apierror.New(apierror.UserNotFound, "No.")})
		_, err := refusing.Get(t.Context(), user, uuid.NewString())
		assert.True(t, apierror.Is(err, apierror.UserNotFound))
		_, err = refusing.List(t.Context(), user, request.Filter{}, 10, "")
		assert.True(t, apierror.Is(err, apierror.UserNotFound))
		_, err = refusing.Withdraw(t.Context(), user, c.ID)
		assert.True(t, apierror.Is(err, apierror.UserNotFound))
	})

	t.Run("withdraws a waiting letter, which is not sent later", func(t *testing.T) {
		w.Left()
		withdrawn, err := w.Requests.Withdraw(t.Context(), user, c.ID)
		require.NoError(t, err)
		assert.Equal(t, cancellation.StatusWithdrawn, withdrawn.Status)
		again, err := w.Requests.Withdraw(t.Context(), user, c.ID)
		require.NoError(t, err)
		assert.Equal(t, lettertest.Statuses(withdrawn), lettertest.Statuses(again))
		require.NoError(t, w.Send(c))
		assert.Empty(t, w.Email.Sent)
		_, events := w.Left()
		require.Len(t, events, 1)
		assert.Equal(t, "cancellation.withdrawn", events[0].Type)
	})

	t.Run("does not withdraw a sent letter", func(t *testing.T) {
		sent := w.Sent("streaming")
		_, err := w.Requests.Withdraw(t.Context(), user, sent.ID)
		assert.True(t, apierror.Is(err, apierror.NotWithdrawable))
	})

	t.Run("asks to come back if the cancellation keeps changing", func(t *testing.T) {
		c := w.Create("streaming")
		requests := &request.Requests{Store: contested{w.Store}, Gate: cancellationtest.Gate{}, Now: w.Clock.Now}
		_, err := requests.Withdraw(t.Context(), user, c.ID)
		assert.True(t, apierror.Is(err, apierror.TemporarilyUnavailable), err)
	})

	t.Run("does not withdraw a letter that is being sent", func(t *testing.T) {
		w.Email.Answers = []error{&dispatch.CarrierError{Failure: dispatch.CarrierUnclear, Reason: "timeout"}}
		c := w.Create("streaming")
		require.Error(t, w.Send(c))
		assert.Equal(t, cancellation.StatusSending, w.Read(c.ID).Status)
		_, err := w.Requests.Withdraw(t.Context(), user, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotWithdrawable))
	})
}

// contested loses every race.
type contested struct{ request.Store }

func (contested) SaveCancellation(
	_ context.Context, c cancellation.Cancellation, _ ...cancellation.Job,
) (cancellation.Cancellation, error) {
	return c, outcome.ErrChanged
}

func TestWithdrawingErasesADraft(t *testing.T) {
	w := newWorld(t)
	c := w.Create("post")
	w.Post.Answers = []error{lettertest.Busy(0)}
	require.Error(t, w.Send(c))
	c = w.Read(c.ID)
	c.AtCarriers = []cancellation.CarrierLetter{{Channel: cancellation.ChannelRegisteredMail, Reference: "draft"}}
	_, err := w.Store.SaveCancellation(t.Context(), c)
	require.NoError(t, err)
	w.Left()
	_, err = w.Requests.Withdraw(t.Context(), c.Owner, c.ID)
	require.NoError(t, err)
	jobs, _ := w.Left()
	require.Len(t, jobs, 1)
	assert.Equal(t, cancellation.JobErase, jobs[0].Kind)
	require.NoError(t, w.Work.Do(t.Context(), jobs[0], 1))
	assert.Equal(t, []string{"draft"}, w.Post.Deleted)
}

func TestContractOfARequest(t *testing.T) {
	w := newWorld(t)
	request := cancellationtest.Request("streaming")
	request.SubscriptionID = cancellationtest.User().Key()
	_, _, err := w.Requests.Create(t.Context(), cancellationtest.User(), request, nil)
	refused := apierror.Invalid(apierror.Field{
		Pointer: "/subscriptionId", Code: "unknown", Detail: "The user has no recurring contract with this ID.",
	})
	assert.Equal(t, refused, err)
	_, err = w.Requests.Preview(t.Context(), cancellationtest.User(), request)
	assert.Equal(t, refused, err)
}

func TestWithdrawalIsInTheChain(t *testing.T) {
	w := newWorld(t)
	c := w.Create("streaming")
	_, err := w.Requests.Withdraw(t.Context(), c.Owner, c.ID)
	require.NoError(t, err)
	assert.Equal(t, []string{"partner Requested Created", "partner Withdrawn Withdrawn"}, lettertest.Told(t, w.Read(c.ID)))
}
