package cancellationapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
)

type wireOrganizationCategory struct {
	_ struct{} `doc:"A category of organizations."`

	ID   string `json:"id" format:"uuid" doc:"Identifies the category."`
	Name string `json:"name" doc:"Its name in the requested language."`
}

type organizationCategoriesData struct {
	Categories []wireOrganizationCategory `json:"categories" nullable:"false" doc:"All categories, in display order."`
}

type wireOrganization struct {
	_ struct{} `doc:"A company, club or other body that contracts can be cancelled with."`

	ID           string   `json:"id" format:"uuid" doc:"Identifies the organization."`
	CategoryID   string   `json:"categoryId" format:"uuid" doc:"Category of the organization."`
	Name         string   `json:"name" doc:"Its name, for the user."`
	ExtraConsent bool     `json:"extraConsent" doc:"Whether a cancellation reveals an opinion or belief and so needs the extra consent of the user."`
	URL          string   `json:"url" doc:"Its web site; empty if unknown."`
	Locales      []string `json:"locales" nullable:"false" doc:"Languages of its letters, in the form <language>-<COUNTRY>."`
	Confirmed    bool     `json:"confirmed" doc:"Whether its address is confirmed for cancellations. Letters to others go out by post or fax alone."`
	Source       string   `json:"source" doc:"Where its data comes from, and when; empty if the operator keeps it."`
}

type organizationsData struct {
	Organizations []wireOrganization `json:"organizations" nullable:"false" doc:"One page of organizations, sorted by name."`
}

type organizationData struct {
	Organization wireOrganization `json:"organization"`
}

// OrganizationPath is the path of one organization. It is exported because Huma only
// reads embedded fields of exported types.
type OrganizationPath struct {
	OrganizationID string `path:"organizationId" format:"uuid" minLength:"36" maxLength:"36" doc:"The organization, from listOrganizations. The example is one of the sandbox." example:"aefc4bc5-0acf-5af4-aece-ba30072cb452"`
}

// organization returns the organization's ID as it is stored.
func (in OrganizationPath) organization() string { return strings.ToLower(in.OrganizationID) }

type listCategoriesInput struct {
	Locale string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE" doc:"The language of the names; English by default, and for a name without a translation." example:"de-DE"`
}

type listOrganizationsInput struct {
	api.Page
	CategoryID string `query:"categoryId" format:"uuid" minLength:"36" maxLength:"36" doc:"Only organizations in this category." example:"3724078d-120a-536d-9f05-ab76a811b404"`
	Locale     string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE" doc:"Only organizations that offer this locale." example:"de-DE"`
	Confirmed  string `query:"confirmed" enum:"true,false" doc:"Only organizations whose address is confirmed, or only the others."`
}

// flag returns the value of an optional boolean parameter.
func flag(text string) *bool {
	if text == "" {
		return nil
	}
	return new(text == "true")
}

func exampleOrganization() wireOrganization {
	return wireOrganization{
		ID: exampleOrganizationID(), CategoryID: exampleCategory().ID, Name: "Vidorama",
		URL: "https://www.vidorama.example", Locales: []string{"de-DE", "en-GB"}, Confirmed: true,
	}
}

func exampleCategory() wireOrganizationCategory {
	return wireOrganizationCategory{ID: cancellation.CategoryID("streaming"), Name: "Streaming"}
}

func registerCatalogue(r *api.Router, catalogue *cancellation.Catalogue) {
	api.Register(r, api.Operation{
		ID: "listCancellationCategories", Method: http.MethodGet, Path: prefix + "/categories",
		Tag: "Catalogue", Scope: api.Cancellation,
		Summary: "List the categories of organizations", Description: "All categories, in display order.",
		Answer: organizationCategoriesData{Categories: []wireOrganizationCategory{exampleCategory()}},
	}, func(ctx context.Context, in *listCategoriesInput) (*api.Response[organizationCategoriesData], error) {
		list, err := catalogue.Categories(ctx)
		categories := api.List(list, func(c cancellation.Category) wireOrganizationCategory {
			return wireOrganizationCategory{ID: c.ID, Name: c.Name(cancellation.Locale(in.Locale))}
		})
		return api.Result(organizationCategoriesData{Categories: categories}, err)
	})

	api.Register(r, api.Operation{
		ID: "listOrganizations", Method: http.MethodGet, Path: prefix + "/organizations",
		Tag: "Catalogue", Scope: api.Cancellation,
		Summary: "List organizations", Description: "Organizations whose contracts can be cancelled, sorted by name.",
		Answer: organizationsData{Organizations: []wireOrganization{exampleOrganization()}},
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *listOrganizationsInput) (*api.Response[organizationsData], error) {
		f := cancellation.SearchFilter{
			CategoryID: strings.ToLower(in.CategoryID), Locale: cancellation.Locale(in.Locale),
			Confirmed: flag(in.Confirmed),
		}
		return api.Paged(ctx, r, in.NextToken, func(position string) (organizationsData, string, error) {
			page, next, err := catalogue.Organizations(ctx, f, in.Limit, position)
			return organizationsData{Organizations: api.List(page, toOrganization)}, next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "getOrganization", Method: http.MethodGet, Path: prefix + "/organizations/{organizationId}",
		Tag: "Catalogue", Scope: api.Cancellation,
		Summary:     "Get an organization",
		Description: "The organization that a product, a cancellation or a recurring contract names by its organizationId.",
		Answer:      organizationData{Organization: exampleOrganization()}, Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *OrganizationPath) (*api.Response[organizationData], error) {
		o, err := catalogue.Organization(ctx, in.organization())
		return api.Result(organizationData{Organization: toOrganization(o)}, err)
	})
}

func toOrganization(o cancellation.Organization) wireOrganization {
	return wireOrganization{
		ID: o.ID, CategoryID: o.CategoryID, Name: o.Name, ExtraConsent: o.ExtraConsent, URL: o.URL,
		Locales: api.List(o.Locales, localeText), Confirmed: !o.Unconfirmed, Source: o.Source,
	}
}

func localeText(l cancellation.Locale) string { return string(l) }
