package cancellation

// SearchKind is the kind of a search document.
type SearchKind string

// The kinds.
const (
	SearchOrganization SearchKind = "Organization"
	SearchProduct      SearchKind = "Product"
)

// SearchDocument is an active organization or product in the search. It has all the
// data that a search response shows.
type SearchDocument struct {
	Kind SearchKind
	// ID is the ID of the organization or product.
	ID string
	// OrganizationID equals ID for an organization.
	OrganizationID string
	// CategoryID is the category of the organization.
	CategoryID string
	// CategoryNames are the category's names in all languages, for the index only: hits have
	// none.
	CategoryNames []string
	Name          string
	// OrganizationName equals Name for an organization.
	OrganizationName string
	// ExtraConsent, URL, Unconfirmed and Source belong to the organization.
	ExtraConsent, Unconfirmed bool
	URL, Source               string
	Locales                   []Locale
}
