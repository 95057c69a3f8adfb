package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
)

func TestSearchDocumentsOfAnEdition(t *testing.T) {
	t.Parallel()
	party := entry("party", "Party", func(e *catalogue.Entry) {
		e.Organization.ExtraConsent, e.Organization.URL = true, ""
		e.Products[0].Inactive, e.Products[1].Locales = true, []cancellation.Locale{"en-GB"}
	})
	gone := entry("gone", "Gone", func(e *catalogue.Entry) { e.Organization.Inactive = true })
	id, category, both := catalogue.OrganizationID("party"), catalogue.CategoryID("streaming"), []cancellation.Locale{
		"de-DE",
		"en-GB",
	}
	names := []string{"streaming", "streaming (de)"}
	assert.Equal(t, []catalogue.SearchDocument{
		{
			Kind: catalogue.SearchOrganization, ID: id, OrganizationID: id, CategoryID: category, CategoryNames: names,
			Name: "Party", OrganizationName: "Party", ExtraConsent: true, Locales: both,
		},
		{
			Kind: catalogue.SearchProduct, ID: catalogue.ProductID("party", "premium"), OrganizationID: id, CategoryID: category,
			CategoryNames: names, Name: "Product premium", OrganizationName: "Party", ExtraConsent: true,
			Locales: []cancellation.Locale{"en-GB"},
		},
	}, edition(party, gone).SearchDocuments())
	assert.Empty(t, edition(gone).SearchDocuments())
}
