package carrier

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

var testReturnAddress = cancellation.PostalAddress{
	Recipient: []string{"Aviso"}, Street: "Postfach 1", PostalCode: "8001", City: "Zürich", CountryCode: "CH",
}

var testAddress = cancellation.PostalAddress{
	Recipient: []string{"Strom AG", "Kundenservice"}, Street: "Musterallee 12 a",
	PostalCode: "10115", City: "Musterstadt", CountryCode: "DE",
}

func letterShipment(kind cancellation.ChannelKind) dispatch.Shipment {
	return newShipment(cancellation.Channel{Kind: kind, Address: &testAddress})
}

func TestPostSends(t *testing.T) {
	t.Run("mail", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		s := letterShipment(cancellation.ChannelMail)
		var noted string
		s.Note = func(_ context.Context, reference string) error {
			noted = reference
			assert.Zero(t, o.sends(), "the reference is noted before the letter is sent")
			return nil
		}

		receipt, err := o.carrier().Send(t.Context(), s)

		require.NoError(t, err)
		assert.Equal(t, dispatch.Receipt{Reference: o.order[0]}, receipt)
		assert.Equal(t, o.order[0], noted)
		l := o.only()
		assert.Equal(t, s.Document.PDF, l.pdf)
		assert.Equal(t, 1, l.sends)
		delete(l.attributes, "file_url")
		delete(l.attributes, "file_url_signature")
		assert.Equal(t, map[string]any{
			"file_original_name": testCancellation + ".bank-one.Kuendigung.pdf", "address_position": "left", "auto_send": false,
			"delivery_product": "fast", "print_mode": "simplex", "print_spectrum": "grayscale",
		}, l.attributes)
	})

	t.Run("registered mail", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		o.tracking = "98.00.123456.12345678"

		s := letterShipment(cancellation.ChannelRegisteredMail)
		s.Document.AddressOnTheRight = true

		receipt, err := o.carrier().Send(t.Context(), s)

		require.NoError(t, err)
		assert.Equal(t, "98.00.123456.12345678", receipt.TrackingNumber)
		l := o.only()
		assert.Equal(t, "registered", l.attributes["delivery_product"])
		assert.Equal(t, "right", l.attributes["address_position"])
		assert.Equal(t, map[string]any{
			"recipient": map[string]any{
				"name": "Strom AG", "street": "Musterallee", "number": "12 a", "zip": "10115", "city": "Musterstadt", "country": "DE",
			},
			"sender": map[string]any{"name": "Aviso", "pobox": "Postfach 1", "zip": "8001", "city": "Zürich", "country": "CH"},
		}, l.attributes["meta_data"])
	})

	t.Run("refuses registered mail without a return address", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		p := o.carrier(func(o *PostOptions) { o.ReturnAddress = cancellation.PostalAddress{} })
		_, err := p.Send(t.Context(), letterShipment(cancellation.ChannelRegisteredMail))
		requireFailure(t, err, dispatch.CarrierRefused)
		assert.Zero(t, o.calls)
	})

	t.Run("rejects other channels", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		_, err := o.carrier().Send(t.Context(), letterShipment(cancellation.ChannelFax))
		assert.Error(t, err)
		assert.Zero(t, o.calls)
	})
}

func TestPostWaitsUntilTheLetterIsChecked(t *testing.T) {
	o := newPostOffice(t, newClock().now)
	o.born, o.checked = "validating", "valid"
	p, s := o.carrier(), letterShipment(cancellation.ChannelMail)
	s.Note = func(_ context.Context, reference string) error { s.Reference = reference; return nil }

	_, err := p.Send(t.Context(), s)
	e := requireFailure(t, err, dispatch.CarrierBusy)
	assert.Equal(t, recheckAfter, e.RetryAfter)
	assert.True(t, e.Normal)
	require.NotEmpty(t, s.Reference)

	_, err = p.Send(t.Context(), s) // reads it again during the check
	requireFailure(t, err, dispatch.CarrierBusy)
	receipt, err := p.Send(t.Context(), s)

	require.NoError(t, err)
	assert.Equal(t, s.Reference, receipt.Reference)
	assert.Equal(t, 1, o.only().sends)
}

