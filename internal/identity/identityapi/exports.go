package identityapi

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/identity"
)

const (
	// An export can be read for exportLife. Each of its links works for exportLinkLife.
	exportLife     = 24 * time.Hour
	exportLinkLife = time.Hour
)

type exportFile struct {
	Name      string    `json:"name"`
	URL       string    `json:"url" format:"uri"`
	ExpiresAt time.Time `json:"expiresAt"`
}

type wireExport struct {
	ExportID  string       `json:"exportId"`
	Status    string       `json:"status" enum:"Ready"`
	ExpiresAt time.Time    `json:"expiresAt"`
	Files     []exportFile `json:"files" nullable:"false"`
}

type exportData struct {
	Export wireExport `json:"export"`
}

type exportInput struct {
	UserPath
	ExportID string `path:"exportId" minLength:"1" maxLength:"500"`
}

// exportUse is the use of a sealed export as an ID.
const exportUse = "id"

func registerExports(r *api.Router, users *identity.Users) {
	// exportOf returns the export with a new link to each area that the access token may read.
	exportOf := func(ctx context.Context, e api.Export, id string) exportData {
		data := exportData{wireExport{ExportID: id, Status: "Ready", ExpiresAt: e.Until}}
		e.Until = minTime(e.Until, r.Now().Add(exportLinkLife).UTC().Truncate(time.Second))
		for _, area := range []struct {
			scope      api.Scope
			name, path string
		}{
			{api.Identity, "user.zip", "/identity/v1/export"},
			{api.PFM, "banking.zip", "/openbanking/v1/export"},
			{api.Cancellation, "cancellations.zip", "/cancellations/v1/export"},
		} {
			if api.HasScope(ctx, area.scope) {
				link := api.BaseURL(ctx) + area.path + "?ticket=" + url.QueryEscape(r.Seal(e, api.ExportLink))
				data.Export.Files = append(data.Export.Files, exportFile{area.name, link, e.Until})
			}
		}
		return data
	}

	api.Register(r, api.Operation{
		ID: "createExport", Method: http.MethodPost, Path: "/identity/v1/users/{userId}/exports",
		Tag: "Users", Scope: api.Identity, Creates: true, Status: http.StatusAccepted,
		Faults: []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *UserPath) (*api.Response[exportData], error) {
		if _, err := users.Get(ctx, in.owner(ctx)); err != nil {
			return nil, err
		}
		e := api.Export{User: in.owner(ctx), Until: r.Now().Add(exportLife).UTC().Truncate(time.Second)}
		return api.With(http.StatusAccepted, exportOf(ctx, e, r.Seal(e, exportUse))), nil
	})

	api.Register(r, api.Operation{
		ID: "getExport", Method: http.MethodGet, Path: "/identity/v1/users/{userId}/exports/{exportId}",
		Tag: "Users", Scope: api.Identity,
		Faults: []apierror.Code{apierror.UserNotFound, apierror.NotFound},
	}, func(ctx context.Context, in *exportInput) (*api.Response[exportData], error) {
		e, ok := r.Open(in.ExportID, exportUse)
		if !ok || e.User != in.owner(ctx) {
			return nil, apierror.New(apierror.NotFound, "The user has no export with this ID, or its time is up.")
		}
		if _, err := users.Get(ctx, e.User); err != nil {
			return nil, err
		}
		return api.OK(exportOf(ctx, e, in.ExportID)), nil
	})
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
