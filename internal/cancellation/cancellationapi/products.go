package cancellationapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
)

type wireProduct struct {
	_ struct{} `doc:"A contract of an organization that can be cancelled."`

	ProductID      string   `json:"productId" format:"uuid" doc:"Identifies the product."`
	OrganizationID string   `json:"organizationId" format:"uuid" doc:"Who offers it."`
	Name           string   `json:"name" doc:"Its name, for the user."`
	Locales        []string `json:"locales" nullable:"false" doc:"Locales in which a letter can be written, in the form <language>-<COUNTRY>; the first is the default."`
}

type productsData struct {
	Products []wireProduct `json:"products" nullable:"false" doc:"All products of the organization."`
}

type wireProductDetail struct {
	_ struct{} `doc:"A product, and what its cancellation needs."`

	ProductID      string              `json:"productId" format:"uuid" doc:"Identifies the product."`
	OrganizationID string              `json:"organizationId" format:"uuid" doc:"Who offers it."`
	Name           string              `json:"name" doc:"Its name, for the user."`
	Template       []wireTemplateField `json:"template" nullable:"false" doc:"The fields needed to cancel. A cancellation sends one parameter for each."`
}

type wireTemplateField struct {
	_ struct{} `doc:"A field that the user fills in."`

	FieldKey string `json:"fieldKey" doc:"Name of the field in the parameters of a cancellation."`
	Label    string `json:"label" doc:"Label for the user, in the language of the locale."`
	Format   string `json:"format" format:"regex" doc:"A regular expression in the syntax that RE2, ECMAScript (also with the flag v, as the pattern of an input) and Python share. A value that matches is accepted. A field whose format matches the empty text is optional."`
}

type productData struct {
	Product wireProductDetail `json:"product"`
}

type listProductsInput struct {
	OrganizationPath
	Locale string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE" doc:"Only products that offer this locale." example:"de-DE"`
}

type productInput struct {
	OrganizationPath
	ProductID string `path:"productId" format:"uuid" minLength:"36" maxLength:"36" doc:"The product, from listProducts. The example is one of the sandbox." example:"3b151b50-8010-573a-bf78-7542e100060e"`
	Locale    string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE" doc:"The language of the labels: one of the product's locales, the first by default." example:"de-DE"`
}

func exampleProduct() wireProduct {
	o := exampleOrganization()
	return wireProduct{
		ProductID: exampleProductID(), OrganizationID: o.ID,
		Name: "Vidorama Abo", Locales: o.Locales,
	}
}

func exampleTemplateProduct() wireProductDetail {
	p := exampleProduct()
	return wireProductDetail{
		ProductID: p.ProductID, OrganizationID: p.OrganizationID, Name: p.Name,
		Template: []wireTemplateField{
			{FieldKey: cancellation.FieldName, Label: "Name", Format: cancellation.Field{}.Pattern()},
			{FieldKey: cancellation.FieldZIP, Label: "Postleitzahl", Format: "^[a-zA-Z0-9 ]{1,20}$"},
			{
				FieldKey: cancellation.FieldDeleteData, Label: "Löschung meiner personenbezogenen Daten",
				Format: "^(true|false)$",
			},
		},
	}
}

func registerProducts(r *api.Router, catalogue *cancellation.Catalogue) {
	api.Register(r, api.Operation{
		ID: "listProducts", Method: http.MethodGet, Path: prefix + "/organizations/{organizationId}/products",
		Tag: "Catalogue", Scope: api.Cancellation,
		Summary: "List an organization's products", Description: "What can be cancelled with the organization.",
		Answer: productsData{Products: []wireProduct{exampleProduct()}}, Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *listProductsInput) (*api.Response[productsData], error) {
		list, err := catalogue.Products(ctx, in.organization(), cancellation.Locale(in.Locale))
		return api.Result(productsData{Products: api.List(list, toProduct)}, err)
	})

	api.Register(r, api.Operation{
		ID: "getProduct", Method: http.MethodGet, Path: prefix + "/organizations/{organizationId}/products/{productId}",
		Tag: "Catalogue", Scope: api.Cancellation,
		Summary:     "Get a product with its template",
		Description: "The template lists the fields that the user fills in to cancel the product.",
		Answer:      productData{Product: exampleTemplateProduct()},
		Faults:      []apierror.Code{apierror.NotFound, apierror.LocaleNotSupported},
	}, func(ctx context.Context, in *productInput) (*api.Response[productData], error) {
		organizationID, productID := in.organization(), strings.ToLower(in.ProductID)
		p, l, err := catalogue.Product(ctx, organizationID, productID, cancellation.Locale(in.Locale))
		return api.Result(productData{Product: toTemplateProduct(p, l)}, err)
	})
}

func toProduct(p cancellation.Product) wireProduct {
	return wireProduct{
		ProductID: p.ID, OrganizationID: p.OrganizationID, Name: p.Name, Locales: api.List(p.Locales, localeText),
	}
}

func toTemplateProduct(p cancellation.Product, l cancellation.Locale) wireProductDetail {
	return wireProductDetail{
		ProductID: p.ID, OrganizationID: p.OrganizationID, Name: p.Name,
		Template: api.List(p.Fields, func(f cancellation.Field) wireTemplateField {
			return wireTemplateField{FieldKey: f.Key, Label: f.Labels[l], Format: f.Pattern()}
		}),
	}
}
