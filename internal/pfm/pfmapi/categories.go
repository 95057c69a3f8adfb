package pfmapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/pfm"
)

type categoriesData struct {
	Categories []pfm.TopCategory `json:"categories" nullable:"false" doc:"All categories, ordered by ID."`
}

func registerCategories(r *api.Router) {
	api.Register(r, api.Operation{
		ID: "listTransactionCategories", Method: http.MethodGet, Path: prefix + "/categories",
		Tag: "Transactions", Scope: api.PFM,
		Summary:     "List the transaction categories",
		Description: "Top-level categories (L1) with their subcategories (L2), ordered by ID.",
		Answer: categoriesData{Categories: []pfm.TopCategory{{
			ID: 500, Name: "HOUSING", Subcategories: []pfm.Subcategory{{ID: 501, Name: "HOUSING__Rent"}},
		}}},
	}, func(context.Context, *struct{}) (*api.Response[categoriesData], error) {
		return api.OK(categoriesData{Categories: pfm.Taxonomy()}), nil
	})
}
