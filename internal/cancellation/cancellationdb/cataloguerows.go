package cancellationdb

import (
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/dynamo"
)

// categoriesRow has all categories, in order.
type categoriesRow struct {
	Categories []categoryRow `dynamodbav:"categories"`
}

type categoryRow struct {
	ID    string            `dynamodbav:"id"`
	Slug  string            `dynamodbav:"slug"`
	Names map[string]string `dynamodbav:"names"`
}

// organizationRow is an organization in a list. Each list has its own copy, so that
// a page is one query of one partition.
type organizationRow struct {
	ID           string                `dynamodbav:"id"`
	Slug         string                `dynamodbav:"slug"`
	CategoryID   string                `dynamodbav:"categoryId"`
	Name         string                `dynamodbav:"name"`
	ExtraConsent bool                  `dynamodbav:"extraConsent,omitempty"`
	URL          string                `dynamodbav:"url,omitempty"`
	Locales      []cancellation.Locale `dynamodbav:"locales"`
	Inactive     bool                  `dynamodbav:"inactive,omitempty"`
	Unconfirmed  bool                  `dynamodbav:"unconfirmed,omitempty"`
	Source       string                `dynamodbav:"source,omitempty"`
}

// ownOrganizationRow is an organization under its own key.
type ownOrganizationRow struct {
	organizationRow

	FirstProduct string `dynamodbav:"firstProduct,omitempty"`
}

type productRow struct {
	ID             string                       `dynamodbav:"id"`
	Slug           string                       `dynamodbav:"slug"`
	OrganizationID string                       `dynamodbav:"organizationId"`
	Name           string                       `dynamodbav:"name"`
	Locales        []cancellation.Locale        `dynamodbav:"locales"`
	Form           cancellation.FormRequirement `dynamodbav:"form"`
	Channels       []channelRow                 `dynamodbav:"channels"`
	Fields         []fieldRow                   `dynamodbav:"fields"`
	Terms          []termsRow                   `dynamodbav:"terms,omitempty"`
	Inactive       bool                         `dynamodbav:"inactive,omitempty"`
	// Order is the product's position among those of its organization.
	Order int `dynamodbav:"order"`
}

type fieldRow struct {
	Key    string                         `dynamodbav:"key"`
	Labels map[cancellation.Locale]string `dynamodbav:"labels"`
	Format string                         `dynamodbav:"format,omitempty"`
}

// termsRow is what contracts for a product say about their end.
type termsRow struct {
	ValidFrom    deadline.Date    `dynamodbav:"validFrom,omitempty"`
	ValidUntil   deadline.Date    `dynamodbav:"validUntil,omitempty"`
	Sector       deadline.Sector  `dynamodbav:"sector,omitempty"`
	MinimumTerm  deadline.Period  `dynamodbav:"minimumTerm,omitempty"`
	NoticePeriod deadline.Period  `dynamodbav:"noticePeriod"`
	Renewal      deadline.Renewal `dynamodbav:"renewal"`
	RenewalTerm  deadline.Period  `dynamodbav:"renewalTerm,omitempty"`
	EndOf        deadline.EndOf   `dynamodbav:"endOf,omitempty"`
	Source       string           `dynamodbav:"source"`
}

// channelRow is a channel of a product or of a cancellation.
type channelRow struct {
	Kind    cancellation.ChannelKind `dynamodbav:"kind"`
	Email   string                   `dynamodbav:"email,omitempty"`
	Fax     string                   `dynamodbav:"fax,omitempty"`
	Address *addressRow              `dynamodbav:"address,omitempty"`
}

type addressRow struct {
	Recipient   []string `dynamodbav:"recipient"`
	Street      string   `dynamodbav:"street,omitempty"`
	PostalCode  string   `dynamodbav:"postalCode"`
	City        string   `dynamodbav:"city"`
	CountryCode string   `dynamodbav:"countryCode"`
}

// versionRow describes the stored catalogue. The search polls its attribute version.
type versionRow struct {
	Version       string `dynamodbav:"version"`
	Digest        string `dynamodbav:"digest"`
	At            string `dynamodbav:"at"`
	Categories    int    `dynamodbav:"categories"`
	Organizations int    `dynamodbav:"organizations"`
	Products      int    `dynamodbav:"products"`
	New           int    `dynamodbav:"new"`
	Changed       int    `dynamodbav:"changed"`
	Removed       int    `dynamodbav:"removed"`
}

