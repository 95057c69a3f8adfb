package cancellation

// SearchFilter narrows a search; empty fields do not.
type SearchFilter struct {
	Locale     Locale
	CategoryID string
}

// SearchPage is a page of what was found, best first in each list.
type SearchPage struct {
	Organizations, Products []SearchDocument
	// Next is the position of the following page; empty at the end of both.
	Next string
}
