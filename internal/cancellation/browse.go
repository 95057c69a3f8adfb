package cancellation

import (
	"context"
	"errors"
	"slices"

	"aviso/internal/apierror"
	"aviso/internal/outcome"
)

// OrganizationFilter narrows a list of organizations; empty fields do not.
type OrganizationFilter struct {
	CategoryID string
	Locale     Locale
}

// Catalogue lists what can be cancelled, and what is needed to do so.
type Catalogue struct{ store Store }

// NewCatalogue reads from store.
func NewCatalogue(store Store) *Catalogue { return &Catalogue{store: store} }

// Categories are all kinds of organizations.
func (c *Catalogue) Categories(ctx context.Context) ([]Category, error) {
	return c.store.Categories(ctx)
}

// Organizations is one page of the organizations that match.
func (c *Catalogue) Organizations(ctx context.Context, f OrganizationFilter, limit int, position string) ([]Organization, string, error) {
	return c.store.Organizations(ctx, f, limit, position)
}

// Products are an organization's products; with a locale, those that offer it.
func (c *Catalogue) Products(ctx context.Context, organizationID string, l Locale) ([]Product, error) {
	e, err := c.entry(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(e.Products, func(p Product) bool { return l != "" && !p.Offers(l) }), nil
}

// Product is one product of an organization, with the locale of its labels: l,
// or the product's first where l is empty. apierror.LocaleNotSupported when the
// product does not offer l.
func (c *Catalogue) Product(ctx context.Context, organizationID, productID string, l Locale) (Product, Locale, error) {
	e, err := c.entry(ctx, organizationID)
	if err != nil {
		return Product{}, "", err
	}
	i := slices.IndexFunc(e.Products, func(p Product) bool { return p.ID == productID })
	if i < 0 {
		return Product{}, "", apierror.New(apierror.NotFound, "The organization has no product of this id.")
	}
	p := e.Products[i]
	if l == "" {
		return p, p.Locales[0], nil
	}
	if !p.Offers(l) {
		return Product{}, "", apierror.WithFields(apierror.LocaleNotSupported, "The product does not offer this locale.",
			apierror.Field{Parameter: "locale", Code: "not_supported", Detail: "It must be one of the product's locales."})
	}
	return p, l, nil
}

// OrganizationProduct is a product with its organization. outcome.ErrNotFound when there
// is no such organization, or it has no such product.
func (c *Catalogue) OrganizationProduct(ctx context.Context, organizationID, productID string) (Organization, Product, error) {
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
		return Entry{}, apierror.New(apierror.NotFound, "There is no organization of this id.")
	}
	return e, err
}
