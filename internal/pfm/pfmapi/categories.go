package pfmapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/pfm"
)

type categoriesData struct {
	Categories []pfm.TopCategory `json:"categories" nullable:"false"`
}

func registerCategories(r *api.Router) {
	api.Register(r, api.Operation{
		ID: "listTransactionCategories", Method: http.MethodGet, Path: prefix + "/categories",
		Tag: "Transactions", Scope: api.PFM,
	}, func(context.Context, *struct{}) (*api.Response[categoriesData], error) {
		return api.OK(categoriesData{Categories: pfm.Taxonomy()}), nil
	})
}
