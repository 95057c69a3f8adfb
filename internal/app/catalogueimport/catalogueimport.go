// Package catalogueimport brings the catalogue of cancellations to the state of a
// file.
package catalogueimport

import (
	"context"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/app/wiring"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
	"aviso/internal/cancellation/snapshotdb"
)

// Store is what an import needs of the cancellation table.
type Store interface {
	cancellation.ImportStore
	cancellation.ImportLeases
	cancellation.SearchSnapshot
}

// NewStore is the one in the named tables.
func NewStore(db *dynamodb.Client, table, outboxTable string) Store {
	return struct {
		*cancellationdb.Store
		cancellation.SearchSnapshot
	}{cancellationdb.New(db, table, outboxTable, time.Now, wiring.NewID), snapshotdb.New(db, table, time.Now)}
}

// Import brings the stored catalogue to the state of a file. The error
// is *jsonlines.Invalid when the file is not valid, or holds what no letter
// can say; nothing is written then.
func Import(ctx context.Context, store Store, file io.Reader, dryRun bool, progress func(done, total int)) (cancellation.ImportResult, error) {
	edition, err := cataloguefile.Parse(file, letter.New())
	if err != nil {
		return cancellation.ImportResult{}, err
	}
	return cancellation.NewImporter(store, store, store, time.Now, wiring.NewID).Import(ctx, edition, dryRun, progress)
}
