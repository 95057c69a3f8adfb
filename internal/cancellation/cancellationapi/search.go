package cancellationapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
)

type searchData struct {
	_ struct{} `doc:"What was found."`

	Organizations []wireOrganization `json:"organizations" nullable:"false" doc:"Organizations that match, the best first."`
	Products      []wireProduct      `json:"products" nullable:"false" doc:"Products that match, the best first."`
}

type searchInput struct {
	Limit       int    `query:"limit" minimum:"1" maximum:"2147483647" default:"50" doc:"Maximum number of elements in each of the two lists; more than 200 count as 200." example:"50"`
	NextToken   string `query:"nextToken" maxLength:"2048" doc:"The nextToken of the previous page's meta.pagination."`
	SearchQuery string `query:"searchQuery" required:"true" minLength:"1" maxLength:"200" doc:"Words from the name of an organization, a product, or both; the last word may be incomplete." example:"vidorama prem"`
	Locale      string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE" doc:"Only what is offered in this locale." example:"de-DE"`
	CategoryID  string `query:"categoryId" format:"uuid" minLength:"36" maxLength:"36" doc:"Only organizations in this category, and their products." example:"3724078d-120a-536d-9f05-ab76a811b404"`
	Confirmed   string `query:"confirmed" enum:"true,false" doc:"Only organizations whose address is confirmed, or only the others, and their products."`
}

// RegisterSearch adds the search, which runs in a function of its own.
func RegisterSearch(r *api.Router, search *cancellation.Search) {
	api.Register(r, api.Operation{
		ID: "searchCatalogue", Method: http.MethodGet, Path: prefix + "/search", Tag: "Search", Scope: api.Cancellation,
		Summary: "Search organizations and products",
		Description: "Searches names by their words, in any order, and returns the best match first. " +
			"Case, accents and the spelling of umlauts (ä, ae, a) do not matter. " +
			"Words of four or more letters may contain one typo. The beginning of a word also matches. " +
			"A product also matches by the name of its organization. " +
			"If no name contains all words, rare words decide and common ones are ignored.",
		Answer: searchData{
			Organizations: []wireOrganization{exampleOrganization()}, Products: []wireProduct{exampleProduct()},
		},
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *searchInput) (*api.Response[searchData], error) {
		if strings.TrimSpace(in.SearchQuery) == "" {
			return nil, apierror.Invalid(
				apierror.Field{Parameter: "searchQuery", Code: "invalid", Detail: "Must contain more than whitespace."},
			)
		}
		f := cancellation.SearchFilter{
			Locale: cancellation.Locale(in.Locale), CategoryID: strings.ToLower(in.CategoryID),
			Confirmed: flag(in.Confirmed),
		}
		return api.Paged(ctx, r, in.NextToken, func(position string) (searchData, string, error) {
			page, err := search.Search(ctx, in.SearchQuery, f, in.Limit, position)
			return searchData{
				Organizations: api.List(page.Organizations, toFoundOrganization),
				Products:      api.List(page.Products, toFoundProduct),
			}, page.Next, err
		})
	})
}

func toFoundOrganization(d cancellation.SearchDocument) wireOrganization {
	return wireOrganization{
		ID: d.ID, CategoryID: d.CategoryID, Name: d.Name, ExtraConsent: d.ExtraConsent, URL: d.URL,
		Locales: api.List(d.Locales, localeText), Confirmed: !d.Unconfirmed, Source: d.Source,
	}
}

func toFoundProduct(d cancellation.SearchDocument) wireProduct {
	return wireProduct{
		ProductID: d.ID, OrganizationID: d.OrganizationID, Name: d.Name, Locales: api.List(d.Locales, localeText),
	}
}
