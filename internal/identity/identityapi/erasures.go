package identityapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/identity"
)

type wireErasure struct {
	ErasureID string `json:"erasureId" format:"uuid"`
	Status    string `json:"status" enum:"Running,Completed"`
}

type erasureData struct {
	Erasure wireErasure `json:"erasure"`
}

type erasureReceiptData struct {
	Erasure identity.ErasureReceipt `json:"erasure"`
}

// ErasurePath is the path of one erasure. It is exported because Huma reads only
// embedded fields of exported types.
type ErasurePath struct {
	ErasureID string `path:"erasureId" format:"uuid" minLength:"36" maxLength:"36"`
}

func registerErasures(r *api.Router, users *identity.Users) {
	api.Register(r, api.Operation{
		ID: "deleteUser", Method: http.MethodDelete, Path: "/identity/v1/users/{userId}",
		Tag: "Users", Scope: api.Identity, Status: http.StatusAccepted,
		Faults: []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *UserPath) (*api.Response[erasureData], error) {
		e, err := users.Erase(ctx, in.owner(ctx))
		if err != nil {
			return nil, err
		}
		return api.With(http.StatusAccepted, erasureData{
			Erasure: wireErasure{ErasureID: e.ID, Status: string(e.Status)},
		}), nil
	})

	api.Register(r, api.Operation{
		ID: "getErasure", Method: http.MethodGet, Path: "/identity/v1/erasures/{erasureId}",
		Tag: "Users", Scope: api.Identity,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *ErasurePath) (*api.Response[erasureReceiptData], error) {
		e, err := users.Receipt(ctx, api.Partner(ctx), strings.ToLower(in.ErasureID))
		if err != nil {
			return nil, err
		}
		return api.OK(erasureReceiptData{e}), nil
	})
}
