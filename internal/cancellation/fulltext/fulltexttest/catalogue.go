package fulltexttest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"aviso/internal/cancellation"
)

// Catalogue returns n organizations with about as many products, and the names of the
// organizations in the same order.
func Catalogue(r *rand.Rand, n int) ([]cancellation.SearchDocument, []Name) {
	made, from := names(r, n)
	documents := make([]cancellation.SearchDocument, 0, 2*n)
	for i, m := range made {
		id, category := cancellation.OrganizationID(fmt.Sprint("o", i)), cancellation.CategoryID(fmt.Sprint("c", i%40))
		locales := []cancellation.Locale{from[i].locale}
		documents = append(documents, cancellation.SearchDocument{
			Kind: cancellation.SearchOrganization, ID: id, OrganizationID: id, CategoryID: category,
			Name: m.Full, OrganizationName: m.Full,
			URL: fmt.Sprintf("https://www.organization-%d.example/", i), Locales: locales,
		})
		for p := range r.IntN(3) {
			documents = append(documents, cancellation.SearchDocument{
				Kind: cancellation.SearchProduct, ID: cancellation.ProductID(fmt.Sprint("o", i), fmt.Sprint("p", p)),
				OrganizationID: id, CategoryID: category,
				Name: pick(r, strings.Split(from[i].products, ",")), OrganizationName: m.Full, Locales: locales,
			})
		}
	}
	return documents, made
}
