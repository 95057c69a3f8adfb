// Command none holds no index: what it takes, all others take, too.
package main

import (
	"context"

	"aviso/bench/search/footprint"
	"aviso/internal/cancellation"
)

// none finds nothing.
type none struct{}

func (none) Search(string, cancellation.SearchFilter, int, string) (cancellation.SearchPage, error) {
	return cancellation.SearchPage{}, nil
}

func main() {
	footprint.Run(func(context.Context, []cancellation.SearchDocument) (cancellation.SearchIndex, error) {
		return none{}, nil
	})
}
