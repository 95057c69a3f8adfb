package cancellationdb

import (
	"slices"

	"aviso/internal/cancellation/catalogue"
)

// categoriesRow has all categories, in order.
type categoriesRow struct {
	Categories []catalogue.Category `dynamodbav:"categories"`
}

// ownOrganizationRow is an organization under its own key. Each list has its own copy, so that
// a page is one query of one partition.
type ownOrganizationRow struct {
	catalogue.Organization

	FirstProduct string `dynamodbav:"firstProduct,omitempty"`
}

type productRow struct {
	catalogue.Product

	// Order is the product's position among those of its organization.
	Order int `dynamodbav:"order"`
}

// each converts the elements of a list. It returns nil for an empty list.
func each[A, B any](list []A, convert func(A) B) []B {
	converted := slices.Grow([]B(nil), len(list))
	for _, one := range list {
		converted = append(converted, convert(one))
	}
	return converted
}
