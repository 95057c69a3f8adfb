package cancellation_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
)

func TestSearchDocumentsOfAnEdition(t *testing.T) {
	t.Parallel()
	party := entry("party", "Party", func(e *cancellation.Entry) {
		e.Organization.ExtraConsent, e.Organization.URL = true, ""
		e.Products[0].Inactive, e.Products[1].Locales = true, []cancellation.Locale{"en-GB"}
	})
	gone := entry("gone", "Gone", func(e *cancellation.Entry) { e.Organization.Inactive = true })
	id, category, both := cancellation.OrganizationID("party"), cancellation.CategoryID("streaming"), []cancellation.Locale{
		"de-DE",
		"en-GB",
	}
	names := []string{"streaming", "streaming (de)"}
	assert.Equal(t, []cancellation.SearchDocument{
		{
			Kind:             cancellation.SearchOrganization,
			ID:               id,
			OrganizationID:   id,
			CategoryID:       category,
			CategoryNames:    names,
			Name:             "Party",
			OrganizationName: "Party",
			ExtraConsent:     true,
			Locales:          both,
		},
		{
			Kind: cancellation.SearchProduct, ID: cancellation.ProductID("party", "premium"), OrganizationID: id, CategoryID: category,
			CategoryNames: names, Name: "Product premium", OrganizationName: "Party", ExtraConsent: true,
			Locales: []cancellation.Locale{"en-GB"},
		},
	}, edition(party, gone).SearchDocuments())
	assert.Empty(t, edition(gone).SearchDocuments())
}
