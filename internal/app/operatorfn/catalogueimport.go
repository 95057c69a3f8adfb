package operatorfn

import (
	"context"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/app/bootstrap"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/letter"
)

// NewImporter returns an importer for the named tables.
func NewImporter(db *dynamodb.Client, table, outboxTable string) *cancellation.Importer {
	store := cancellationdb.New(db, table, outboxTable, time.Now, bootstrap.NewID)
	return cancellation.NewImporter(store, fulltext.NewStore(db, table, time.Now), time.Now, bootstrap.NewID)
}

// ImportCatalogue replaces the stored catalogue with that of a file. If the file is invalid,
// or has text that a letter cannot show, it returns a *jsonschema.Invalid and
// writes nothing.
func ImportCatalogue(
	ctx context.Context, importer *cancellation.Importer, file io.Reader, dryRun bool, progress func(done, total int),
) (cancellation.ImportResult, error) {
	edition, err := cataloguefile.Parse(file, letter.Writer{})
	if err != nil {
		return cancellation.ImportResult{}, err
	}
	return importer.Import(ctx, edition, dryRun, progress)
}
