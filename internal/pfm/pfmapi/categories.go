package pfmapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/pfm"
)

type wireTopCategory struct {
	CategoryID    int               `json:"categoryId"`
	CategoryName  string            `json:"categoryName"`
	Subcategories []wireSubcategory `json:"subcategories" nullable:"false"`
}

type wireSubcategory struct {
	SubcategoryID   int    `json:"subcategoryId"`
	SubcategoryName string `json:"subcategoryName"`
}

type categoriesData struct {
	Categories []wireTopCategory `json:"categories" nullable:"false"`
}

func registerCategories(r *api.Router) {
	api.Register(r, api.Operation{
		ID: "listTransactionCategories", Method: http.MethodGet, Path: prefix + "/categories",
		Tag: "Transactions", Scope: api.PFM,
		Summary:     "List the transaction categories",
		Description: "Top-level categories (L1) with their subcategories (L2), ordered by ID.",
		Answer: categoriesData{Categories: []wireTopCategory{{
			CategoryID: 500, CategoryName: "HOUSING",
			Subcategories: []wireSubcategory{{SubcategoryID: 501, SubcategoryName: "HOUSING__Rent"}},
		}}},
	}, func(context.Context, *struct{}) (*api.Response[categoriesData], error) {
		return api.OK(categoriesData{Categories: api.List(pfm.Taxonomy(), toTopCategory)}), nil
	})
}

func toTopCategory(t pfm.TopCategory) wireTopCategory {
	return wireTopCategory{
		CategoryID: t.ID, CategoryName: t.Name,
		Subcategories: api.List(t.Subcategories, func(c pfm.Category) wireSubcategory {
			return wireSubcategory{SubcategoryID: c.SubcategoryID, SubcategoryName: c.SubcategoryName}
		}),
	}
}
