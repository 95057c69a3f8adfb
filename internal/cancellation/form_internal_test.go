package cancellation

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation/deadline"
)

// A letter goes only by channels by which it counts: a mail to a Belgian insurer is void.
func TestChannelsFollowTheForm(t *testing.T) {
	t.Parallel()
	email := Channel{Kind: ChannelEmail, Email: "polis@insurer.example"}
	mail := Channel{Kind: ChannelMail, Address: &PostalAddress{Recipient: []string{"Insurer"}, City: "Gent", CountryCode: "BE"}}
	registered := Channel{Kind: ChannelRegisteredMail, Address: mail.Address}
	everything := []ChannelKind{ChannelEmail, ChannelMail, ChannelRegisteredMail}
	for name, c := range map[string]struct {
		product Product
		locale  Locale
		enabled []ChannelKind
		want    []Channel
	}{
		"the product's own, if the law does not mind": {
			Product{Channels: []Channel{email, mail}, Terms: []deadline.Terms{{Sector: deadline.Telecom}}}, "fr-BE", everything,
			[]Channel{email, mail},
		},
		"those that count": {
			Product{Channels: []Channel{email, mail, registered}, Terms: []deadline.Terms{{Sector: deadline.HomeInsurance}}},
			"fr-BE", everything, []Channel{registered},
		},
		"registered mail, which counts everywhere, if none does": {
			Product{Channels: []Channel{email, mail}, Terms: []deadline.Terms{{Sector: deadline.HomeInsurance}}},
			"nl-BE", everything, []Channel{registered},
		},
		"none without a carrier": {
			Product{Channels: []Channel{email, mail}, Terms: []deadline.Terms{{Sector: deadline.HomeInsurance}}},
			"nl-BE", []ChannelKind{ChannelEmail}, nil,
		},
		"none without a postal address": {
			Product{Channels: []Channel{email}, Terms: []deadline.Terms{{Sector: deadline.HomeInsurance}}}, "nl-BE", everything, nil,
		},
		"paper, if the contract asks for writing": {
			Product{Channels: []Channel{email, mail}, Form: FormWritten}, "nl-BE", everything, []Channel{mail},
		},
		"none, if the law asks for ink": {Product{Channels: []Channel{email, mail}, Form: FormWetInk}, "nl-BE", everything, nil},
	} {
		facts := deadline.Facts{CancelledOn: "2026-11-24"}
		form := deadline.FormOf(c.product.Query(c.locale, c.product.Channels, facts))
		assert.ElementsMatch(t, c.want, c.product.Allowed(form, c.enabled), name)
	}
}
