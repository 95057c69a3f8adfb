package catalogue

import (
	"context"
	"errors"
	"slices"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/outcome"
)

// SearchFilter filters organizations, in a list or in a search. Empty fields match all.
type SearchFilter struct {
	CategoryID string
	Locale     cancellation.Locale
	// Confirmed is nil for both.
	Confirmed *bool
}

// Store reads the catalogue. It returns outcome.ErrNotFound for missing rows.
type Store interface {
	// Categories returns all categories in the order of the file. There are none
	// before the first import.
	Categories(ctx context.Context) ([]Category, error)
	// Organizations returns a page of the active organizations, sorted by name, from
	// position on. next is the position of the next page, and empty at the end.
	Organizations(
		ctx context.Context, f SearchFilter, limit int, position string,
	) (page []Organization, next string, err error)
	// Entry returns an organization with its products in the order of the file. It
	// treats inactive rows as missing.
	Entry(ctx context.Context, organizationID string) (Entry, error)
}

// Catalogue lists what can be cancelled and what a cancellation needs.
type Catalogue struct{ Store }

// New returns a catalogue that reads from store.
func New(store Store) *Catalogue { return &Catalogue{store} }

// Organization returns an organization.
func (c *Catalogue) Organization(ctx context.Context, id string) (Organization, error) {
	e, err := c.entry(ctx, id)
	return e.Organization, err
}

// Products returns an organization's products. If l is set, it returns only those
// that offer that locale.
func (c *Catalogue) Products(ctx context.Context, organizationID string, l cancellation.Locale) ([]Product, error) {
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
	ctx context.Context, organizationID, productID string, l cancellation.Locale,
) (Product, cancellation.Locale, error) {
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
			apierror.Field{Parameter: "locale", Code: "not_supported", Detail: "Must be one of the product's locales."},
		)
	}
	return p, l, nil
}

// OrganizationProduct returns a product with its organization. It returns
// outcome.ErrNotFound if either does not exist or is inactive.
func (c *Catalogue) OrganizationProduct(
	ctx context.Context, organizationID, productID string,
) (Organization, Product, error) {
	e, err := c.Entry(ctx, organizationID)
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
	e, err := c.Entry(ctx, organizationID)
	if errors.Is(err, outcome.ErrNotFound) {
		return Entry{}, apierror.New(apierror.NotFound, "There is no organization with this ID.")
	}
	return e, err
}
