package identityapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

type wireUser struct {
	UserID owner.UserID `json:"userId" format:"uuid"`
	identity.User
}

type userData struct {
	User wireUser `json:"user"`
}

type createUserInput struct {
	Body struct {
		ExternalID   string `json:"externalId,omitempty" minLength:"1" maxLength:"255"`
		CountryCode  string `json:"countryCode" pattern:"^[A-Z]{2}$" patternDescription:"a two-letter country code in upper case"`
		LanguageCode string `json:"languageCode" pattern:"^[a-z]{2,3}$" patternDescription:"a language code of two or three letters in lower case"`
	}
}

type updateUserInput struct {
	UserPath
	Body struct {
		ExternalID   string `json:"externalId,omitempty" minLength:"1" maxLength:"255"`
		CountryCode  string `json:"countryCode,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"a two-letter country code in upper case"`
		LanguageCode string `json:"languageCode,omitempty" pattern:"^[a-z]{2,3}$" patternDescription:"a language code of two or three letters in lower case"`
	}
}

// UserPath is the path of one user. It is exported because Huma reads only embedded
// fields of exported types.
type UserPath struct {
	UserID string `path:"userId" format:"uuid" minLength:"36" maxLength:"36"`
}

func (in createUserInput) user() identity.NewUser {
	return identity.NewUser{
		ExternalID: in.Body.ExternalID, CountryCode: in.Body.CountryCode, LanguageCode: in.Body.LanguageCode,
	}
}

func (in UserPath) owner(ctx context.Context) owner.User {
	return owner.User{Partner: api.Partner(ctx), ID: owner.UserID(strings.ToLower(in.UserID))}
}

type findUserInput struct {
	ExternalID string `query:"externalId" required:"true" minLength:"1" maxLength:"255"`
}

func registerUsers(r *api.Router, users *identity.Users) {
	api.Register(r, api.Operation{
		ID: "createUser", Method: http.MethodPost, Path: "/identity/v1/users",
		Tag: "Users", Scope: api.Identity, Creates: true, Status: http.StatusCreated, AlsoOK: http.StatusOK,
		Faults: []apierror.Code{apierror.Conflict},
	}, func(ctx context.Context, in *createUserInput) (*api.Response[userData], error) {
		made := func(u identity.User) *api.Response[userData] { return api.With(http.StatusCreated, toUserData(u)) }
		if err := api.CheckCountry(in.Body.CountryCode); err != nil {
			return nil, err
		}
		u, created, err := users.Create(ctx, api.Partner(ctx), in.user(), api.Effect(ctx, made))
		if err != nil {
			return nil, err
		}
		if created {
			return made(u), nil
		}
		return api.OK(toUserData(u)), nil
	})

	api.Register(r, api.Operation{
		ID: "findUser", Method: http.MethodGet, Path: "/identity/v1/users", Tag: "Users", Scope: api.Identity,
		Faults: []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *findUserInput) (*api.Response[userData], error) {
		return oneUser(users.ByExternalID(ctx, api.Partner(ctx), in.ExternalID))
	})

	api.Register(r, api.Operation{
		ID: "getUser", Method: http.MethodGet, Path: "/identity/v1/users/{userId}",
		Tag: "Users", Scope: api.Identity,
		Faults: []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *UserPath) (*api.Response[userData], error) {
		return oneUser(users.Get(ctx, in.owner(ctx)))
	})

	api.Register(r, api.Operation{
		ID: "updateUser", Method: http.MethodPatch, Path: "/identity/v1/users/{userId}",
		Tag: "Users", Scope: api.Identity,
		Faults: []apierror.Code{apierror.UserNotFound, apierror.Conflict},
	}, func(ctx context.Context, in *updateUserInput) (*api.Response[userData], error) {
		if err := api.CheckCountry(in.Body.CountryCode); err != nil {
			return nil, err
		}
		return oneUser(users.Update(ctx, in.owner(ctx), identity.NewUser(in.Body)))
	})
}

func oneUser(u identity.User, err error) (*api.Response[userData], error) {
	if err != nil {
		return nil, err
	}
	return api.OK(toUserData(u)), nil
}

func toUserData(u identity.User) userData { return userData{wireUser{UserID: u.Owner.ID, User: u}} }
