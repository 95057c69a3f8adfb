package app

import (
	"context"
	"io"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
)

// catalogueStore is what an import needs of the cancellation table.
type catalogueStore interface {
	cancellation.ImportStore
	cancellation.ImportLeases
	cancellation.SearchSnapshot
}

// importCatalogue brings the stored catalogue to the state of a file. The error
// is *cataloguefile.Invalid when the file is not valid, or holds what no letter
// can say; nothing is written then.
func importCatalogue(ctx context.Context, store catalogueStore, file io.Reader, dryRun bool, progress func(done, total int)) (cancellation.ImportResult, error) {
	edition, err := cataloguefile.Parse(file, letter.New())
	if err != nil {
		return cancellation.ImportResult{}, err
	}
	return cancellation.NewImporter(store, store, store, time.Now, newID).Import(ctx, edition, dryRun, progress)
}
