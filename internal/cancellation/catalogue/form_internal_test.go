package catalogue

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
)

// A letter goes only by channels by which it counts: a mail to a Belgian insurer is void.
func TestChannelsFollowTheForm(t *testing.T) {
	t.Parallel()
	email := cancellation.Channel{Kind: cancellation.ChannelEmail, Email: "polis@insurer.example"}
	address := &cancellation.PostalAddress{Recipient: []string{"Insurer"}, City: "Gent", CountryCode: "BE"}
	mail := cancellation.Channel{Kind: cancellation.ChannelMail, Address: address}
	registered := cancellation.Channel{Kind: cancellation.ChannelRegisteredMail, Address: address}
	both := []cancellation.Channel{email, mail}
	home, phone := []deadline.Terms{{Sector: deadline.HomeInsurance}}, []deadline.Terms{{Sector: deadline.Telecom}}
	everything := []cancellation.ChannelKind{cancellation.ChannelEmail, cancellation.ChannelMail, cancellation.ChannelRegisteredMail}
	for name, c := range map[string]struct {
		product Product
		locale  cancellation.Locale
		enabled []cancellation.ChannelKind
		want    []cancellation.Channel
	}{
		"the product's own, if the law does not mind": {
			Product{Channels: both, Terms: phone}, "fr-BE", everything,
			both,
		},
		"those that count": {
			Product{Channels: []cancellation.Channel{email, mail, registered}, Terms: home},
			"fr-BE", everything, []cancellation.Channel{registered},
		},
		"registered mail, which counts everywhere, if none does": {
			Product{Channels: both, Terms: home},
			"nl-BE", everything, []cancellation.Channel{registered},
		},
		"none without a carrier": {
			Product{Channels: both, Terms: home},
			"nl-BE", []cancellation.ChannelKind{cancellation.ChannelEmail}, nil,
		},
		"none without a postal address": {
			Product{Channels: []cancellation.Channel{email}, Terms: home}, "nl-BE", everything, nil,
		},
		"paper, if the contract asks for writing": {
			Product{Channels: both, Form: FormWritten}, "nl-BE", everything, []cancellation.Channel{mail},
		},
		"none, if the law asks for ink": {Product{Channels: both, Form: FormWetInk}, "nl-BE", everything, nil},
	} {
		facts := deadline.Facts{CancelledOn: "2026-11-24"}
		form := deadline.FormOf(c.product.Query(c.locale, c.product.Channels, facts))
		assert.ElementsMatch(t, c.want, c.product.Allowed(form, c.enabled), name)
	}
}
