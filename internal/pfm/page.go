package pfm

// Page is a page of a list, and the position of the next page.
type Page[T any] struct {
	Items []T
	Next  string
}
