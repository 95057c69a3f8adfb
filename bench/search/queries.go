package main

import (
	"math/rand/v2"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

// query is a query with its filter.
type query struct {
	text   string
	filter cancellation.SearchFilter
}

// kind is queries that are alike.
type kind struct {
	name    string
	queries []query
}

func kindsOfQuery(r *rand.Rand, documents []cancellation.SearchDocument, made []fulltexttest.Name) []kind {
	misspelt := fulltexttest.Misspelt(r, made, 1000)
	var whole, typos, typing, filtered, common []query
	for i, typed := range fulltexttest.Typing(r, misspelt) {
		whole, typos, typing = append(whole, query{text: misspelt[i].Wanted}), append(typos, query{text: misspelt[i].Text}), append(typing, query{text: typed})
		d := documents[r.IntN(len(documents))]
		filtered = append(filtered, query{typed, cancellation.SearchFilter{CategoryID: d.CategoryID, Locale: d.Locales[0]}})
	}
	for range 10 {
		for _, text := range fulltexttest.Common() {
			common = append(common, query{text: text})
		}
	}
	return []kind{
		{"full names", whole},
		{"names with a typo", typos},
		{"while typing, often with a typo", typing},
		{"the same in a locale and category", filtered},
		{"words that thousands have", common},
	}
}