func TestPostProceedsByStatus(t *testing.T) {
	for status, want := range map[string]struct {
		failure dispatch.CarrierFailure // empty for a receipt
		sends   int
	}{
		"valid":      {"", 1},
		"validating": {dispatch.CarrierBusy, 0}, "fixing": {dispatch.CarrierBusy, 0},
		"submitted": {"", 0}, "awaiting_credits": {"", 0}, "accepted": {"", 0}, "inspection": {"", 0}, "processing": {"", 0},
		"printing": {"", 0}, "transferring": {"", 0}, "sent": {"", 0}, "delivered": {"", 0},
		"action_required": {dispatch.CarrierRefused, 0}, "invalid": {dispatch.CarrierRefused, 0},
		"unprintable": {dispatch.CarrierRefused, 0}, "rejected": {dispatch.CarrierRefused, 0},
		"expired": {dispatch.CarrierRefused, 0}, "cancelling": {dispatch.CarrierRefused, 0},
		"cancelled": {dispatch.CarrierRefused, 0}, "cancelled_expired": {dispatch.CarrierRefused, 0},
		"undeliverable": {dispatch.CarrierRefused, 0},
		"beamed":        {dispatch.CarrierUnclear, 0}, "": {dispatch.CarrierUnclear, 0},
	} {
		t.Run(status, func(t *testing.T) {
			o := newPostOffice(t, newClock().now)
			id := uuid.NewString()
			o.letters[id], o.born, o.checked = &postedLetter{status: status, attributes: map[string]any{
				"delivery_product": "fast", "print_mode": "simplex", "print_spectrum": "grayscale",
			}}, "none", "none"
			s := letterShipment(cancellation.ChannelMail)
			s.Reference, s.TriedAt = id, testNow
			s.Note = func(context.Context, string) error { assert.Fail(t, "noted before"); return nil }

			receipt, err := o.carrier().Send(t.Context(), s)

			assert.Equal(t, want.sends, o.sends())
			if want.failure != "" {
				requireFailure(t, err, want.failure)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, id, receipt.Reference)
		})
	}
}

func TestPostSendsNothingWithoutANote(t *testing.T) {
	o := newPostOffice(t, newClock().now)
	o.born = "validating"
	p, s := o.carrier(), letterShipment(cancellation.ChannelMail)
	note := s.Note
	s.Note = func(context.Context, string) error { return errNotNoted }

	_, err := p.Send(t.Context(), s)
	assert.ErrorIs(t, requireFailure(t, err, dispatch.CarrierBusy), errNotNoted)
	assert.Zero(t, o.sends())

	s.Note = note
	o.only().status = "valid" // newer than the repeated response
	_, err = p.Send(t.Context(), s)
	require.NoError(t, err)
	assert.Equal(t, 1, o.only().sends, "the letter of the first try is the one that is sent")
}

func TestPostUsedUpIdempotencyKey(t *testing.T) {
	for name, other := range map[string]*reply{
		"rejects another upload": {status: 409}, "is refused": {status: 422}, "is malformed": {status: 400},
		"repeats a failure": {status: 500, header: map[string]string{"Idempotent-Replayed": "true"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newPostOffice(t, newClock().now)
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Header.Get("Idempotency-Key") == testShipment {
					return other
				}
				return nil
			}

			_, err := o.carrier().Send(t.Context(), letterShipment(cancellation.ChannelMail))

			require.NoError(t, err)
			assert.Equal(t, 1, o.only().sends)
		})
	}
}

func TestNewPostRequiresItsOptions(t *testing.T) {
	good := PostOptions{
		Common: Common{Now: newClock().now}, BaseURL: "https://api.example", IdentityURL: "https://identity.example",
		OrganisationID: "o", ClientID: "c", ClientSecret: "s", WebhookSecret: "w",
	}
	_, err := NewPost(good)
	require.NoError(t, err)
	for name, spoil := range map[string]func(*PostOptions){
		"organisation": func(o *PostOptions) { o.OrganisationID = "a/b" },
		"client":       func(o *PostOptions) { o.ClientID = "" }, "secret": func(o *PostOptions) { o.ClientSecret = "" },
		"webhook secret": func(o *PostOptions) { o.WebhookSecret = "" },
	} {
		o := good
		spoil(&o)
		_, err := NewPost(o)
		assert.Error(t, err, name)
	}
}
