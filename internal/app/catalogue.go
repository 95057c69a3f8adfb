package app

import (
	"context"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
	"aviso/internal/cancellation/snapshotdb"
)

// catalogueStore is what an import needs of the cancellation table.
type catalogueStore interface {
	cancellation.ImportStore
	cancellation.ImportLeases
	cancellation.SearchSnapshot
}

func newCatalogueStore(db *dynamodb.Client, table, outboxTable string) catalogueStore {
	return struct {
		*cancellationdb.Store
		cancellation.SearchSnapshot
	}{cancellationdb.New(db, table, outboxTable, time.Now, newID), snapshotdb.New(db, table, time.Now)}
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
