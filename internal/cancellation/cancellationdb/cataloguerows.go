package cancellationdb

import (
	"slices"

	"aviso/internal/cancellation"
)

// categoriesRow has all categories, in order.
type categoriesRow struct {
	Categories []cancellation.Category `dynamodbav:"categories"`
}

// ownOrganizationRow is an organization under its own key. Each list has its own copy, so that
// a page is one query of one partition.
type ownOrganizationRow struct {
	cancellation.Organization

	FirstProduct string `dynamodbav:"firstProduct,omitempty"`
}

type productRow struct {
	cancellation.Product

	Channels []channelRow `dynamodbav:"channels"`
	// Order is the product's position among those of its organization.
	Order int `dynamodbav:"order"`
}

// channelRow is a channel of a product or of a cancellation.
type channelRow struct {
	cancellation.Channel
	Address *cancellation.PostalAddress `dynamodbav:"address,omitempty"`
}

// versionRow describes the stored catalogue. The search polls its attribute version.
type versionRow struct {
	cancellation.CatalogueVersion

	At string `dynamodbav:"at"`
}

// each converts the elements of a list. It returns nil for an empty list.
func each[A, B any](list []A, convert func(A) B) []B {
	converted := slices.Grow([]B(nil), len(list))
	for _, one := range list {
		converted = append(converted, convert(one))
	}
	return converted
}

func toProductRow(p cancellation.Product, order int) productRow {
	return productRow{Product: p, Channels: each(p.Channels, toChannelRow), Order: order}
}

func (r productRow) product() cancellation.Product {
	r.Product.Channels = each(r.Channels, channelRow.channel)
	return r.Product
}

func toChannelRow(c cancellation.Channel) channelRow {
	r := channelRow{Channel: c}
	if !c.Address.IsZero() {
		r.Address = &c.Address
	}
	return r
}

func (r channelRow) channel() cancellation.Channel {
	if r.Address != nil {
		r.Channel.Address = *r.Address
	}
	return r.Channel
}
