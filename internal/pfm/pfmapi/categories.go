package pfmapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/pfm"
)

type wireTopCategory struct {
	_ struct{} `doc:"A category of transactions (L1) and its subcategories."`

	CategoryID    int               `json:"categoryId" doc:"L1 ID."`
	CategoryName  string            `json:"categoryName" doc:"Stable name for programs, such as HOUSING. Translate it yourself."`
	Subcategories []wireSubcategory `json:"subcategories" nullable:"false" doc:"The subcategories (L2), ordered by ID. One of them is the catch-all."`
}

type wireSubcategory struct {
	_ struct{} `doc:"A subcategory of transactions (L2)."`

	SubcategoryID   int    `json:"subcategoryId" doc:"L2 ID."`
	SubcategoryName string `json:"subcategoryName" doc:"Stable name for programs, such as HOUSING__Rent. It starts with the name of the category."`
}

type categoriesData struct {
	Categories []wireTopCategory `json:"categories" nullable:"false" doc:"All categories, ordered by ID."`
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
