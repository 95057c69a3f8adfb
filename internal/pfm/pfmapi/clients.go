package pfmapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/pfm/connection"

	"github.com/google/uuid"
)

type openBankingClientData struct {
	Client wireOpenBankingClient `json:"client"`
}

type wireOpenBankingClient struct {
	ID string `json:"id" format:"uuid"`
}

type createOpenBankingClientInput struct {
	Body struct {
		CountryCode  string `json:"countryCode" pattern:"^[A-Za-z]{2}$" patternDescription:"a two-letter country code"`
		LanguageCode string `json:"languageCode" pattern:"^[a-z]{2,3}$" patternDescription:"a language code of two or three letters in lower case"`
	}
}

// registerClients adds the operation that returned the client IDs which earlier versions of the API
// required. Nothing needs them now, so none are stored: a user's is always the same.
func registerClients(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "createOpenBankingClient", Method: http.MethodPost, Path: prefix + "/clients",
		Tag: "Clients", Scope: api.PFM, ForUser: true, Creates: true,
		Deprecated: &api.Deprecation{
			Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Sunset: time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC),
			Guide: "https://aviso.example/docs/versioning#deprecated",
		},
		Status: http.StatusCreated,
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, in *createOpenBankingClientInput) (*api.Response[openBankingClientData], error) {
		if err := api.CheckCountry(in.Body.CountryCode); err != nil {
			return nil, err
		}
		user := api.User(ctx)
		if err := connections.Gate.Admit(ctx, user); err != nil {
			return nil, err
		}
		url := "https://aviso.example/clients/" + string(user.Partner) + "/" + string(user.ID)
		id := uuid.NewSHA1(uuid.NameSpaceURL, []byte(url))
		return api.With(http.StatusCreated, openBankingClientData{Client: wireOpenBankingClient{ID: id.String()}}), nil
	})
}
