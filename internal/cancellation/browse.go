package cancellation

import (
	"context"
	"errors"
	"slices"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo/outcome"
)

// OrganizationFilter filters a list of organizations. Empty fields match all.
type OrganizationFilter struct {
	CategoryID string
	Locale     Locale
	// Confirmed is nil for both.
	Confirmed *bool
}

// Catalogue lists what can be cancelled and what a cancellation needs.
type Catalogue struct{ store Store }

// NewCatalogue returns a catalogue that reads from store.
func NewCatalogue(store Store) *Catalogue { return &Catalogue{store: store} }

// Categories returns all categories of organizations.
func (c *Catalogue) Categories(ctx context.Context) ([]Category, error) {
	return c.store.Categories(ctx)
}

// Organizations returns a page of the organizations that match f, and the position
// of the next page.
func (c *Catalogue) Organizations(
	ctx context.Context, f OrganizationFilter, limit int, position string,
) ([]Organization, string, error) {
	return c.store.Organizations(ctx, f, limit, position)
}

// Organization returns an organization.
func (c *Catalogue) Organization(ctx context.Context, id string) (Organization, error) {
	e, err := c.entry(ctx, id)
	return e.Organization, err
}

// Products returns an organization's products. If l is set, it returns only those
// that offer that locale.
func (c *Catalogue) Products(ctx context.Context, organizationID string, l Locale) ([]Product, error) {
	e, err := c.entry(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(e.Products, func(p Product) bool { return l != "" && !p.Offers(l) }), nil
}

// Product returns one product of an organization and the locale for its labels: l,
// or the product's first locale if l is empty. It returns
// apierror.LocaleNotSupported if the product does not offer l.
func (c *Catalogue) Product(
	ctx context.Context, organizationID, productID string, l Locale,
) (Product, Locale, error) {
	e, err := c.entry(ctx, organizationID)
	if err != nil {
		return Product{}, "", err
	}
	i := slices.IndexFunc(e.Products, func(p Product) bool { return p.ID == productID })
	if i < 0 {
		return Product{}, "", apierror.New(apierror.NotFound, "The organization has no product with this ID.")
	}
	p := e.Products[i]
	if l == "" {
		return p, p.Locales[0], nil
	}
	if !p.Offers(l) {
		return Product{}, "", apierror.WithFields(
			apierror.LocaleNotSupported, "The product does not offer this locale.",
			apierror.Field{
				Parameter: "locale", Code: "not_supported", Detail: "Must be one of the product's locales.",
			},
		)
	}
	return p, l, nil
}

// OrganizationProduct returns a product with its organization. It returns
// outcome.ErrNotFound if either does not exist or is inactive.
func (c *Catalogue) OrganizationProduct(
	ctx context.Context, organizationID, productID string,
) (Organization, Product, error) {
	e, err := c.store.Entry(ctx, organizationID)
	if err != nil {
		return Organization{}, Product{}, err
	}
	i := slices.IndexFunc(e.Products, func(p Product) bool { return p.ID == productID })
	if i < 0 {
		return Organization{}, Product{}, outcome.ErrNotFound
	}
	return e.Organization, e.Products[i], nil
}

func (c *Catalogue) entry(ctx context.Context, organizationID string) (Entry, error) {
	e, err := c.store.Entry(ctx, organizationID)
	if errors.Is(err, outcome.ErrNotFound) {
		return Entry{}, apierror.New(apierror.NotFound, "There is no organization with this ID.")
	}
	return e, err
}
