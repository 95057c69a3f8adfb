package cancellation

// SearchKind is what a search document stands for.
type SearchKind string

// The kinds.
const (
	SearchOrganization SearchKind = "Organization"
	SearchProduct      SearchKind = "Product"
)

// SearchDocument is what the search knows of one organization or product that
// is on offer. It holds all that an answer shows.
type SearchDocument struct {
	Kind SearchKind
	// ID is the organization's or the product's.
	ID string
	// OrganizationID is the same as ID where an organization is meant.
	OrganizationID string
	// CategoryID is the organization's, for its products, too.
	CategoryID string
	Name       string
	// OrganizationName is the same as Name where an organization is meant.
	OrganizationName string
	// ExtraConsent and URL are the organization's; URL may be empty.
	ExtraConsent bool
	URL          string
	Locales      []Locale
}
