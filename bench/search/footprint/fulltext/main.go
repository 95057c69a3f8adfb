// Command fulltext holds the index of package fulltext.
package main

import (
	"context"

	"aviso/bench/search/footprint"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
)

func main() {
	footprint.Run(func(_ context.Context, documents []cancellation.SearchDocument) (cancellation.SearchIndex, error) {
		return fulltext.New(documents), nil
	})
}
