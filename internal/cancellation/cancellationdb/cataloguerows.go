package cancellationdb

import (
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
)

// categoriesRow is all categories, in order.
type categoriesRow struct {
	Categories []categoryRow `dynamodbav:"categories"`
}

type categoryRow struct {
	ID    string            `dynamodbav:"id"`
	Slug  string            `dynamodbav:"slug"`
	Names map[string]string `dynamodbav:"names"`
}

// organizationRow is an organization, under its own key and again in each list:
// a page is then one query of one partition.
type organizationRow struct {
	ID           string   `dynamodbav:"id"`
	Slug         string   `dynamodbav:"slug"`
	CategoryID   string   `dynamodbav:"categoryId"`
	Name         string   `dynamodbav:"name"`
	ExtraConsent bool     `dynamodbav:"extraConsent,omitempty"`
	URL          string   `dynamodbav:"url,omitempty"`
	Locales      []string `dynamodbav:"locales"`
	Inactive     bool     `dynamodbav:"inactive,omitempty"`
	// FirstProduct is only in the organization's own row.
	FirstProduct string `dynamodbav:"firstProduct,omitempty"`
}

type productRow struct {
	ID             string       `dynamodbav:"id"`
	Slug           string       `dynamodbav:"slug"`
	OrganizationID string       `dynamodbav:"organizationId"`
	Name           string       `dynamodbav:"name"`
	Locales        []string     `dynamodbav:"locales"`
	Form           string       `dynamodbav:"form"`
	Channels       []channelRow `dynamodbav:"channels"`
	Fields         []fieldRow   `dynamodbav:"fields"`
	Inactive       bool         `dynamodbav:"inactive,omitempty"`
	// Order is the product's place among those of its organization.
	Order int `dynamodbav:"order"`
}

type fieldRow struct {
	Key    string            `dynamodbav:"key"`
	Labels map[string]string `dynamodbav:"labels"`
	Format string            `dynamodbav:"format,omitempty"`
}

// versionRow says what is stored. The search follows its attribute version.
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

// imprintRow is what an import has to know of an organization that is stored.
type imprintRow struct {
	Slug       string         `dynamodbav:"slug"`
	Digest     string         `dynamodbav:"digest,omitempty"`
	Placements []placementRow `dynamodbav:"placements,omitempty"`
	ProductIDs []string       `dynamodbav:"productIds"`
}

type placementRow struct {
	Name       string   `dynamodbav:"name"`
	CategoryID string   `dynamodbav:"categoryId"`
	Locales    []string `dynamodbav:"locales"`
}

func toCategoriesRow(list []cancellation.Category) categoriesRow {
	rows := make([]categoryRow, len(list))
	for i, c := range list {
		rows[i] = categoryRow(c)
	}
	return categoriesRow{Categories: rows}
}

func toOrganizationRow(o cancellation.Organization) organizationRow {
	return organizationRow{
		ID: o.ID, Slug: o.Slug, CategoryID: o.CategoryID, Name: o.Name, ExtraConsent: o.ExtraConsent, URL: o.URL, Locales: texts(o.Locales), Inactive: o.Inactive,
	}
}

func (r organizationRow) organization() cancellation.Organization {
	return cancellation.Organization{
		ID: r.ID, Slug: r.Slug, CategoryID: r.CategoryID, Name: r.Name, ExtraConsent: r.ExtraConsent, URL: r.URL, Locales: locales(r.Locales), Inactive: r.Inactive,
	}
}

func toProductRow(p cancellation.Product, order int) productRow {
	r := productRow{
		ID: p.ID, Slug: p.Slug, OrganizationID: p.OrganizationID, Name: p.Name, Locales: texts(p.Locales), Form: string(p.Form), Inactive: p.Inactive, Order: order,
	}
	for _, c := range p.Channels {
		r.Channels = append(r.Channels, toChannelRow(c))
	}
	for _, f := range p.Fields {
		labels := make(map[string]string, len(f.Labels))
		for l, label := range f.Labels {
			labels[string(l)] = label
		}
		r.Fields = append(r.Fields, fieldRow{Key: f.Key, Labels: labels, Format: f.Format})
	}
	return r
}

func (r productRow) product() cancellation.Product {
	p := cancellation.Product{
		ID: r.ID, Slug: r.Slug, OrganizationID: r.OrganizationID, Name: r.Name, Locales: locales(r.Locales), Form: cancellation.FormRequirement(r.Form), Inactive: r.Inactive,
	}
	for _, row := range r.Channels {
		p.Channels = append(p.Channels, row.channel())
	}
	for _, f := range r.Fields {
		labels := make(map[cancellation.Locale]string, len(f.Labels))
		for l, label := range f.Labels {
			labels[cancellation.Locale(l)] = label
		}
		p.Fields = append(p.Fields, cancellation.Field{Key: f.Key, Labels: labels, Format: f.Format})
	}
	return p
}

func toVersionRow(v cancellation.CatalogueVersion) versionRow {
	return versionRow{
		Version: v.ID, Digest: v.Digest, At: dynamo.Time(v.At), Categories: v.Categories, Organizations: v.Organizations, Products: v.Products,
		New: v.New, Changed: v.Changed, Removed: v.Removed,
	}
}

func (r versionRow) version() (cancellation.CatalogueVersion, error) {
	at, err := time.Parse(time.RFC3339Nano, r.At)
	return cancellation.CatalogueVersion{
		ID: r.Version, Digest: r.Digest, At: at, Categories: r.Categories, Organizations: r.Organizations, Products: r.Products,
		New: r.New, Changed: r.Changed, Removed: r.Removed,
	}, err
}

func toImprintRow(e cancellation.StoredEntry) imprintRow {
	r := imprintRow{Slug: e.Slug, Digest: e.Digest, ProductIDs: e.ProductIDs}
	for _, p := range e.Placements {
		r.Placements = append(r.Placements, placementRow{Name: p.Name, CategoryID: p.CategoryID, Locales: texts(p.Locales)})
	}
	return r
}

func (r imprintRow) entry() cancellation.StoredEntry {
	e := cancellation.StoredEntry{Slug: r.Slug, Digest: r.Digest, ProductIDs: r.ProductIDs}
	for _, p := range r.Placements {
		e.Placements = append(e.Placements, cancellation.Placement{Name: p.Name, CategoryID: p.CategoryID, Locales: locales(p.Locales)})
	}
	return e
}

func locales(list []string) []cancellation.Locale {
	out := make([]cancellation.Locale, len(list))
	for i, l := range list {
		out[i] = cancellation.Locale(l)
	}
	return out
}