// leaseRow is the lease that lets only one import at a time write.
type leaseRow struct {
	Token string `dynamodbav:"leaseToken"`
	Until int64  `dynamodbav:"leaseUntil"`
}

// imprintRow is what an import needs to know about a stored organization.
type imprintRow struct {
	Slug       string         `dynamodbav:"slug"`
	Digest     string         `dynamodbav:"digest,omitempty"`
	Placements []placementRow `dynamodbav:"placements,omitempty"`
	ProductIDs []string       `dynamodbav:"productIds"`
}

type placementRow struct {
	Name       string                `dynamodbav:"name"`
	CategoryID string                `dynamodbav:"categoryId"`
	Locales    []cancellation.Locale `dynamodbav:"locales"`
}

// each converts the elements of a list. It returns nil for an empty list.
func each[A, B any](list []A, convert func(A) B) []B {
	converted := slices.Grow([]B(nil), len(list))
	for _, one := range list {
		converted = append(converted, convert(one))
	}
	return converted
}

func toCategoriesRow(list []cancellation.Category) categoriesRow {
	rows := make([]categoryRow, len(list))
	for i, c := range list {
		rows[i] = categoryRow(c)
	}
	return categoriesRow{Categories: rows}
}

func toProductRow(p cancellation.Product, order int) productRow {
	return productRow{
		ID: p.ID, Slug: p.Slug, OrganizationID: p.OrganizationID, Name: p.Name, Locales: p.Locales, Form: p.Form,
		Channels: each(p.Channels, toChannelRow), Inactive: p.Inactive, Order: order,
		Fields: each(p.Fields, func(f cancellation.Field) fieldRow { return fieldRow(f) }),
		Terms:  each(p.Terms, func(t deadline.Terms) termsRow { return termsRow(t) }),
	}
}

func (r productRow) product() cancellation.Product {
	return cancellation.Product{
		ID: r.ID, Slug: r.Slug, OrganizationID: r.OrganizationID, Name: r.Name, Locales: r.Locales, Form: r.Form,
		Channels: each(r.Channels, channelRow.channel), Inactive: r.Inactive,
		Fields: each(r.Fields, func(f fieldRow) cancellation.Field { return cancellation.Field(f) }),
		Terms:  each(r.Terms, func(t termsRow) deadline.Terms { return deadline.Terms(t) }),
	}
}

func toChannelRow(c cancellation.Channel) channelRow {
	r := channelRow{Kind: c.Kind, Email: c.Email, Fax: c.Fax}
	if !c.Address.IsZero() {
		r.Address = new(addressRow(c.Address))
	}
	return r
}

func (r channelRow) channel() cancellation.Channel {
	c := cancellation.Channel{Kind: r.Kind, Email: r.Email, Fax: r.Fax}
	if r.Address != nil {
		c.Address = cancellation.PostalAddress(*r.Address)
	}
	return c
}

func toVersionRow(v cancellation.CatalogueVersion) versionRow {
	return versionRow{
		Version: v.ID, Digest: v.Digest, At: dynamo.Time(v.At),
		Categories: v.Categories, Organizations: v.Organizations, Products: v.Products,
		New: v.New, Changed: v.Changed, Removed: v.Removed,
	}
}

func (r versionRow) version() (cancellation.CatalogueVersion, error) {
	at, err := time.Parse(time.RFC3339Nano, r.At)
	return cancellation.CatalogueVersion{
		ID: r.Version, Digest: r.Digest, At: at,
		Categories: r.Categories, Organizations: r.Organizations, Products: r.Products,
		New: r.New, Changed: r.Changed, Removed: r.Removed,
	}, err
}

func toImprintRow(e cancellation.StoredEntry) imprintRow {
	return imprintRow{
		Slug: e.Slug, Digest: e.Digest, ProductIDs: e.ProductIDs,
		Placements: each(e.Placements, func(p cancellation.Placement) placementRow { return placementRow(p) }),
	}
}

func (r imprintRow) entry() cancellation.StoredEntry {
	return cancellation.StoredEntry{
		Slug: r.Slug, Digest: r.Digest, ProductIDs: r.ProductIDs,
		Placements: each(r.Placements, func(p placementRow) cancellation.Placement {
			return cancellation.Placement(p)
		}),
	}
}
