package pfmapi

import (
	"context"
	"maps"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

type wireProvider struct {
	ID                    string            `json:"id" format:"uuid"`
	CountryCode           string            `json:"countryCode"`
	Name                  string            `json:"name"`
	Logo                  string            `json:"logo" format:"uri"`
	Status                string            `json:"status" enum:"Active,Inactive,Disabled"`
	SupportedAccountTypes []string          `json:"supportedAccountTypes" enum:"CurrentAccount,SavingAccount,BonusAccount,CreditCard,Loan,Mortgage,Overdraft,Investment,Insurance,Cash,General" nullable:"false"`
	Timezone              string            `json:"timezone"`
	RefreshTimeoutMinutes int               `json:"refreshTimeoutMinutes"`
	MaxConsentDays        int               `json:"maxConsentDays"`
	Regulated             bool              `json:"regulated"`
	MaxFetchInterval      int               `json:"maxFetchInterval"`
	AutomaticFetch        *bool             `json:"automaticFetch,omitempty"`
	Meta                  map[string]string `json:"meta" nullable:"false"`
}

type providersData struct {
	Providers []wireProvider `json:"providers" nullable:"false"`
}

type providerData struct {
	Provider wireProvider `json:"provider"`
}

type countriesData struct {
	Countries []pfm.ProviderCountry `json:"countries" nullable:"false"`
}

type listProvidersInput struct {
	api.Page
	CountryCode        string `query:"countryCode" pattern:"^[A-Za-z]{2}$" patternDescription:"a two-letter country code"`
	ProviderNameFilter string `query:"providerNameFilter" maxLength:"100"`
	BIC                string `query:"bic" pattern:"^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$" patternDescription:"a BIC of 8 or 11 characters"`
	BankCode           string `query:"bankCode" pattern:"^[A-Za-z0-9-]{1,20}$" patternDescription:"1 to 20 letters, digits and hyphens"`
}

type providerInput struct {
	ProviderID string `path:"providerId" format:"uuid" minLength:"36" maxLength:"36"`
}

func registerProviders(r *api.Router, providers *pfm.Providers) {
	api.Register(r, api.Operation{
		ID: "listProviders", Method: http.MethodGet, Path: prefix + "/providers", Tag: "Providers", Scope: api.PFM,
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *listProvidersInput) (*api.Response[providersData], error) {
		filter := pfm.ProviderFilter{
			CountryCode: strings.ToUpper(in.CountryCode), NamePart: textfold.Name(in.ProviderNameFilter),
			BIC: pfm.CodeBIC.Fold(in.BIC), BankCode: pfm.CodeBank.Fold(in.BankCode),
		}
		if in.ProviderNameFilter != "" && filter.NamePart == "" {
			return nil, apierror.Invalid(apierror.Field{
				Parameter: "providerNameFilter", Code: "invalid",
				Detail: "The filter must contain a letter or a digit.",
			})
		}
		return api.Paged(ctx, r, in.NextToken, func(position string) (providersData, string, error) {
			page, next, err := providers.List(ctx, filter, in.Limit, position)
			return providersData{api.List(page, toProvider)}, next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "listProviderCountries", Method: http.MethodGet, Path: prefix + "/providers/countries",
		Tag: "Providers", Scope: api.PFM,
	}, func(ctx context.Context, _ *struct{}) (*api.Response[countriesData], error) {
		list, err := providers.Store.Countries(ctx)
		return api.OK(countriesData{list}), err
	})

	api.Register(r, api.Operation{
		ID: "getProvider", Method: http.MethodGet, Path: prefix + "/providers/{providerId}",
		Tag: "Providers", Scope: api.PFM,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *providerInput) (*api.Response[providerData], error) {
		p, err := providers.Get(ctx, strings.ToLower(in.ProviderID))
		return api.OK(providerData{toProvider(p)}), err
	})
}

func toProvider(p pfm.Provider) wireProvider {
	meta := map[string]string{"supplier": string(p.Endpoint.Supplier())}
	maps.Copy(meta, p.Meta)
	return wireProvider{
		ID: p.ID, CountryCode: p.CountryCode, Name: p.Name, Logo: p.LogoURL, Status: string(p.Status),
		SupportedAccountTypes: api.List(p.SupportedAccountTypes, func(t pfm.AccountType) string { return string(t) }),
		Timezone:              p.Timezone, RefreshTimeoutMinutes: p.RefreshTimeoutMinutes,
		MaxConsentDays: p.ConsentDays(), Regulated: p.Regulated, MaxFetchInterval: p.MaxFetchInterval,
		AutomaticFetch: p.AutomaticFetch, Meta: meta,
	}
}
