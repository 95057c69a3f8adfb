package cancellationapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
)

type searchData struct {
	Organizations []wireOrganization `json:"organizations" nullable:"false"`
	Products      []wireProduct      `json:"products" nullable:"false"`
}

type searchInput struct {
	Limit       int    `query:"limit" minimum:"1" maximum:"2147483647" default:"50"`
	NextToken   string `query:"nextToken" maxLength:"2048"`
	SearchQuery string `query:"searchQuery" required:"true" minLength:"1" maxLength:"200"`
	Locale      string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE"`
	CategoryID  string `query:"categoryId" format:"uuid" minLength:"36" maxLength:"36"`
	Confirmed   string `query:"confirmed" enum:"true,false"`
}

// RegisterSearch adds the search, which runs in a function of its own.
func RegisterSearch(r *api.Router, search *catalogue.Search) {
	api.Register(r, api.Operation{
		ID: "searchCatalogue", Method: http.MethodGet, Path: prefix + "/search", Tag: "Search", Scope: api.Cancellation,
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *searchInput) (*api.Response[searchData], error) {
		if strings.TrimSpace(in.SearchQuery) == "" {
			return nil, apierror.Invalid(
				apierror.Field{Parameter: "searchQuery", Code: "invalid", Detail: "Must contain more than whitespace."},
			)
		}
		f := catalogue.SearchFilter{
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

func toFoundOrganization(d catalogue.SearchDocument) wireOrganization {
	return wireOrganization{
		ID: d.ID, CategoryID: d.CategoryID, Name: d.Name, ExtraConsent: d.ExtraConsent, URL: d.URL,
		Locales: api.List(d.Locales, localeText), Confirmed: !d.Unconfirmed, Source: d.Source,
	}
}

func toFoundProduct(d catalogue.SearchDocument) wireProduct {
	return wireProduct{
		ProductID: d.ID, OrganizationID: d.OrganizationID, Name: d.Name, Locales: api.List(d.Locales, localeText),
	}
}
