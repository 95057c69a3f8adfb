package identityapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/identity"
)

type termsData struct {
	Terms []identity.Terms `json:"terms" nullable:"false" doc:"One element for each type."`
}

type termsAcceptanceData struct {
	TermsAcceptance identity.TermsAcceptance `json:"termsAcceptance"`
}

type termsAcceptancesData struct {
	TermsAcceptances []identity.TermsAcceptance `json:"termsAcceptances" nullable:"false" doc:"What the user accepted, oldest first."`
}

type acceptTermsInput struct {
	UserPath
	Body struct {
		_ struct{} `doc:"The terms that the user accepts."`

		TermsType identity.TermsType `json:"termsType" enum:"Operator,BankingSupplier,CancellationProvider" doc:"The type of the terms."`
		Version   string             `json:"version" minLength:"1" maxLength:"64" doc:"The version in force, from GET /identity/v1/terms."`
	}
}

func exampleAcceptance() identity.TermsAcceptance {
	return identity.TermsAcceptance{
		Type: "Operator", Version: "2026-01", AcceptedAt: time.Date(2026, 3, 2, 9, 31, 0, 0, time.UTC),
	}
}

func registerTerms(r *api.Router, agreements *identity.Agreements) {
	api.Register(r, api.Operation{
		ID: "listTerms", Method: http.MethodGet, Path: "/identity/v1/terms", Tag: "Terms", Scope: api.Identity,
		Summary:     "List the terms in force",
		Description: "Users accept exactly these versions. Once a new version is in force, they have to accept again.",
		Answer: termsData{Terms: []identity.Terms{{
			Type: "Operator", Version: "2026-01", URL: "https://aviso.example/terms/operator/2026-01",
		}}},
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
		Summary:     "Record that a user accepts terms",
		Description: "Only the version in force can be accepted. Accepting it again changes nothing.",
		Request:     map[string]any{"termsType": "Operator", "version": "2026-01"},
		Answer:      termsAcceptanceData{TermsAcceptance: exampleAcceptance()},
		Faults:      []apierror.Code{apierror.UserNotFound},
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
		Summary:     "List the terms a user accepted",
		Description: "Oldest first, including previous versions.",
		Answer:      termsAcceptancesData{TermsAcceptances: []identity.TermsAcceptance{exampleAcceptance()}},
		Faults:      []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *UserPath) (*api.Response[termsAcceptancesData], error) {
		list, err := agreements.List(ctx, in.owner(ctx))
		if err != nil {
			return nil, err
		}
		return api.OK(termsAcceptancesData{TermsAcceptances: list}), nil
	})
}
