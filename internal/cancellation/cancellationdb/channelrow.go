package cancellationdb

import "aviso/internal/cancellation"

// channelRow is a way to reach an organization, as stored.
type channelRow struct {
	Kind    string      `dynamodbav:"kind"`
	Email   string      `dynamodbav:"email,omitempty"`
	Fax     string      `dynamodbav:"fax,omitempty"`
	Address *addressRow `dynamodbav:"address,omitempty"`
}

type addressRow struct {
	Recipient   []string `dynamodbav:"recipient"`
	Street      string   `dynamodbav:"street,omitempty"`
	PostalCode  string   `dynamodbav:"postalCode"`
	City        string   `dynamodbav:"city"`
	CountryCode string   `dynamodbav:"countryCode"`
}

func toChannelRow(c cancellation.Channel) channelRow {
	r := channelRow{Kind: string(c.Kind), Email: c.Email, Fax: c.Fax}
	if !c.Address.IsZero() {
		a := addressRow(c.Address)
		r.Address = &a
	}
	return r
}

func (r channelRow) channel() cancellation.Channel {
	c := cancellation.Channel{Kind: cancellation.ChannelKind(r.Kind), Email: r.Email, Fax: r.Fax}
	if r.Address != nil {
		c.Address = cancellation.PostalAddress(*r.Address)
	}
	return c
}
