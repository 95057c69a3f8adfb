package contract

import (
	_ "embed" // the slugs
	"strings"

	"aviso/internal/pfm"
)

// cancellableSlugs lists the merchants whose contracts can be cancelled, one slug per
// line, from the column `organization` of the merchants in package enrich. A merchant
// and its organization have the same slug. The list is separate so that a function
// that only reads does not link the rules of package enrich.
//
//go:embed cancellable.txt
var cancellableSlugs string

// CancellableMerchants returns the slugs of organizations by merchant ID. A thousand
// merchants take less than a millisecond.
func CancellableMerchants() map[string]string {
	slugs := map[string]string{}
	for slug := range strings.Lines(cancellableSlugs) {
		slug = strings.TrimSpace(slug)
		slugs[pfm.MerchantID(slug)] = slug
	}
	return slugs
}
