package cancellation

// SearchKind is what a search document stands for.
type SearchKind string

// The kinds.
const (
	KindOrganization SearchKind = "Organization"
	KindProduct      SearchKind = "Product"
)

// SearchDocument is an organization or a product as the search finds and shows
// it.
type SearchDocument struct {
	Kind SearchKind
	// OrganizationID equals ID for organizations. CategoryID is the
	// organization's.
	ID, OrganizationID, CategoryID string
	// Name is the document's own, OrganizationName the organization's.
	Name, OrganizationName string
	ExtraConsent           bool
	URL                    string
	Locales                []Locale
}
