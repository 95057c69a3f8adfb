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

type wireOrganizationCategory struct {
	ID   string `json:"id" format:"uuid"`
	Name string `json:"name"`
}

type organizationCategoriesData struct {
	Categories []wireOrganizationCategory `json:"categories" nullable:"false"`
}

type wireOrganization struct {
	ID           string   `json:"id" format:"uuid"`
	CategoryID   string   `json:"categoryId" format:"uuid"`
	Name         string   `json:"name"`
	ExtraConsent bool     `json:"extraConsent"`
	URL          string   `json:"url"`
	Locales      []string `json:"locales" nullable:"false"`
	Confirmed    bool     `json:"confirmed"`
	Source       string   `json:"source"`
}

type organizationsData struct {
	Organizations []wireOrganization `json:"organizations" nullable:"false"`
}

type organizationData struct {
	Organization wireOrganization `json:"organization"`
}

// OrganizationPath is the path of one organization. It is exported because Huma only
// reads embedded fields of exported types.
type OrganizationPath struct {
	OrganizationID string `path:"organizationId" format:"uuid" minLength:"36" maxLength:"36"`
}

// organization returns the organization's ID as it is stored.
func (in OrganizationPath) organization() string { return strings.ToLower(in.OrganizationID) }

type listCategoriesInput struct {
	Locale string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE"`
}

type listOrganizationsInput struct {
	api.Page
	CategoryID string `query:"categoryId" format:"uuid" minLength:"36" maxLength:"36"`
	Locale     string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE"`
	Confirmed  string `query:"confirmed" enum:"true,false"`
}

// flag returns the value of an optional boolean parameter.
func flag(text string) *bool {
	if text == "" {
		return nil
	}
	return new(text == "true")
}

func registerCatalogue(r *api.Router, c *catalogue.Catalogue) {
	api.Register(r, api.Operation{
		ID: "listCancellationCategories", Method: http.MethodGet, Path: prefix + "/categories",
		Tag: "Catalogue", Scope: api.Cancellation,
	}, func(ctx context.Context, in *listCategoriesInput) (*api.Response[organizationCategoriesData], error) {
		list, err := c.Categories(ctx)
		categories := api.List(list, func(c catalogue.Category) wireOrganizationCategory {
			return wireOrganizationCategory{ID: c.ID, Name: c.Name(cancellation.Locale(in.Locale))}
		})
		return api.Result(organizationCategoriesData{Categories: categories}, err)
	})

	api.Register(r, api.Operation{
		ID: "listOrganizations", Method: http.MethodGet, Path: prefix + "/organizations",
		Tag: "Catalogue", Scope: api.Cancellation,
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *listOrganizationsInput) (*api.Response[organizationsData], error) {
		f := catalogue.SearchFilter{
			CategoryID: strings.ToLower(in.CategoryID), Locale: cancellation.Locale(in.Locale),
			Confirmed: flag(in.Confirmed),
		}
		return api.Paged(ctx, r, in.NextToken, func(position string) (organizationsData, string, error) {
			page, next, err := c.Organizations(ctx, f, in.Limit, position)
			return organizationsData{Organizations: api.List(page, toOrganization)}, next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "getOrganization", Method: http.MethodGet, Path: prefix + "/organizations/{organizationId}",
		Tag: "Catalogue", Scope: api.Cancellation,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *OrganizationPath) (*api.Response[organizationData], error) {
		o, err := c.Organization(ctx, in.organization())
		return api.Result(organizationData{Organization: toOrganization(o)}, err)
	})
}

func toOrganization(o catalogue.Organization) wireOrganization {
	return wireOrganization{
		ID: o.ID, CategoryID: o.CategoryID, Name: o.Name, ExtraConsent: o.ExtraConsent, URL: o.URL,
		Locales: api.List(o.Locales, localeText), Confirmed: !o.Unconfirmed, Source: o.Source,
	}
}

func localeText(l cancellation.Locale) string { return string(l) }
