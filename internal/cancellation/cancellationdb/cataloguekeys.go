package cancellationdb

import (
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
	"aviso/internal/fold"
)

// The keys of the catalogue; docs/data-model.md lists what reads and writes them.
const (
	pkCategories   = "CATEGORIES"
	skCategories   = "CATEGORIES"
	skOrganization = "ORGANIZATION"
	productPrefix  = "PRODUCT#"
	// What imports work with: the version, the lease, and one row for each
	// organization that is stored.
	pkCatalogue    = "CATALOGUE"
	skVersion      = "VERSION"
	skImportLease  = "LEASE"
	imprintPrefix  = "ORGANIZATION#"
	maxFoldedBytes = 512 // of a name in a key; a sort key takes 1,024
)

func organizationKey(id string) (pk, sk string) { return "ORGANIZATION#" + id, skOrganization }

func productKey(organizationID, id string) (pk, sk string) {
	return "ORGANIZATION#" + organizationID, productPrefix + id
}

func imprintKey(organizationID string) (pk, sk string) {
	return pkCatalogue, imprintPrefix + organizationID
}

// listKey is one list of organizations; locale and category may be *, for all.
func listKey(locale, categoryID string) (pk string) {
	return "ORGANIZATIONS#" + locale + "#" + categoryID
}

// listSort orders organizations by name.
func listSort(name, id string) (sk string) {
	folded := fold.Name(name)
	if len(folded) > maxFoldedBytes {
		folded = strings.ToValidUTF8(folded[:maxFoldedBytes], "")
	}
	return folded + "#" + id
}

// placesOf are all keys under which lists hold an organization.
func placesOf(id string, p cancellation.Placement) []rowKey {
	sk := listSort(p.Name, id)
	keys := make([]rowKey, 0, 2*len(p.Locales)+2)
	for _, l := range append([]string{"*"}, texts(p.Locales)...) {
		keys = append(keys, rowKey{listKey(l, "*"), sk}, rowKey{listKey(l, p.CategoryID), sk})
	}
	return keys
}

// rowKey is a row's key, fit to be compared.
type rowKey struct{ pk, sk string }

func (k rowKey) item() dynamo.Item { return dynamo.LegacyKey(k.pk, k.sk) }

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
