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
	_ struct{} `doc:"A bank that users can connect."`

	ID                    string            `json:"id" format:"uuid" doc:"Identifies the bank when you connect it."`
	CountryCode           string            `json:"countryCode" doc:"Country of the bank (ISO 3166-1 alpha-2), in upper case."`
	Name                  string            `json:"name" doc:"The bank's name, for the user."`
	Logo                  string            `json:"logo" format:"uri" doc:"Address of the bank's logo, an image."`
	Status                string            `json:"status" enum:"Active,Inactive,Disabled" doc:"Only Active banks can be connected. Inactive: for the time being not. Disabled: no longer."`
	SupportedAccountTypes []string          `json:"supportedAccountTypes" enum:"CurrentAccount,SavingAccount,BonusAccount,CreditCard,Loan,Mortgage,Overdraft,Investment,Insurance,Cash,General" nullable:"false" doc:"The kinds of accounts that the bank shares."`
	Timezone              string            `json:"timezone" doc:"Time zone of the bank (IANA), such as Europe/Berlin."`
	RefreshTimeoutMinutes int               `json:"refreshTimeoutMinutes" doc:"The minutes that must pass between two refreshes."`
	MaxConsentDays        int               `json:"maxConsentDays" doc:"For how many days a consent is valid at most. Then the user has to authorise again."`
	Regulated             bool              `json:"regulated" doc:"Whether we reach the bank through its PSD2 interface."`
	MaxFetchInterval      int               `json:"maxFetchInterval" doc:"How many days of history the bank provides."`
	AutomaticFetch        *bool             `json:"automaticFetch,omitempty" doc:"Whether accounts are refreshed without the user. Absent means no."`
	Meta                  map[string]string `json:"meta" nullable:"false" doc:"More about the provider. supplier is Xs2a if we call the bank ourselves, Aggregator if an aggregator does. scaApproaches says how its users authorise, separated by commas: Redirect, OAuth2, Decoupled. bic and bankCode are the bank's codes, separated by commas if there are several."`
}

type providersData struct {
	Providers []wireProvider `json:"providers" nullable:"false" doc:"One page of banks."`
}

type providerData struct {
	Provider wireProvider `json:"provider"`
}

type countriesData struct {
	Countries []pfm.ProviderCountry `json:"countries" nullable:"false" doc:"The countries, ordered by code."`
}

type listProvidersInput struct {
	api.Page
	CountryCode        string `query:"countryCode" pattern:"^[A-Za-z]{2}$" patternDescription:"a two-letter country code" doc:"Only providers in this country. Case does not matter." example:"DE"`
	ProviderNameFilter string `query:"providerNameFilter" maxLength:"100" doc:"Only providers with this text in their name. Case, accents and the spelling of umlauts do not matter: töchter, toechter and tochter are the same." example:"linden"`
	BIC                string `query:"bic" pattern:"^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$" patternDescription:"a BIC of 8 or 11 characters" doc:"Only providers with this BIC. Case does not matter, and a BIC without branch is the same as one that ends with XXX." example:"LIMADE00XXX"`
	BankCode           string `query:"bankCode" pattern:"^[A-Za-z0-9-]{1,20}$" patternDescription:"1 to 20 letters, digits and hyphens" doc:"Only providers with this national bank code, such as a German Bankleitzahl. Case does not matter." example:"99050010"`
}

type providerInput struct {
	ProviderID string `path:"providerId" format:"uuid" minLength:"36" maxLength:"36" doc:"The bank, from listProviders. The example is a bank of the sandbox." example:"1f53d5c5-eec9-5e1b-8ec6-367246dc65aa"`
}

func exampleProvider() wireProvider {
	automatic := true
	return wireProvider{
		ID: "1f53d5c5-eec9-5e1b-8ec6-367246dc65aa", CountryCode: "DE",
		Name: "Lindenmark Sparbank", Logo: "http://localhost:3000/sandbox/banks/lindenmark/logo.svg",
		Status: "Active", SupportedAccountTypes: []string{"CurrentAccount", "SavingAccount", "CreditCard"},
		Timezone:              "Europe/Berlin",
		RefreshTimeoutMinutes: 5, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 730,
		AutomaticFetch: &automatic, Meta: map[string]string{"supplier": "Xs2a", "bic": "LIMADE00XXX", "bankCode": "99050010"},
	}
}

func registerProviders(r *api.Router, providers *pfm.Providers) {
	api.Register(r, api.Operation{
		ID: "listProviders", Method: http.MethodGet, Path: prefix + "/providers", Tag: "Providers", Scope: api.PFM,
		Summary:     "List or search banks",
		Description: "Ordered by name. With bic or bankCode, ordered by country.",
		Answer:      providersData{Providers: []wireProvider{exampleProvider()}},
		Faults:      []apierror.Code{apierror.InvalidNextToken},
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
		Summary:     "List countries that have banks",
		Description: "Countries with at least one bank, ordered by code.",
		Answer:      countriesData{Countries: []pfm.ProviderCountry{{Code: "DE", ProviderCount: 3}}},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[countriesData], error) {
		list, err := providers.Store.Countries(ctx)
		return api.OK(countriesData{list}), err
	})

	api.Register(r, api.Operation{
		ID: "getProvider", Method: http.MethodGet, Path: prefix + "/providers/{providerId}",
		Tag: "Providers", Scope: api.PFM,
		Summary: "Get a bank", Description: "One bank by its ID.",
		Answer: providerData{Provider: exampleProvider()}, Faults: []apierror.Code{apierror.NotFound},
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
