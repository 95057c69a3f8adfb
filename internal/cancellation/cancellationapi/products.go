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

type wireProduct struct {
	ProductID      string   `json:"productId" format:"uuid"`
	OrganizationID string   `json:"organizationId" format:"uuid"`
	Name           string   `json:"name"`
	Locales        []string `json:"locales" nullable:"false"`
}

type productsData struct {
	Products []wireProduct `json:"products" nullable:"false"`
}

type wireProductDetail struct {
	ProductID      string              `json:"productId" format:"uuid"`
	OrganizationID string              `json:"organizationId" format:"uuid"`
	Name           string              `json:"name"`
	Template       []wireTemplateField `json:"template" nullable:"false"`
}

type wireTemplateField struct {
	FieldKey string `json:"fieldKey"`
	Label    string `json:"label"`
	Format   string `json:"format" format:"regex"`
	Type     string `json:"type" enum:"Text,Email,Phone,Date,Boolean"`
	Help     string `json:"help,omitempty"`
	Example  string `json:"example,omitempty"`
}

type productData struct {
	Product wireProductDetail `json:"product"`
}

type listProductsInput struct {
	OrganizationPath
	Locale string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE"`
}

type productInput struct {
	OrganizationPath
	ProductID string `path:"productId" format:"uuid" minLength:"36" maxLength:"36"`
	Locale    string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE"`
}

func registerProducts(r *api.Router, catalogue *catalogue.Catalogue) {
	api.Register(r, api.Operation{
		ID: "listProducts", Method: http.MethodGet, Path: prefix + "/organizations/{organizationId}/products",
		Tag: "Catalogue", Scope: api.Cancellation,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *listProductsInput) (*api.Response[productsData], error) {
		list, err := catalogue.Products(ctx, in.organization(), cancellation.Locale(in.Locale))
		return api.Result(productsData{Products: api.List(list, toProduct)}, err)
	})

	api.Register(r, api.Operation{
		ID: "getProduct", Method: http.MethodGet, Path: prefix + "/organizations/{organizationId}/products/{productId}",
		Tag: "Catalogue", Scope: api.Cancellation,
		Faults: []apierror.Code{apierror.NotFound, apierror.LocaleNotSupported},
	}, func(ctx context.Context, in *productInput) (*api.Response[productData], error) {
		organizationID, productID := in.organization(), strings.ToLower(in.ProductID)
		p, l, err := catalogue.Product(ctx, organizationID, productID, cancellation.Locale(in.Locale))
		return api.Result(productData{Product: toTemplateProduct(p, l)}, err)
	})
}

func toProduct(p catalogue.Product) wireProduct {
	return wireProduct{
		ProductID: p.ID, OrganizationID: p.OrganizationID, Name: p.Name, Locales: api.List(p.Locales, localeText),
	}
}

func toTemplateProduct(p catalogue.Product, l cancellation.Locale) wireProductDetail {
	return wireProductDetail{
		ProductID: p.ID, OrganizationID: p.OrganizationID, Name: p.Name,
		Template: api.List(p.Fields, func(f catalogue.Field) wireTemplateField {
			return wireTemplateField{
				FieldKey: f.Key, Label: f.Labels[l], Format: f.Pattern(),
				Type: string(f.Type()), Help: f.Help(l), Example: f.Example(),
			}
		}),
	}
}
