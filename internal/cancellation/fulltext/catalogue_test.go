package fulltext_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
)

// The tests search large catalogues with queries that people might type. Everything is invented
// from parts of names from ten countries.

// seeded returns a reproducible source of random numbers.
func seeded(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 1))
}

// randomCatalogue returns n organizations with about as many products, and the names of the
// organizations in the same order.
func randomCatalogue(r *rand.Rand, n int) ([]catalogue.SearchDocument, []organizationName) {
	made, from := names(r, n)
	documents := make([]catalogue.SearchDocument, 0, 2*n)
	for i, m := range made {
		id, category := catalogue.OrganizationID(fmt.Sprint("o", i)), catalogue.CategoryID(fmt.Sprint("c", i%40))
		locales := []cancellation.Locale{from[i].locale}
		o := catalogue.SearchDocument{
			Kind: catalogue.SearchOrganization, ID: id, OrganizationID: id, CategoryID: category,
			Name: m.Full, OrganizationName: m.Full,
			URL: fmt.Sprintf("https://www.organization-%d.example/", i), Locales: locales,
		}
		documents = append(documents, o)
		for p := range r.IntN(3) {
			o.Kind, o.ID = catalogue.SearchProduct, catalogue.ProductID(fmt.Sprint("o", i), fmt.Sprint("p", p))
			o.Name = pick(r, strings.Split(from[i].products, ","))
			documents = append(documents, o)
		}
	}
	return documents, made
}
