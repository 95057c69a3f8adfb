package operatorfn

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/api/apierror"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/letter"
	"aviso/internal/jsonschema"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/pfm/enablebanking"
)

// shownErrors and shownIDs keep a response well below Lambda's limit of 6 MB.
const (
	shownErrors = 1000
	shownIDs    = 1000
)

// importAnswer is the answer of an import. If there are errors, of which it has the first
// shownErrors, nothing was changed. errorCount is at most jsonschema.MaxProblems.
func importAnswer(dryRun bool, invalid *jsonschema.Invalid, changes answer) answer {
	list := []answer{}
	changes["dryRun"], changes["errorCount"] = dryRun, 0
	if invalid != nil {
		changes["errorCount"] = len(invalid.Problems)
		for _, p := range invalid.Problems[:min(len(invalid.Problems), shownErrors)] {
			list = append(list, answer{"line": p.Line, "path": p.Path, "problem": p.Text})
		}
	}
	changes["errors"] = list
	return changes
}

func (o *operations) importCatalogue(ctx context.Context, e event) (any, error) {
	if len(e.File) == 0 {
		return nil, errNoFile()
	}
	result, err := ImportCatalogue(ctx, o.catalogue, bytes.NewReader(e.File), e.DryRun,
		func(done, total int) { slog.InfoContext(ctx, "catalogue import", "done", done, "total", total) })
	if invalid, ok := errors.AsType[*jsonschema.Invalid](err); ok {
		return catalogueAnswer(e, cancellation.ImportResult{}, invalid), nil
	}
	if err != nil {
		return nil, err
	}
	slog.InfoContext(ctx, "catalogue imported", "dryRun", e.DryRun, "version", result.Version,
		"new", result.New, "changed", result.Changed, "removed", result.Removed, "unchanged", result.Unchanged)
	return catalogueAnswer(e, result, nil), nil
}

func catalogueAnswer(e event, r cancellation.ImportResult, invalid *jsonschema.Invalid) answer {
	return importAnswer(e.DryRun, invalid, answer{
		"version": r.Version, "new": r.New, "changed": r.Changed, "removed": r.Removed, "unchanged": r.Unchanged,
		"newSlugs": orEmpty(r.NewSlugs), "changedSlugs": orEmpty(r.ChangedSlugs), "removedSlugs": orEmpty(r.RemovedSlugs),
	})
}

func errNoFile() error {
	return apierror.New(apierror.ValidationFailed, "file is required: the content of the file in base64.")
}

func (o *operations) importProviders(ctx context.Context, e event) (any, error) {
	if len(e.File) == 0 {
		return nil, errNoFile()
	}
	// Sandboxes use http; real banks never do.
	list, err := bankcheck.ParseProviders(e.File, o.stage == config.Local || o.stage == config.Test)
	if invalid, ok := errors.AsType[*jsonschema.Invalid](err); ok {
		return providersAnswer(e.DryRun, pfm.ProviderImport{}, invalid), nil
	}
	if err != nil {
		return nil, err
	}
	result, err := o.writeProviders(ctx, list, e.DryRun, e.RetireMissing)
	if err != nil {
		return nil, err
	}
	return providersAnswer(e.DryRun, result, nil), nil
}

func (o *operations) writeProviders(
	ctx context.Context, list []pfm.Provider, dryRun, retire bool,
) (pfm.ProviderImport, error) {
	result, err := pfm.ImportProviders(ctx, o.banks, list, dryRun, retire, func(done, total int) {
		slog.InfoContext(ctx, "provider import", "done", done, "total", total)
	})
	if errors.Is(err, pfm.ErrImportRunning) {
		return result, apierror.New(apierror.Conflict,
			"Another import of providers is running. Try again when it is done.")
	}
	if err != nil {
		return result, err
	}
	slog.InfoContext(ctx, "providers imported", "dryRun", dryRun,
		"new", len(result.New), "changed", len(result.Changed), "retired", len(result.Retired),
		"unchanged", result.Unchanged)
	return result, nil
}

// providersAnswer reports what an import of providers has changed. The lists have the first
// shownIDs.
func providersAnswer(dryRun bool, r pfm.ProviderImport, invalid *jsonschema.Invalid) answer {
	return importAnswer(dryRun, invalid, answer{
		"new": len(r.New), "changed": len(r.Changed), "retired": len(r.Retired), "unchanged": r.Unchanged,
		"newIds": first(r.New), "changedIds": first(r.Changed), "retiredIds": first(r.Retired),
	})
}

func first(ids []string) []string { return orEmpty(ids[:min(len(ids), shownIDs)]) }

// NewImporter returns an importer for the named tables.
func NewImporter(db *dynamodb.Client, table, outboxTable string) *cancellation.Importer {
	store := cancellationdb.New(db, table, outboxTable, time.Now, bootstrap.NewID)
	search := fulltext.NewStore(db, table, time.Now)
	return &cancellation.Importer{Store: store, Search: search, Now: time.Now, NewID: bootstrap.NewID}
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

const defaultSecret = "enable-banking"

// importASPSPs makes the aggregator's banks providers. Those that it no longer lists become
// Inactive.
func (o *operations) importASPSPs(ctx context.Context, e event) (any, error) {
	base, secret := cmp.Or(e.BaseURL, enablebanking.BaseURL), cmp.Or(e.Secret, defaultSecret)
	if e.BaseURL != "" && o.stage != config.Local && o.stage != config.Test { // another server would get a token of ours
		return nil, apierror.New(apierror.ValidationFailed, "baseUrl is only for the environments local and test.")
	}
	banks, others, err := o.aggregator.Banks(ctx, base, secret)
	if refusal, ok := errors.AsType[*pfm.SupplierError](err); ok {
		return nil, apierror.New(apierror.TemporarilyUnavailable, "The aggregator's banks cannot be listed: "+refusal.Error()+".")
	}
	if err != nil {
		return nil, err
	}
	result, err := o.writeProviders(ctx, banks, e.DryRun, true)
	if err != nil {
		return nil, err
	}
	a := providersAnswer(e.DryRun, result, nil)
	a["notOffered"] = others // that persons cannot connect
	return a, nil
}
