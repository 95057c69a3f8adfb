package aviso

import "iter"

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// NextToken is the NextToken of the parameters for the next page; empty on the last one.
	NextToken string
}

// allPages yields what is on all pages, reading each when it is needed. It ends with the first
// error.
func allPages[T any](read func(token string) (*Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for token := ""; ; {
			page, err := read(token)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			if token = page.NextToken; token == "" {
				return
			}
		}
	}
}

// Collect returns all items of a list.
func Collect[T any](list iter.Seq2[T, error]) ([]T, error) {
	var items []T
	for item, err := range list {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
