// Command fts5 holds the index of package fts5. Its argument is the order of the
// hits.
package main

import (
	"context"
	"os"

	"aviso/bench/search/footprint"
	"aviso/bench/search/fts5"
	"aviso/internal/cancellation"
)

func main() {
	footprint.Run(func(ctx context.Context, documents []cancellation.SearchDocument) (cancellation.SearchIndex, error) {
		return fts5.New(ctx, documents, fts5.Order(os.Args[1]))
	})
}
