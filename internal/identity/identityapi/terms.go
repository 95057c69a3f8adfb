package identityapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/identity"
)

type termsData struct {
	Terms []identity.Terms `json:"terms" nullable:"false"`
}

type termsAcceptanceData struct {
	TermsAcceptance identity.TermsAcceptance `json:"termsAcceptance"`
}

type termsAcceptancesData struct {
	TermsAcceptances []identity.TermsAcceptance `json:"termsAcceptances" nullable:"false"`
}

type acceptTermsInput struct {
	UserPath
	Body struct {
		TermsType identity.TermsType `json:"termsType" enum:"Operator,BankingSupplier,CancellationProvider"`
		Version   string             `json:"version" minLength:"1" maxLength:"64"`
	}
}

func registerTerms(r *api.Router, agreements *identity.Agreements) {
	api.Register(r, api.Operation{
		ID: "listTerms", Method: http.MethodGet, Path: "/identity/v1/terms", Tag: "Terms", Scope: api.Identity,
	}, func(ctx context.Context, _ *struct{}) (*api.Response[termsData], error) {
		list, err := agreements.Published(ctx)
		if err != nil {
			return nil, err
		}
		return api.OK(termsData{Terms: list}), nil
	})

	api.Register(r, api.Operation{
		ID: "acceptTerms", Method: http.MethodPost, Path: "/identity/v1/users/{userId}/terms-acceptances", Tag: "Terms",
		Scope: api.Identity, Creates: true, Status: http.StatusCreated,
		Faults: []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *acceptTermsInput) (*api.Response[termsAcceptanceData], error) {
		response := func(a identity.TermsAcceptance) *api.Response[termsAcceptanceData] {
			return api.With(http.StatusCreated, termsAcceptanceData{TermsAcceptance: a})
		}
		return api.Make(ctx, response, func(also idempotency.Effect[identity.TermsAcceptance]) (identity.TermsAcceptance, error) {
			return agreements.Accept(ctx, in.owner(ctx), in.Body.TermsType, in.Body.Version, also)
		})
	})

	api.Register(r, api.Operation{
		ID: "listTermsAcceptances", Method: http.MethodGet, Path: "/identity/v1/users/{userId}/terms-acceptances",
		Tag: "Terms", Scope: api.Identity,
		Faults: []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *UserPath) (*api.Response[termsAcceptancesData], error) {
		list, err := agreements.List(ctx, in.owner(ctx))
		if err != nil {
			return nil, err
		}
		return api.OK(termsAcceptancesData{TermsAcceptances: list}), nil
	})
}
