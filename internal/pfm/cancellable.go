package pfm

import (
	_ "embed" // the slugs
	"strings"
)

// cancellableSlugs has the merchants whose contracts can be cancelled, one slug a
// line: those in the column `organization` of the merchants in package enrich. A
// merchant and its organization have the same slug. It is a list of its own so that a
// function that only reads does not link the rules of package enrich.
//
//go:embed cancellable.txt
var cancellableSlugs string

// CancellableMerchants returns the slugs of organizations by merchant ID. It takes
// less than a millisecond for a thousand.
func CancellableMerchants() map[string]string {
	slugs := map[string]string{}
	for slug := range strings.Lines(cancellableSlugs) {
		slug = strings.TrimSpace(slug)
		slugs[MerchantID(slug)] = slug
	}
	return slugs
}
