package identityapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/identity"
)

type wireErasure struct {
	_ struct{} `doc:"The erasure of a user, as it begins."`

	ErasureID string `json:"erasureId" format:"uuid" doc:"The ID of the receipt. Keep it: nothing else leads to the receipt once the user is erased."`
	Status    string `json:"status" enum:"Running,Completed" doc:"Running until everything is deleted, then Completed."`
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
	ErasureID string `path:"erasureId" format:"uuid" minLength:"36" maxLength:"36" doc:"The erasure, as deleteUser returned it." example:"6f1a0c1e-54f0-4c8e-9a57-0f2f6f6f1c2d"`
}

const exampleErasureID = "6f1a0c1e-54f0-4c8e-9a57-0f2f6f6f1c2d"

func exampleReceipt() erasureReceiptData {
	requested := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	return erasureReceiptData{Erasure: identity.ErasureReceipt{
		ID: exampleErasureID, Status: identity.ErasureCompleted, RequestedAt: requested, CompletedAt: requested.Add(3 * time.Minute),
		Counts: map[string]int{
			"users": 1, "termsAcceptances": 2, "connections": 1, "accounts": 2, "transactions": 412, "storedAnswers": 3,
			"cancellations": 2, "evidence": 2, "letters": 2, "withdrawals": 1, "notifications": 0,
		},
	}}
}

func registerErasures(r *api.Router, users *identity.Users) {
	api.Register(r, api.Operation{
		ID: "deleteUser", Method: http.MethodDelete, Path: "/identity/v1/users/{userId}",
		Tag: "Users", Scope: api.Identity, Status: http.StatusAccepted,
		Summary: "Erase a Partner User",
		Description: "From now on, every call for the user returns 404, including this one, and you can use the " +
			"externalId for a new user. We delete all data of the user within minutes, and then end the " +
			"consents at the banks. If a bank does not respond, we retry for up to an hour. A letter that has " +
			"not been handed to its carrier by now is never sent; `withdrawals` counts these.",
		Answer: erasureData{Erasure: wireErasure{ErasureID: exampleErasureID, Status: string(identity.ErasureRunning)}},
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
		Summary: "Get the receipt of an erasure",
		Description: "The status of the erasure, and how much was erased of each kind. " +
			"The receipt has no personal data, and we keep it.",
		Answer: exampleReceipt(), Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *ErasurePath) (*api.Response[erasureReceiptData], error) {
		e, err := users.Receipt(ctx, api.Partner(ctx), strings.ToLower(in.ErasureID))
		if err != nil {
			return nil, err
		}
		return api.OK(erasureReceiptData{e}), nil
	})
}
