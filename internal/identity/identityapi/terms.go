package identityapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/identity"
)

type wireTerms struct {
	_ struct{} `doc:"Terms and conditions in force."`

	TermsType string `json:"termsType" enum:"Operator,BankingSupplier,CancellationProvider" doc:"Operator: for every user. BankingSupplier: before a bank is connected. CancellationProvider: before a contract is cancelled."`
	Version   string `json:"version" doc:"The version in force."`
	URL       string `json:"url" format:"uri" doc:"The URL of the text to show to the user."`
}

type termsData struct {
	Terms []wireTerms `json:"terms" nullable:"false" doc:"One element for each type."`
}

type wireTermsAcceptance struct {
	_ struct{} `doc:"That a user accepted a version of terms."`

	TermsType  string    `json:"termsType" enum:"Operator,BankingSupplier,CancellationProvider" doc:"The terms that were accepted."`
	Version    string    `json:"version" doc:"The version that was accepted."`
	AcceptedAt time.Time `json:"acceptedAt" doc:"When this version was first accepted."`
}

type termsAcceptanceData struct {
	TermsAcceptance wireTermsAcceptance `json:"termsAcceptance"`
}

type termsAcceptancesData struct {
	TermsAcceptances []wireTermsAcceptance `json:"termsAcceptances" nullable:"false" doc:"What the user accepted, oldest first."`
}

type acceptTermsInput struct {
	UserPath
	Body struct {
		_ struct{} `doc:"The terms that the user accepts."`

		TermsType string `json:"termsType" enum:"Operator,BankingSupplier,CancellationProvider" doc:"The type of the terms."`
		Version   string `json:"version" minLength:"1" maxLength:"64" doc:"The version in force, from GET /identity/v1/terms."`
	}
}

func exampleAcceptance() wireTermsAcceptance {
	return wireTermsAcceptance{
		TermsType: "Operator", Version: "2026-01", AcceptedAt: time.Date(2026, 3, 2, 9, 31, 0, 0, time.UTC),
	}
}

func registerTerms(r *api.Router, agreements *identity.Agreements) {
	api.Register(r, api.Operation{
		ID: "listTerms", Method: http.MethodGet, Path: "/identity/v1/terms", Tag: "Terms", Scope: api.Identity,
		Summary:     "List the terms in force",
		Description: "Users accept exactly these versions. Once a new version is in force, they have to accept again.",
		Answer: termsData{Terms: []wireTerms{{
			TermsType: "Operator", Version: "2026-01", URL: "https://aviso.example/terms/operator/2026-01",
		}}},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[termsData], error) {
		list, err := agreements.Published(ctx)
		if err != nil {
			return nil, err
		}
		return api.OK(termsData{Terms: api.List(list, func(t identity.Terms) wireTerms {
			return wireTerms{TermsType: string(t.Type), Version: t.Version, URL: t.URL}
		})}), nil
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
		response := func(a identity.Acceptance) *api.Response[termsAcceptanceData] {
			return api.With(http.StatusCreated, termsAcceptanceData{TermsAcceptance: toAcceptance(a)})
		}
		return api.Make(ctx, response, func() (identity.Acceptance, error) {
			return agreements.Accept(ctx, in.owner(ctx), identity.TermsType(in.Body.TermsType), in.Body.Version)
		})
	})

	api.Register(r, api.Operation{
		ID: "listTermsAcceptances", Method: http.MethodGet, Path: "/identity/v1/users/{userId}/terms-acceptances",
		Tag: "Terms", Scope: api.Identity,
		Summary:     "List the terms a user accepted",
		Description: "Oldest first, including previous versions.",
		Answer:      termsAcceptancesData{TermsAcceptances: []wireTermsAcceptance{exampleAcceptance()}},
		Faults:      []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *UserPath) (*api.Response[termsAcceptancesData], error) {
		list, err := agreements.List(ctx, in.owner(ctx))
		if err != nil {
			return nil, err
		}
		return api.OK(termsAcceptancesData{TermsAcceptances: api.List(list, toAcceptance)}), nil
	})
}

func toAcceptance(a identity.Acceptance) wireTermsAcceptance {
	return wireTermsAcceptance{TermsType: string(a.Type), Version: a.Version, AcceptedAt: a.AcceptedAt}
}
